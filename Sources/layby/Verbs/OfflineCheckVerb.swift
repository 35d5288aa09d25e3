import Glibc
import Remote
import Runtime
import Synchronization

/// `layby offline check`: begins it, and shows how far it is until it has ended. Ctrl-C calls it off; who goes away in
/// another way stops nothing.
func followCheck(
  _ request: Request, _ client: PatientClient, _ options: Options, _ isShown: Bool
) throws(Fault) -> Int32 {
  Interruption.listen()
  var answer = try asked(request, client)
  while answer["check"]?.word("state") == "running" {
    if isShown { show("\r\u{1B}[K" + words(ofCheck: answer["check"] ?? .null)) }
    usleep(300_000)
    let word = Interruption.isThere ? "stop" : "status"
    answer = try asked(Request(verb: "offline", arguments: ["check", JSON(word)]), client)
  }
  if isShown { show("\r\u{1B}[K") }
  print(options.has("--json") ? answer.description : offlineWords(answer, withReasons: false))
  return EX_OK
}

private func asked(_ request: Request, _ client: PatientClient) throws(Fault) -> JSON {
  let answer = try client.ask(request)
  if let fault = Response.fault(in: answer) { throw fault }
  return answer
}

func words(ofCheck check: JSON) -> String {
  let state = check.word("state")
  guard !state.isEmpty else { return "nothing was checked since the start" }
  var parts = ["\(check.whole("checked")) of \(check.whole("files")) files"]
  parts.append("\(shownSize(check, "bytes")) of \(shownSize(check, "size"))")
  if state == "running" {
    if check.whole("bytes_s") > 0 { parts.append("\(shownSize(check, "bytes_s")) a second") }
    if let left = check["left_s"]?.double { parts.append("\(shownMinutes(Int64(left))) left") }
  }
  let found = [
    ("repaired", "not as they were, and fetched anew"), ("unread", "could not be read"),
    ("removed", "of nobody removed"),
    ("again", "tried again that failed long ago"),
  ]
  for (name, words) in found where check.whole(name) > 0 { parts.append("\(check.whole(name)) \(words)") }
  let isWell = state == "over" && check.whole("repaired") + check.whole("unread") == 0
  let head = state == "running" ? "checking" : state == "over" ? "checked" : "the check was called off"
  return "\(head): " + parts.joined(separator: ", ") + (isWell ? "; all are as they were" : "")
}

/// Somebody has pressed Ctrl-C.
enum Interruption {
  private static let wish = Atomic<Bool>(false)

  static var isThere: Bool { wish.load(ordering: .relaxed) }
  static func listen() { signal(SIGINT) { _ in Interruption.wish.store(true, ordering: .relaxed) } }
}
