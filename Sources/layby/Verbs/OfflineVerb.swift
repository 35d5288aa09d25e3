import Application
import Glibc
import Remote
import Runtime

/// `layby offline ...`. What is wanted goes on by itself; `watch` shows how far it is, until nothing of it does any more.
func followOffline(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  let isShown = !options.has("--json") && isatty(STDOUT_FILENO) == 1
  let what = request.arguments.first?.string ?? "list"
  guard what != "watch" else { return try watchOffline(client, options, isShown) }
  if what == "check", request.arguments.count < 2 { return try followCheck(request, client, options, isShown) }
  // A source may be far away.
  if isShown, ["want", "size", "browse", "refresh", "move"].contains(what) { show("asking ...") }
  var answer = try client.ask(request)
  if isShown { show("\r\u{1B}[K") }
  if let fault = Response.fault(in: answer), fault.code == Keeping.doesNotFit, isShown, isatty(STDIN_FILENO) == 1 {
    show("\(fault.message). Queue it all the same? [y/N] ")
    guard let said = readLine(), ["y", "yes"].contains(said.lowercased()) else { return EX_OK }
    answer = try client.ask(Request(verb: request.verb, arguments: request.arguments + ["anyway"]))
  }
  if let fault = Response.fault(in: answer) { throw fault }
  print(options.has("--json") ? answer.description : offlineWords(answer, withReasons: options.has("--why")))
  return EX_OK
}

private func watchOffline(_ client: PatientClient, _ options: Options, _ isShown: Bool) throws(Fault) -> Int32 {
  var answer: JSON
  var lines = 0
  while true {
    answer = try client.ask(Request(verb: "offline"))
    if let fault = Response.fault(in: answer) { throw fault }
    let all = answer.items("offline")
    if isShown {
      let words = offlineWords(answer, withReasons: true)
      // Over what stood there before.
      show((lines > 0 ? "\u{1B}[\(lines)A" : "") + "\r\u{1B}[J" + words + "\n")
      lines = words.split(separator: "\n", omittingEmptySubsequences: false).count
    }
    if isWatchOver(all) { break }
    usleep(500_000)
  }
  if options.has("--json") { print(answer.description) }
  if !isShown, !options.has("--json") { print(offlineWords(answer, withReasons: true)) }
  return EX_OK
}

/// All of it is whole, paused or failed, or waits for what only a person can do something about. A network that is just
/// back, a server that is tried again, an hour that has not come: all of those pass.
func isWatchOver(_ lines: [JSON]) -> Bool {
  lines.allSatisfy { line in
    ["whole", "paused", "failed"].contains(line.word("state")) || line.isSaid("needs_owner", true)
  }
}

/// `withReasons`: of a plan; a list always has them.
func offlineWords(_ answer: JSON, withReasons: Bool) -> String {
  if let lines = answer["offline"]?.items {
    let room = answer["room"].map { [words(ofRoom: $0)] } ?? []
    let shown = lines.isEmpty ? ["nothing is wanted offline"] : lines.map(words(ofLine:))
    return (shown + room).joined(separator: "\n")
  }
  if let lines = answer["items"]?.items { return lines.map(words(ofItem:)).joined(separator: "\n") }
  if let lines = answer["plan"]?.items {
    if lines.isEmpty { return "nothing is left to fetch" }
    return lines.map { words(ofPlanned: $0, withReasons) }.joined(separator: "\n")
  }
  if let lines = answer["smart"]?.items {
    let shown = lines.isEmpty ? ["nothing was fetched unasked"] : lines.map(words(ofSmart:))
    return (shown + reasons(answer, indent: 0)).joined(separator: "\n")
  }
  if answer["sent_away"] != nil { return "sent away: \(answer.whole("sent_away")) tracks" }
  if let found = answer["containers"]?.items {
    let shown = found.isEmpty ? ["no source has any such thing"] : found.map(words(ofContainer:))
    let unknown = answer.items("unknown").map { "not known of \($0.shown("source")): \($0.shown("message"))" }
    return (shown + unknown).joined(separator: "\n")
  }
  if let size = answer["size"] {
    let name = (answer["wanted"] ?? answer["container"])?.shown("name") ?? ""
    let fits = size.isSaid("fits", false) ? "; that does not fit" : ""
    let over = size.whole("over") > 0 ? "; that is \(size.whole("over")) tracks too many" : ""
    let wanted = answer["wanted"] == nil ? "" : " (wanted)"
    return "\(name)\(wanted): \(size.whole("items")) tracks to fetch, about \(shownSize(size, "bytes"))\(fits)\(over)"
  }
  if let check = answer["check"] { return words(ofCheck: check) }
  if let isNow = answer["accepted"]?.truth {
    return "it is used from " + (isNow ? "now" : "the next start") + " on, and what is not on it is fetched anew"
  }
  if let disks = answer["disks"]?.items {
    return (disks.map(words(ofDisk:)) + [words(ofUsage: answer["usage"])]).joined(separator: "\n")
  }
  if let move = answer["move"] { return words(ofMove: move) }
  if answer["again"] != nil {
    let count = answer.whole("again")
    return count > 0 ? "tried again: \(count) tracks" : "nothing has failed, and nothing waits for its server"
  }
  if answer["dropped_all"] != nil { return "dropped everything: \(answer.whole("items")) tracks go" }
  if let gone = answer["dropped"] { return "dropped \(gone.shown("name")): \(answer.whole("items")) tracks go" }
  if let item = answer["left_out"] { return "left out: \(shownPlain(item.string ?? ""))" }
  if let item = answer["taken_in"] { return "taken in: \(shownPlain(item.string ?? ""))" }
  return statusWords(answer)
}

