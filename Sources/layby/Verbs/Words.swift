import Formats
import Glibc
import Library
import Remote
import Runtime

/// What is answered to a verb with its arguments, in words for people.
func inWords(_ answer: JSON, _ verb: String, _ arguments: [String]) -> String {
  // A verb that stands alone changes nothing.
  if let words = settingWords(answer, verb, arguments.isEmpty) { return words }
  switch verb {
  case "queue":
    if let entries = answer["entries"]?.items { return words(ofQueue: entries, answer) }
    if let entry = answer["put_back"] { return "put back \(entry.shown("title")); " + statusWords(answer) }
  case "import": return importWords(answer)
  case "copy": return copyWords(answer)
  case "search":
    let found = ["artists", "albums", "tracks"].flatMap { answer[$0]?.items ?? [] }
    return found.isEmpty ? "nothing was found" : words(ofRows: found)
  case "letters":
    let letters = answer.items("letters").compactMap(\.string)
    if letters.isEmpty { return "no letter leads on" }
    return (letters + (answer["next"] == nil ? [] : ["..."])).joined(separator: " ")
  case "browse": if let rows = answer["rows"]?.items { return words(ofPage: rows, answer["next"], arguments) }
  case "library":
    if let problems = answer["problems"]?.items {
      return problems.isEmpty
        ? "all files can be read" : problems.map { $0["reason"]?.string ?? "" }.joined(separator: "\n")
    }
    if let gone = answer["forgot"] { return words(ofForgotten: gone) }
    guard answer["tracks"] != nil else { return importWords(answer) }
    let sources = answer.items("sources").map { source in
      let number = padded("source \(source.whole("id"))", to: 12)
      let away = source.isSaid("present", false) ? ", away" : ""
      return "\(number)\(source.shown("label")) (\(source.path("root")))\(away)"
    }
    return
      (["tracks", "albums", "artists", "genres", "folders", "playlists", "recordings", "unreadable"].map {
        padded($0, to: 12) + "\(answer.whole($0))"
      } + sources).joined(separator: "\n")
  case "playlist": if let words = words(ofPlaylists: answer) { return words }
  case "log": return answer.items("lines").compactMap(\.string).map(shownPlain).joined(separator: "\n")
  case "history": if let heard = answer["history"]?.items { return words(ofHistory: heard, arguments) }
  case "bookmarks": if let marks = answer["bookmarks"]?.items { return words(ofBookmarks: marks) }
  case "chapters": return words(ofChapters: answer.items("chapters"), answer["status"]?["chapter"])
  case "sticks": if let sticks = answer["sticks"]?.items { return words(of: sticks, answer.items("refused")) }
  case "wifi":
    if let wifi = answer["wifi"] { return words(ofWireless: wifi, answer["hotspot"], answer.items("networks")) }
  case "rights": return rightsWords(answer)
  case "sign-out": return signInWords(answer)
  case "questions": if let questions = answer["questions"]?.items { return words(ofQuestions: questions) }
  case "answer": return "answered"
  case "erase": return "what was saved goes now, and this device restarts"
  case "health":
    let parts = answer.items("health").map { part in
      let restarts = part.whole("restarts")
      let restarted = restarts > 0 ? ", restarted \(restarts) times" : ""
      let device = words(ofDevice: part["device"]?.string)
      return "\(padded(part.word("part"), to: 12))\(part.word("state"))\(restarted)\(device)"
    }
    let saving = answer["saving"].flatMap { saving in
      saving.isSaid("ok", false) ? padded("saving", to: 12) + saving.shown("message") : nil
    }
    let offline = answer["offline"].flatMap(healthWords(ofOffline:))
    let flags = answer.items("flags").filter { $0.isSaid("on", false) }.map { flag in
      padded("flag", to: 12) + "\(flag.shown("flag")) is \(flag.shown("why"))"
    }
    let power = answer["power"].flatMap(healthWords(ofPower:))
    return (parts + [saving, offline, power].compactMap { $0 } + flags).joined(separator: "\n")
  default: break
  }
  return statusWords(answer)
}

/// How the player stands now, and before it how many entries the queue was given, if it was.
func statusWords(_ answer: JSON) -> String {
  guard let status = answer["status"] else { return "done" }
  guard answer["added"] != nil else { return words(ofStatus: status) }
  let left = answer.whole("left_out")
  let full = left > 0 ? ", the queue has no room for \(left) more" : ""
  return "added \(answer.whole("added"))\(full); " + words(ofStatus: status)
}

