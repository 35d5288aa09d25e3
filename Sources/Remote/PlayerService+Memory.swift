import Library
import Playback
import Runtime

/// The verbs about what was heard, what was left in its middle, and falling asleep.
extension PlayerService {
  func history(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let count = arguments.isEmpty ? 50 : Self.number(arguments[0]) ?? 0
    guard count > 0, arguments.count <= 1 else { throw verb.wrong("expected how many") }
    var shown: [JSON] = []
    for heard in transport.history.heard.suffix(count).reversed() {
      let track = await transport.known(PlayQueue.Entry(id: heard.entry, path: heard.path))
      shown.append([
        "id": JSON(heard.entry.number), "path": JSON(path: heard.path), "begun": JSON(heard.begun),
        "heard_s": JSON(heard.lasted.inSeconds), "finished": JSON(heard.isFinished),
        "title": JSON(track?.title ?? Track(named: heard.path).title), "artist": JSON(track?.artist ?? ""),
      ])
    }
    return Answer.done([("history", .list(shown))])
  }

  func bookmarks(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    if arguments.first?.string == "forget", arguments.count == 2, let path = arguments[1].path {
      return await done(.forget(path))
    }
    guard arguments.isEmpty else { throw verb.wrong("expected a path to forget") }
    let marks = transport.bookmarks.marks.reversed().map { mark -> JSON in
      ["path": JSON(path: mark.path), "position_s": JSON(mark.place.inSeconds)]
    }
    return Answer.done([("bookmarks", .list(Array(marks)))])
  }

  func sleep(_ text: String?, _ verb: Verb) throws(Fault) -> SleepTimer.Until? {
    switch text {
    case "off": return nil
    case "track": return .track
    case "queue": return .queue
    default:
      let times = SettingType<Duration>.duration(.seconds(1)...SleepTimer.longest)
      guard let time = text.flatMap({ times.parse($0) }) else { throw verb.wrong("\"\(text ?? "")\" is no time") }
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
