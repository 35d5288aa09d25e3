import Application
import Formats
import Library
import Playback
import Runtime

/// The verbs `history` and `bookmarks`: what was heard, and what was left in its middle.
extension PlayerService {
  func history(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let count = arguments.isEmpty ? 50 : arguments[0].number ?? 0
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
    let number = arguments.last?.number
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
      guard let number = arguments[1].number else {
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
}

extension Playing {
  /// What a list says of an entry beside its path.
  func names(of path: FilePath) async -> [(String, JSON)] { (await known(at: path) ?? Track(named: path.ofFile)).names }

  func names(of entry: PlayQueue.Entry) async -> [(String, JSON)] {
    (await known(entry) ?? Track(named: entry.path.ofFile)).names
  }
}