/// What a verb that sets one thing tells of that thing, after it was set and where the verb stood alone; nil for other
/// verbs. The choices are told only to whoever asks.
private func settingWords(_ answer: JSON, _ verb: String, _ isQuestion: Bool) -> String? {
  guard let status = answer["status"] else { return nil }
  switch verb {
  case "volume", "mute":
    return "volume \(status.whole("volume"))" + (status.isSaid("muted", true) ? ", muted" : "")
  case "repeat": return "repeat \(status.word("repeat"))" + (isQuestion ? " (off, all or one)" : "")
  case "shuffle": return "shuffle \(status.isSaid("shuffle", true) ? "on" : "off")"
  case "sleep":
    return status["sleep"]?.string == nil ? "no sleep timer is set" : String(sleepWords(status).dropFirst(2))
  case "equaliser":
    let presets = answer.items("presets").compactMap(\.string).joined(separator: ", ")
    return "equaliser \(status.shown("equaliser"))" + (isQuestion ? "\npresets: \(presets)" : "")
  case "normaliser":
    let decibels = status.whole("normaliser_preamp_db")
    return "normaliser \(status.word("normaliser"))" + (decibels == 0 ? "" : ", \(decibels) dB")
  case "crossfade":
    let seconds = status["crossfade_s"]?.double ?? 0
    return seconds > 0 ? "crossfade of \(seconds) s" : "no crossfade"
  default: return nil
  }
}

/// What the board does next by itself, and its ignition; nil where it has none and nothing is to come.
func healthWords(ofPower power: JSON) -> String? {
  var words: [String] = []
  if let ignition = power["ignition"]?.string, ignition != "none" { words.append("ignition \(shownPlain(ignition))") }
  if power["writes"] == "held" { words.append("the battery is low, so nothing is imported, fetched or copied") }
  if let then = power["then"]?.string {
    let seconds = Int(max(power["in_s"]?.double ?? 0, 0))
    words.append(then == "pause" ? "the music pauses in \(seconds) s" : "switches off in \(seconds) s")
  }
  return words.isEmpty ? nil : padded("power", to: 12) + words.joined(separator: ", ")
}

/// Nothing of a device that works; of any other what kind of fault it has.
private func words(ofDevice answer: String?) -> String {
  switch answer {
  case nil, "works": ""
  case "missing": ", its device is not there"
  case "busy": ", another program has its device"
  case "denied": ", it may not use its device"
  case let other?: ", its device cannot be used (\(shownPlain(other)))"
  }
}

private func words(ofForgotten gone: JSON) -> String {
  let files = "\(gone.whole("files")) files in \(gone.whole("folders")) folders"
  return "forgot \(gone.shown("label")): \(files), \(gone.whole("playlists")) playlists"
}

/// A page of a list, and how to see the next one, if there is one.
private func words(ofPage rows: [JSON], _ next: JSON?, _ arguments: [String]) -> String {
  if rows.isEmpty { return "it is empty" }
  let list = arguments.prefix { $0 != "after" }.joined(separator: " ")
  let more = next?.string.map { "\nmore: layby browse \(list) after \($0)" } ?? ""
  return words(ofRows: rows) + more
}

private func words(ofRows rows: [JSON]) -> String {
  rows.map { row in
    let detail = row["detail"]?.string.map { " - " + shownPlain($0) } ?? ""
    let album = row["album"]?.string.map { " (" + shownPlain($0) + ")" } ?? ""
    // What cannot be asked for by its number shows none.
    let number = ["missing", "unreadable"].contains(row.word("kind")) ? "" : "\(row.whole("id"))"
    let name = padded(row.word("kind"), to: 10) + padded(number, to: 8)
    return name + row.shown("title") + detail + album
  }.joined(separator: "\n")
}

private func words(ofQuestions questions: [JSON]) -> String {
  if questions.isEmpty { return "nothing is asked" }
  return questions.map { question in
    let number = question.whole("number")
    let details = question.items("details").compactMap(\.string).map { "     " + shownPlain($0) }
    let answers = question.items("answers").compactMap(\.string).enumerated().map {
      "     layby answer \(number) \($0.offset + 1)    \(shownPlain($0.element))"
    }
    let text = padded("\(number)", to: 5) + question.shown("text")
    return ([text] + details + answers).joined(separator: "\n")
  }.joined(separator: "\n")
}

