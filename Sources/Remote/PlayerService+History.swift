import Application
import Formats
import Library
import Playback
import Runtime

/// The verbs about what was heard, what was left in its middle, and falling asleep.
extension PlayerService {
  func history(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let count = arguments.isEmpty ? 50 : Self.number(arguments[0]) ?? 0
    guard count > 0, arguments.count <= 1 else { throw verb.wrong("expected how many") }
    var shown: [JSON] = []
    for heard in playing.lately.heard.suffix(count).reversed() {
      let entry = PlayQueue.Entry(id: heard.entry, path: heard.path)
      shown.append(
        .object(
          JSON.Object(
            [("id", JSON(heard.entry.number)), ("path", JSON(path: heard.path))]
              + (await playing.names(of: entry)) + [
                ("begun", JSON(heard.begun)), ("heard_s", JSON(heard.lasted.inSeconds)),
                ("finished", JSON(heard.isFinished)),
              ])))
    }
    return Response.done([("history", .list(shown))])
  }

  /// `history all [before NUMBER]`: a page.
  func wholeHistory(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let number = arguments.last.flatMap { Self.number($0) }
    guard application.playlists != nil else { throw .noLibrary }
    guard arguments.isEmpty || arguments.count == 2 && arguments[0].string == "before" && number != nil else {
      throw verb.wrong("expected the number that the page before ended with")
    }
    let shown = try await playing.history(before: number.map { Int64($0) }).map { heard -> JSON in
      let one = heard.listening
      var members: [(String, JSON)] = [("number", JSON(heard.number)), ("path", JSON(path: one.path))]
      members += (heard.track ?? Track(named: one.path.ofFile)).names
      members += [
        ("begun", JSON(one.begun)), ("heard_s", JSON(one.lasted.inSeconds)), ("finished", JSON(one.isFinished)),
        ("from", JSON("\(one.origin)")), ("streamed", JSON(one.isStreamed)),
      ]
      if let name = one.originName { members.append(("from_name", JSON(name))) }
      return .object(JSON.Object(members))
    }
    return Response.done([("history", .list(shown))])
  }

  /// They are numbered as they are shown, the newest first.
  func bookmarks(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let marks = Array(playing.bookmarks.marks.reversed())
    if arguments.first?.string == "forget", arguments.count == 2 {
      guard let number = Self.number(arguments[1]) else {
        guard let path = arguments[1].path else { throw verb.wrong("expected a path to forget") }
        return await done(.forget(path))
      }
      guard marks.indices.contains(number &- 1) else {
        throw Fault(.missing, "X-136", "there is no bookmark \(number); layby bookmarks lists \(marks.count)")
      }
      return await done(.forget(marks[number - 1].path))
    }
    guard arguments.isEmpty else { throw verb.wrong("expected a path to forget") }
    var shown: [JSON] = []
    for (place, mark) in marks.enumerated() {
      shown.append(
        .object(
          JSON.Object(
            [("number", JSON(place + 1)), ("path", JSON(path: mark.path))] + (await playing.names(of: mark.path))
              + [("position_s", JSON(mark.place.inSeconds))])))
    }
    return Response.done([("bookmarks", .list(shown))])
  }

  func sleep(_ text: String?, _ verb: Verb) throws(Fault) -> SleepTimer.Until? {
    switch text {
    case "off": return nil
    case "chapter": return .chapter
    case "track": return .track
    case "queue": return .queue
    default:
      guard let text, let time = SleepTimer.duration(text) else { throw verb.wrong("\"\(text ?? "")\" is no time") }
      return .time(time)
    }
  }

  func isOn(_ text: String?, _ verb: Verb) throws(Fault) -> Bool {
    switch text {
    case "on": true
    case "off": false
    default: throw verb.wrong("\"\(text ?? "")\" is neither on nor off")
    }
  }

  func steps(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> Int {
    guard arguments.count == 1, let count = Self.number(arguments[0]), (1...PlayQueue.limit).contains(count) else {
      throw verb.wrong("expected how many, 1 to \(PlayQueue.limit)")
    }
    return count
  }
}

extension Playing {
  /// What a list says of an entry beside its path.
  func names(of path: FilePath) async -> [(String, JSON)] { (await known(at: path) ?? Track(named: path.ofFile)).names }

  func names(of entry: PlayQueue.Entry) async -> [(String, JSON)] {
    (await known(entry) ?? Track(named: entry.path.ofFile)).names
  }
}
