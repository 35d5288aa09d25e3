import Ciphers
import Glibc
import Remote
import Runtime
import Services

/// `layby sign-in`: shows a code, and waits until somebody has typed it elsewhere. Ctrl-C calls it off. Programs get the code
/// and ask `sign-in state` themselves.
func followSignIn(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  if options.has("--browser") { return try signInByBrowser(request, client, options) }
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

/// `layby sign-in --browser`: a browser of this machine is sent to the depot's page, and from there back to a port of ours
/// with a code (RFC 8252). Only who knows the verifier, which leaves this program for the player alone, can use the code.
private func signInByBrowser(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  let page = try asked(Request(verb: "sign-in", arguments: ["page"] + request.arguments), client)
  let source = page.word("source")
  let browser = try ReturningBrowser()
  let (verifier, state) = (Base64.encodeURL(randomBytes(32)), Base64.encodeURL(randomBytes(16)))
  var sum = try SHA256()
  sum.add(Array(verifier.utf8))
  let words = [
    ("response_type", "code"), ("client_id", "layby"), ("code_challenge_method", "S256"),
    ("code_challenge", Base64.encodeURL(try sum.value().bytes)), ("state", state), ("redirect_uri", browser.address),
  ]
  let query = words.map { "\($0.0)=\(FolderPath.encode($0.1))" }.joined(separator: "&")
  let address = "\(shownPlain(page.word("address")))?\(query)"
  Interruption.listen()
  print(
    options.has("--json")
      ? Response.done([("source", JSON(source)), ("address", JSON(address))]).description
      : "Open this page in a browser of this machine:\n\(address)")
  fflush(nil)
  guard let code = try browser.code(for: state, waits: { !Interruption.isThere }) else { return EX_TEMPFAIL }
  let said = ["code", source, code, verifier, browser.address].map { JSON($0) }
  let answer = try asked(Request(verb: "sign-in", arguments: said), client)
  print(options.has("--json") ? answer.description : "\(page.shown("source")): this device is signed in")
  return EX_OK
}

private func asked(_ request: Request, _ client: PatientClient) throws(Fault) -> JSON {
  let answer = try client.ask(request)
  if let fault = Response.fault(in: answer) { throw fault }
  return answer
}