/// In `layby health`; nil where nothing is fetched.
func healthWords(ofOffline health: JSON) -> String? {
  if let fault = health["fault"] { return padded("fetching", to: 12) + fault.shown("message") }
  guard health["items"] != nil else { return nil }
  let counts = "\(health.whole("whole")) of \(health.whole("items")) tracks are here"
  let failed = health.whole("failed") > 0 ? ", \(health.whole("failed")) failed" : ""
  let kept = ", \(shownSize(health, "kept")) of \(shownSize(health, "limit"))"
  var lines = [padded("fetching", to: 12) + counts + failed + kept]
  let ended = health.whole("completed_ever") + health.whole("failed_ever")
  if ended > 0 {
    let rate = (health["success_percent"]?.double ?? 0) * 10
    let percent = "\(Int(rate) / 10).\(Int(rate) % 10) % of \(ended) downloads became whole"
    let more = ", \(health.whole("retried_ever")) attempts were made again, \(health.whole("recovered_ever")) recovered"
    let cleaned = ", \(health.whole("removed_ever")) files removed, \(health.whole("damaged_ever")) found damaged"
    lines.append(padded("", to: 12) + percent + more + cleaned)
  }
  lines.append(padded("", to: 12) + words(ofUsage: health["usage"]))
  // One disk that is there is nothing to tell of.
  let disks = health.items("disks")
  if disks.count > 1 { lines += disks.map { padded("", to: 12) + words(ofDisk: $0) } }
  if let move = health["move"] { lines.append(padded("", to: 12) + words(ofMove: move)) }
  if let check = health["check"] { lines.append(padded("", to: 12) + words(ofCheck: check)) }
  return (lines + reasons(health, indent: 12)).joined(separator: "\n")
}

// MARK: Lines

private func words(ofLine line: JSON) -> String {
  let name = "\(line.word("kind")) \(line.shown("name")) (\(line.shown("source")), \(line.word("quality")))"
  let (items, whole) = (line.whole("items"), line.whole("whole"))
  let failed = line.whole("failed") > 0 ? ", \(line.whole("failed")) failed" : ""
  let size = "\(shownSize(line, "bytes")) of \(shownSize(line, "size"))"
  var text = "\(padded(line.word("state"), to: 9))\(name): \(whole) of \(items) tracks, \(size)\(failed)"
  if line.word("state") == "running" {
    if line.whole("bytes_s") > 0 { text += ", \(shownSize(line, "bytes_s")) a second" }
    if let left = line["left_s"]?.double { text += ", \(shownMinutes(Int64(left))) left" }
  }
  let because = line.items("because").prefix(mostReasons).map { padded("", to: 9) + shownPlain($0.string ?? "") }
  return ([text] + because + reasons(line, indent: 9)).joined(separator: "\n")
}

/// All of them are told by `layby offline smart`.
private let mostReasons = 5

private func words(ofSmart line: JSON) -> String {
  let title = line["title"] == nil ? line.shown("item") : line.shown("title")
  let artist = line["artist"] == nil ? "" : " by \(line.shown("artist"))"
  let mark = line.isSaid("whole", true) ? "  " : "~ "
  return "\(mark)\(title)\(artist), \(shownSize(line, "bytes")): \(line.shown("because"))"
}