private func words(ofPlaylists answer: JSON) -> String? {
  func line(_ playlist: JSON) -> String {
    let time = playlist.clock("duration_s")
    let kept = playlist["kept"].map { ", \($0.whole("whole")) of \($0.whole("items")) fetched" } ?? ""
    let offline = playlist.isSaid("offline", true) ? ", kept on the device\(kept)" : ""
    let number = padded("\(playlist.whole("id"))", to: 6)
    let name = playlist.shown("name")
    return "\(number)\(name), \(playlist.whole("count")) tracks, \(time)\(offline)"
  }
  if let all = answer["playlists"]?.items {
    return all.isEmpty ? "no playlist was made on this device" : all.map(line).joined(separator: "\n")
  }
  guard let playlist = answer["playlist"] else { return nil }
  let entries = answer.items("entries").map { entry in
    let number = padded("\(entry.whole("entry"))", to: 8)
    let time = padded(entry.clock("duration_s"), to: 9)
    let away = entry.isSaid("present", false) ? " (away)" : ""
    return number + time + entry.named + away
  }
  let more = answer["next"]?.string.map { ["more: layby playlist show \(playlist.whole("id")) after \($0)"] }
  return ([line(playlist)] + entries + (more ?? [])).joined(separator: "\n")
}

private func words(ofQueue entries: [JSON], _ answer: JSON) -> String {
  let total = answer.whole("total")
  if entries.isEmpty, total > 0 {
    // Only a list of the queue says whether it is shuffled.
    return answer["shuffle"] == nil ? "nothing comes after this entry" : "the queue ends with entry \(total)"
  }
  if entries.isEmpty { return "the queue is empty" }
  return entries.map { entry in
    let mark = entry.isSaid("current", true) ? "> " : "  "
    let number = entry["number"]?.whole.map { padded("\($0)", to: 6) } ?? ""
    return mark + number + entry.named
  }.joined(separator: "\n")
}

private func words(of sticks: [JSON], _ refused: [JSON]) -> String {
  if sticks.isEmpty && refused.isEmpty { return "no stick is in" }
  let there = sticks.map { stick in
    let size = stick["bytes"]?.whole.map { padded("\($0 / 1_000_000) MB", to: 12) } ?? ""
    let name = stick["label"]?.string.map(shownPlain) ?? ""
    return padded(name, to: 24) + padded(stick.word("file_system"), to: 8) + size + stick.path("path")
  }
  return (there + refused.compactMap { $0["message"]?.string.map(shownPlain) }).joined(separator: "\n")
}

private func words(ofHistory heard: [JSON], _ arguments: [String]) -> String {
  if heard.isEmpty { return arguments.contains("before") ? "nothing was heard before that" : "nothing was heard yet" }
  let isFull = arguments.first == "all" && heard.count >= Catalogue.slice
  let next = isFull ? heard.last?["number"]?.whole : nil
  let more = next.map { "\nmore: layby history all before \($0)" } ?? ""
  return heard.map { heard in
    let time = padded(heard.clock("heard_s"), to: 9)
    let date = padded(shownDate(heard.whole("begun")), to: 18)
    return date + time + (heard.isSaid("finished", true) ? "  " : "~ ") + heard.named
  }.joined(separator: "\n") + more
}

private func words(ofBookmarks marks: [JSON]) -> String {
  if marks.isEmpty { return "nothing long was left in its middle" }
  return marks.map { mark in
    padded("\(mark.whole("number"))", to: 6) + padded(mark.clock("position_s"), to: 9) + mark.named
  }.joined(separator: "\n")
}

/// The one that is heard is marked.
private func words(ofChapters chapters: [JSON], _ heard: JSON?) -> String {
  if chapters.isEmpty { return "what plays has no chapters" }
  return chapters.map { chapter in
    let mark = chapter["number"] == heard?["number"] ? "> " : "  "
    return mark + padded("\(chapter.whole("number"))", to: 6) + padded(chapter.clock("begins_s"), to: 10)
      + chapter.shown("title")
  }.joined(separator: "\n")
}

