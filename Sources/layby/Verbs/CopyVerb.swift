import Files
import Glibc
import Library
import Remote
import Runtime

/// `layby copy WHAT`: begins it, and shows how far it is until it has ended. Who goes away meanwhile stops nothing.
func followCopy(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  let isShown = !options.has("--json") && isatty(STDOUT_FILENO) == 1
  let isAsking = request.arguments.isEmpty
  var answer = try client.ask(request)
  if let fault = Response.fault(in: answer) { throw fault }
  while !isAsking, answer["running"]?.truth == true {
    if isShown { show("\r\u{1B}[K" + copyWords(answer)) }
    usleep(300_000)
    answer = try client.ask(Request(verb: "copy"))
  }
  if isShown, !isAsking { show("\r\u{1B}[K") }
  if options.has("--json") { print(answer.description) }
  if !isAsking, let fault = answer["fault"] {
    // It was told, and goes on by itself.
    let isAway = !(answer["away"]?.items ?? []).isEmpty
    let kind = isAway ? .passing : Fault.Kind(rawValue: fault["kind"]?.string ?? "") ?? .passing
    let message = (fault["message"]?.string ?? "the copy ended early") + (isAway ? "; it goes on by itself" : "")
    let told = Fault(kind, fault["code"]?.string ?? "X-172", message)
    if options.has("--json") { return exitCode(for: told) }
    throw told
  }
  if !options.has("--json") { print(copyWords(answer)) }
  let isTooMuch = answer["copy"]?["phase"]?.string == "planned" && answer["copy"]?["fits"]?.truth == false
  return isTooMuch ? EX_CANTCREAT : EX_OK
}

func copyWords(_ answer: JSON) -> String {
  let away = (answer["away"]?.items ?? []).map { copy in
    "\nwaits for \(shownPlain(copy["label"]?.string ?? "")) (\(copy["from"]?.path?.description ?? ""))"
  }.joined()
  let isRunning = answer["running"]?.truth == true
  guard let now = answer["copy"] else { return (isRunning ? "beginning" : "nothing was copied yet") + away }
  func number(_ name: String) -> Int64 { now[name]?.whole ?? 0 }
  func size(_ name: String) -> String { DiskSpace.shown(number(name)) }
  let phase = now["phase"]?.string
  if phase == "counting" { return "counting: \(number("of")) files, \(size("of_bytes"))" + away }
  if phase == "planned" {
    let isThere = number("needed") == 0
    // Whole blocks of the disk are counted, so this may be more than the files are.
    let needed = isThere ? "all of it is on the device already" : "\(size("needed")) of room are needed for it"
    let there = "\(number("of")) files, \(size("of_bytes")); \(needed)"
    let room = "\(size("free")) are free, \(size("reserve")) stay in reserve"
    let verdict = now["fits"]?.truth == true ? "about \(shownMinutes(number("left_s")))" : "that does not fit"
    return "\(there)\n\(room): \(verdict)"
  }
  let failures = (answer["failures"]?.items ?? []).map { failure in
    "\n" + shownPlain(failure["message"]?.string ?? "") + " (\(failure["code"]?.string ?? ""))"
  }.joined()
  let counts = "\(number("files")) of \(number("of")) files, \(size("bytes")) of \(size("of_bytes"))"
  if isRunning {
    let speed = now["bytes_s"].map { _ in ", \(size("bytes_s")) a second" } ?? ""
    return counts + speed + (now["left_s"]?.whole.map { ", \(shownMinutes($0)) left" } ?? "")
  }
  return counts + ", \(number("there")) were there already"
    + (number("failed") > 0 ? ", \(number("failed")) could not be copied:" : "") + failures + away
}
