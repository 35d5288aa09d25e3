import Glibc
import Remote
import Runtime

/// `layby sign-in`: shows a code, and waits until somebody has typed it elsewhere. Ctrl-C calls it off. Programs get the code
/// and ask `sign-in state` themselves.
func followSignIn(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  let answer = try asked(request, client)
  if options.has("--json") {
    print(answer.description)
    return EX_OK
  }
  guard let code = answer["sign_in"] else {
    print(signInWords(answer))
    return EX_OK
  }
  let source = answer.word("source")
  Interruption.listen()
  print("Open \(code.shown("address")) on a telephone or computer, and type \(code.shown("code"))")
  while true {
    usleep(500_000)
    if Interruption.isThere {
      _ = try asked(Request(verb: "sign-in", arguments: ["cancel", JSON(source)]), client)
      return EX_TEMPFAIL
    }
    let depots = try asked(Request(verb: "sign-in", arguments: ["state"]), client).items("depots")
    guard let depot = depots.first(where: { $0.word("source") == source }) else { continue }
    if depot.word("state") == "signed in" {
      print("\(depot.shown("source")): this device is signed in")
      return EX_OK
    }
    guard depot.word("state") == "waiting" else {
      guard let fault = depot["message"] else { throw Fault(.missing, "X-237", "the sign-in was called off") }
      throw Fault(.denied, depot.word("code"), fault.string ?? "the sign-in was refused")
    }
  }
}

private func asked(_ request: Request, _ client: PatientClient) throws(Fault) -> JSON {
  let answer = try client.ask(request)
  if let fault = Response.fault(in: answer) { throw fault }
  return answer
}