private func words(ofItem line: JSON) -> String {
  let title = line["title"] == nil ? line.shown("item") : line.shown("title")
  let artist = line["artist"] == nil ? "" : " by \(line.shown("artist"))"
  let quality = line["quality"] == nil ? "" : ", \(line.word("quality"))"
  var text = "\(padded(line.word("state"), to: 12))\(title)\(artist) (\(line.shown("source"))\(quality))"
  if line.whole("bytes") > 0 {
    let size = line["size"] == nil ? "" : " of \(shownSize(line, "size"))"
    text += ", \(shownSize(line, "bytes"))\(size)"
  }
  if line.whole("bytes_s") > 0 { text += ", \(shownSize(line, "bytes_s")) a second" }
  if let left = line["left_s"]?.double { text += ", \(shownMinutes(Int64(left))) left" }
  if line.word("offline") == "not valid" { text += ", its file is damaged or not there" }
  if line.whole("attempts") > 0 { text += ", \(line.whole("attempts")) attempts without progress" }
  let times = [("asked for", "queued"), ("begun", "begun"), ("ended", "ended")].compactMap { word, key in
    line[key] == nil ? nil : "\(word) \(shownDate(line.whole(key)))"
  }
  let when = times.isEmpty ? [] : [padded("", to: 12) + times.joined(separator: ", ")]
  return ([text] + reasons(line, indent: 12) + when).joined(separator: "\n")
}

private func words(ofPlanned line: JSON, _ withReasons: Bool) -> String {
  let title = line["title"] == nil ? line.shown("item") : line.shown("title")
  let artist = line["artist"] == nil ? "" : " by \(line.shown("artist"))"
  let size = line["size"] == nil ? "" : ", \(shownSize(line, "bytes")) of \(shownSize(line, "size"))"
  let mark = line.isSaid("running", true) ? "> " : "  "
  guard withReasons else { return mark + title + artist + size }
  let text = "\(mark)\(title)\(artist)\(size): \(line.shown("because"))"
  return ([text] + reasons(line, indent: 4)).joined(separator: "\n")
}

private func words(ofDisk disk: JSON) -> String {
  let mark = disk.isSaid("home", true) ? "> " : "  "
  let name = mark + padded(disk.word("name"), to: 10) + disk.path("path")
  guard disk.isSaid("there", true) else {
    return name + (disk.isSaid("new", true) ? ": never used" : ": not there")
  }
  return "\(name): \(shownSize(disk, "free")) of \(shownSize(disk, "total")) are free"
}

private func words(ofUsage usage: JSON?) -> String {
  let usage = usage ?? .null
  let asked = "\(shownSize(usage, "asked")) were asked for, \(shownSize(usage, "growing")) are not whole"
  let others = [("predicted", "may be wanted"), ("cached", "are left over from streaming"), ("left", "of no wish")]
  return asked + others.filter { usage.whole($0.0) > 0 }.map { ", \(shownSize(usage, $0.0)) \($0.1)" }.joined()
}

private func words(ofRoom room: JSON) -> String {
  let kept = "\(shownSize(room, "kept")) of \(shownSize(room, "limit")) are used"
  let free = room["free"] == nil ? "" : ", the disk has \(shownSize(room, "free")) left"
  return "\(kept)\(free): \(words(ofUsage: room["usage"]))"
}

private func words(ofMove move: JSON) -> String {
  guard move["to"] != nil else { return "nothing is being moved" }
  let (there, files) = (move.whole("there"), move.whole("files"))
  let size = "\(shownSize(move, "bytes")) of \(shownSize(move, "size"))"
  var text = "everything goes from \(move.word("from")) to \(move.word("to")): \(there) of \(files) files, \(size)"
  if move["free"] != nil { text += ", \(shownSize(move, "free")) are free there" }
  if move.whole("bytes_s") > 0 { text += ", \(shownSize(move, "bytes_s")) a second" }
  if let left = move["left_s"]?.double { text += ", \(shownMinutes(Int64(left))) left" }
  return ([text] + reasons(move, indent: 4)).joined(separator: "\n")
}

private func words(ofContainer found: JSON) -> String {
  let artist = found["artist"] == nil ? "" : " - \(found.shown("artist"))"
  let count = found.word("kind") == "track" ? "" : ", \(found.whole("count")) tracks"
  let name = padded(found.word("kind"), to: 10) + found.shown("title")
  return "\(name)\(artist)\(count) (\(found.shown("source")): \(found.shown("name")))"
}

private func reasons(_ line: JSON, indent: Int) -> [String] {
  line.items("why").map { why in
    String(repeating: " ", count: indent) + "\(why.shown("message")) (\(why.word("code")))"
  }
}

func shownSize(_ json: JSON, _ name: String) -> String {
  let bytes = json.whole(name)
  if bytes < 1_000_000 { return "\(max(bytes, 0) / 1_000) KB" }
  if bytes < 1_000_000_000 { return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB" }
  return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
}

func shownMinutes(_ seconds: Int64) -> String {
  seconds < 90 ? "\(seconds) s" : seconds < 5_400 ? "\((seconds + 30) / 60) min" : "\((seconds + 1_800) / 3_600) h"
}
