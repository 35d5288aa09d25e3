import Remote
import Runtime

/// What is answered, in words for people.
func inWords(_ answer: JSON, _ verb: String) -> String {
  switch verb {
  case "queue": if let entries = answer["entries"]?.items { return words(ofQueue: entries) }
  case "import": return importWords(answer)
  case "copy": return copyWords(answer)
  case "search":
    let found = ["artists", "albums", "tracks"].flatMap { answer[$0]?.items ?? [] }
    return found.isEmpty ? "nothing was found" : words(ofRows: found)
  case "letters": return (answer["letters"]?.items ?? []).compactMap(\.string).joined(separator: " ")
  case "browse": if let rows = answer["rows"]?.items { return rows.isEmpty ? "it is empty" : words(ofRows: rows) }
  case "library":
    if let problems = answer["problems"]?.items {
      return problems.isEmpty
        ? "all files can be read" : problems.map { $0["reason"]?.string ?? "" }.joined(separator: "\n")
    }
    if let gone = answer["forgot"] { return words(ofForgotten: gone) }
    guard answer["tracks"] != nil else { return importWords(answer) }
    let sources = (answer["sources"]?.items ?? []).map { source in
      padded("source \(source["id"]?.whole ?? 0)", to: 12) + shownPlain(source["label"]?.string ?? "")
        + " (\(source["root"]?.path?.description ?? ""))" + (source["present"]?.truth == false ? ", away" : "")
    }
    return
      (["tracks", "albums", "artists", "genres", "folders", "playlists", "recordings", "unreadable"].map {
        padded($0, to: 12) + "\(answer[$0]?.whole ?? 0)"
      } + sources).joined(separator: "\n")
  case "playlist": if let words = words(ofPlaylists: answer) { return words }
  case "log": return (answer["lines"]?.items ?? []).compactMap(\.string).map(shownPlain).joined(separator: "\n")
  case "history": if let heard = answer["history"]?.items { return words(ofHistory: heard) }
  case "bookmarks": if let marks = answer["bookmarks"]?.items { return words(ofBookmarks: marks) }
  case "sticks": if let sticks = answer["sticks"]?.items { return words(of: sticks, answer["refused"]?.items ?? []) }
  case "questions": if let questions = answer["questions"]?.items { return words(ofQuestions: questions) }
  case "answer": return "answered"
  case "health":
    return (answer["health"]?.items ?? []).map { part in
      let restarts = part["restarts"]?.whole ?? 0
      return padded(part["part"]?.string ?? "", to: 12) + (part["state"]?.string ?? "")
        + (restarts > 0 ? ", restarted \(restarts) times" : "")
    }.joined(separator: "\n")
  default: break
  }
  return answer["status"].map { words(ofStatus: $0) } ?? "done"
}

private func words(ofForgotten gone: JSON) -> String {
  func number(_ name: String) -> Int64 { gone[name]?.whole ?? 0 }
  return "forgot \(shownPlain(gone["label"]?.string ?? "")): \(number("files")) files in \(number("folders")) folders, "
    + "\(number("playlists")) playlists"
}

private func words(ofRows rows: [JSON]) -> String {
  rows.map { row in
    let detail = row["detail"]?.string.map { " - " + shownPlain($0) } ?? ""
    let album = row["album"]?.string.map { " (" + shownPlain($0) + ")" } ?? ""
    return padded(row["kind"]?.string ?? "", to: 10) + padded("\(row["id"]?.whole ?? 0)", to: 8)
      + shownPlain(row["title"]?.string ?? "") + detail + album
  }.joined(separator: "\n")
}

private func words(ofQuestions questions: [JSON]) -> String {
  if questions.isEmpty { return "nothing is asked" }
  return questions.map { question in
    let number = question["number"]?.whole ?? 0
    let details = (question["details"]?.items ?? []).compactMap(\.string).map { "     " + shownPlain($0) }
    let answers = (question["answers"]?.items ?? []).compactMap(\.string).enumerated().map {
      "     layby answer \(number) \($0.offset + 1)    \(shownPlain($0.element))"
    }
    let text = padded("\(number)", to: 5) + shownPlain(question["text"]?.string ?? "")
    return ([text] + details + answers).joined(separator: "\n")
  }.joined(separator: "\n")
}

