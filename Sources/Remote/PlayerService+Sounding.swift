import Application
import Audio
import Playback
import Runtime

/// The verbs about how it sounds. What they change lasts until the next start; what is to last stands in layby.conf.
extension PlayerService {
  func equaliser(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    let words = arguments.compactMap(\.string)
    guard words.count == arguments.count else { throw verb.wrong("a band is a word") }
    if words.isEmpty {
      return Response.done([
        ("equaliser", JSON(application.sound.current.equaliser.description)),
        ("presets", .list(EqualiserCurve.presets.map { JSON($0.name) })),
        ("status", playing.status.json),
      ])
    }
    application.sound.set(try EqualiserCurve(parsing: words.joined(separator: " ")))
    return told
  }

  func normaliser(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    if arguments.isEmpty { return told }
    let words = arguments.compactMap(\.word)
    guard let first = words.first, words.count <= 2, let mode = NormaliserMode(rawValue: first) else {
      throw verb.wrong("\"\(words.joined(separator: " "))\" is no way to normalise")
    }
    var preamp: Int?
    if words.count == 2 {
      let range = NormaliserMode.preamps
      guard let decibels = Int(words[1]), range.contains(decibels) else {
        throw verb.wrong("\"\(words[1])\" is no whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      preamp = decibels
    }
    application.sound.setNormaliser(mode, preamp: preamp)
    return told
  }

  func crossfade(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    if arguments.isEmpty { return told }
    let words = arguments.compactMap(\.word)
    guard let first = words.first, words.count <= 2, words.count < 2 || words[1] == "albums",
      let time = Joint.time(first)
    else { throw verb.wrong("\"\(words.joined(separator: " "))\" is no crossfade") }
    application.sound.setCrossfade(time, inAlbums: words.count == 2)
    return told
  }

  func giveWay(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let words = arguments.compactMap(\.string)
    guard words.count >= 2, words[1].utf8.count <= 64 else { throw verb.wrong("nobody was named") }
    switch (words[0], words.count) {
    case ("begin", 2): return await done(.giveWay(to: words[1], .duck))
    case ("begin", 3):
      guard let manner = GiveWay.Manner(rawValue: words[2]) else { throw verb.wrong("\"\(words[2])\" is no way") }
      return await done(.giveWay(to: words[1], manner))
    case ("end", 2): return await done(.giveWay(to: words[1], nil))
    default: throw verb.wrong("\"\(words.joined(separator: " "))\" is neither")
    }
  }
}