private func words(ofStatus status: JSON) -> String {
  guard let title = status["title"]?.string.map(shownPlain) else { return "nothing to play" }
  let by = status["artist"]?.string.flatMap { $0.isEmpty ? nil : " by \(shownPlain($0))" } ?? ""
  let place = status.clock("position_s")
  let length = status["duration_s"]?.double.map { $0 > 0 ? " of " + shownTime($0) : "" } ?? ""
  let number = "\(status.whole("index") + 1) of \(status.whole("count"))"
  let chapter = status["chapter"].flatMap { chapter in
    chapter["number"]?.whole.map { ", chapter \($0) of \(chapter.whole("of"))" }
  }
  let said = [
    status.isSaid("muted", true) ? ", muted" : "", status.isSaid("shuffle", true) ? ", shuffled" : "",
    repeatWords[status.word("repeat"), default: ""],
    sleepWords(status), status.isSaid("safe_mode", true) ? ", safe mode" : "",
    givenWayWords(status), status["waits_for"]?["message"]?.string.map { ". " + shownPlain($0) } ?? "",
  ]
  let playing = "\(status.word("state")): \(title)\(by), \(place)\(length)\(chapter ?? ""), track \(number)"
  return playing + ", volume \(status.whole("volume"))" + said.joined()
}

private let repeatWords = ["all": ", all of it again and again", "one": ", this track again and again"]

private func givenWayWords(_ status: JSON) -> String {
  let names = status.items("gives_way_to").compactMap(\.string).map(shownPlain)
  return names.isEmpty ? "" : ", gives way to " + names.joined(separator: " and ")
}

private func sleepWords(_ status: JSON) -> String {
  guard status["sleep"]?.string != nil else { return "" }
  return ", sleeps " + (status["sleep_s"]?.double.map { "in " + shownTime($0) } ?? "at the end")
}

/// In this computer's time zone. A board without a clock may have counted from long ago.
func shownDate(_ seconds: Int64) -> String {
  guard seconds > 0 else { return "" }
  var (moment, parts) = (time_t(seconds), tm())
  localtime_r(&moment, &parts)
  func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let day = "\(parts.tm_year + 1_900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
  return "\(day) \(digits(parts.tm_hour)):\(digits(parts.tm_min))"
}

private func shownTime(_ seconds: Double) -> String {
  let whole = Int(min(max(seconds, 0), 360_000))
  let rest = whole % 60
  return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}

/// What an answer says, or nothing where it does not say it: it may come from another version of the program.
extension JSON {
  func whole(_ name: String) -> Int64 { self[name]?.whole ?? 0 }
  func word(_ name: String) -> String { self[name]?.string ?? "" }
  func shown(_ name: String) -> String { shownPlain(word(name)) }
  /// A part of a file as "/music/whole.flac from 3:20".
  func path(_ name: String) -> String {
    guard let path = self[name]?.path else { return "" }
    guard let part = MusicPart(address: path) else { return path.description }
    return "\(part.file) from \(shownTime(Double(part.begin.milliseconds) / 1_000))"
  }
  /// A track of a list: its title and who plays it, or its path where nobody told.
  var named: String {
    guard let title = self["title"]?.string, !title.isEmpty else { return path("path") }
    return shownPlain(title) + (word("artist").isEmpty ? "" : " - " + shown("artist"))
  }
  func items(_ name: String) -> [JSON] { self[name]?.items ?? [] }
  func clock(_ name: String) -> String { shownTime(self[name]?.double ?? 0) }
  func isSaid(_ name: String, _ truth: Bool) -> Bool { self[name]?.truth == truth }
}

private func words(ofWireless wifi: JSON, _ hotspot: JSON?, _ networks: [JSON]) -> String {
  let facts = [wifi.shown("state"), wifi["network"]?.string.map(shownPlain), wifi["address"]?.string.map(shownPlain)]
  let state = facts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
  let rows = networks.map { network in
    let lock = network.isSaid("locked", false) ? "open" : "password"
    let name = padded(shownPlain(network.shown("name")), to: 34)
    return name + padded(lock, to: 10) + "\(network.whole("signal_dbm")) dBm"
  }
  return ([state] + words(ofHotspot: hotspot) + rows).joined(separator: "\n")
}

/// Nothing of one that is off.
private func words(ofHotspot hotspot: JSON?) -> [String] {
  guard let hotspot, !hotspot.word("state").isEmpty, hotspot.word("state") != "off" else { return [] }
  guard hotspot["name"]?.string != nil else { return ["hotspot \(hotspot.shown("state"))"] }
  let left = hotspot["minutes_left"]?.whole.map { ", \($0) min left" } ?? ""
  return ["hotspot \(hotspot.shown("state")): \(hotspot.shown("name")), password \(hotspot.shown("password"))\(left)"]
}