private func words(ofPlaylists answer: JSON) -> String? {
  func line(_ playlist: JSON) -> String {
    let time = clock(playlist["duration_s"]?.double ?? 0)
    let offline = playlist["offline"]?.truth == true ? ", kept on the device" : ""
    let number = padded("#\(playlist["id"]?.whole ?? 0)", to: 6)
    let name = shownPlain(playlist["name"]?.string ?? "")
    return "\(number)\(name), \(playlist["count"]?.whole ?? 0) tracks, \(time)\(offline)"
  }
  if let all = answer["playlists"]?.items {
    return all.isEmpty ? "no playlist was made on this device" : all.map(line).joined(separator: "\n")
  }
  guard let playlist = answer["playlist"] else { return nil }
  let entries = (answer["entries"]?.items ?? []).map { entry in
    let number = padded("\(entry["entry"]?.whole ?? 0)", to: 8)
    let time = padded(clock(entry["duration_s"]?.double ?? 0), to: 9)
    let path = entry["path"]?.path?.description ?? ""
    let away = entry["present"]?.truth == false ? " (away)" : ""
    return number + time + path + away
  }
  let more = answer["next"]?.string.map { ["more: layby playlist show \(playlist["name"]?.string ?? "") after \($0)"] }
  return ([line(playlist)] + entries + (more ?? [])).joined(separator: "\n")
}

private func words(ofQueue entries: [JSON]) -> String {
  if entries.isEmpty { return "the queue is empty" }
  return entries.map { entry in
    let mark = entry["current"]?.truth == true ? "> " : "  "
    let number = entry["number"]?.whole.map { padded("\($0)", to: 6) } ?? ""
    return mark + number + (entry["path"]?.path?.description ?? "")
  }.joined(separator: "\n")
}

private func words(of sticks: [JSON], _ refused: [JSON]) -> String {
  if sticks.isEmpty && refused.isEmpty { return "no stick is in" }
  let there = sticks.map { stick in
    let size = stick["bytes"]?.whole.map { padded("\($0 / 1_000_000) MB", to: 12) } ?? ""
    let name = stick["label"]?.string.map(shownPlain) ?? ""
    return padded(name, to: 24) + padded(stick["file_system"]?.string ?? "", to: 8) + size
      + (stick["path"]?.path?.description ?? "")
  }
  return (there + refused.compactMap { $0["message"]?.string.map(shownPlain) }).joined(separator: "\n")
}

private func words(ofHistory heard: [JSON]) -> String {
  if heard.isEmpty { return "nothing was heard yet" }
  return heard.map { heard in
    let time = padded(clock(heard["heard_s"]?.double ?? 0), to: 9)
    return time + (heard["finished"]?.truth == true ? "  " : "~ ") + (heard["path"]?.path?.description ?? "")
  }.joined(separator: "\n")
}

private func words(ofBookmarks marks: [JSON]) -> String {
  if marks.isEmpty { return "nothing long was left in its middle" }
  return marks.map { mark in
    padded(clock(mark["position_s"]?.double ?? 0), to: 9) + (mark["path"]?.path?.description ?? "")
  }.joined(separator: "\n")
}

private func words(ofStatus status: JSON) -> String {
  guard let title = status["title"]?.string.map(shownPlain) else { return "nothing to play" }
  let by = status["artist"]?.string.flatMap { $0.isEmpty ? nil : " by \(shownPlain($0))" } ?? ""
  let place = clock(status["position_s"]?.double ?? 0)
  let length = status["duration_s"]?.double.map { " of " + clock($0) } ?? ""
  let number = "\((status["index"]?.whole ?? 0) + 1) of \(status["count"]?.whole ?? 0)"
  return "\(status["state"]?.string ?? ""): \(title)\(by), \(place)\(length), track \(number), "
    + "volume \(status["volume"]?.whole ?? 0)" + (status["muted"]?.truth == true ? ", muted" : "")
    + (status["shuffle"]?.truth == true ? ", shuffled" : "") + sleepWords(status)
    + (status["safe_mode"]?.truth == true ? ", safe mode" : "")
}

private func sleepWords(_ status: JSON) -> String {
  guard status["sleep"]?.string != nil else { return "" }
  return ", sleeps " + (status["sleep_s"]?.double.map { "in " + clock($0) } ?? "at the end")
}

private func clock(_ seconds: Double) -> String {
  let whole = Int(min(max(seconds, 0), 360_000))
  let rest = whole % 60
  return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}
