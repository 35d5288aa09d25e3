import Audio
import Playback
import Runtime

/// The verbs about how it sounds. What they change lasts until the next start; what is to last stands in layby.conf.
extension PlayerService {
  func equaliser(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    let words = arguments.compactMap(\.string)
    guard words.count == arguments.count else { throw verb.wrong("a band is a word") }
    if words.isEmpty {
      return Answer.done([
        ("equaliser", JSON(transport.sounding.equaliser.description)),
        ("presets", .list(EqualiserCurve.presets.map { JSON($0.name) })),
        ("status", transport.status.json),
      ])
    }
    transport.sounding.equaliser = try EqualiserCurve(parsing: words.joined(separator: " "))
    return told
  }

  func normaliser(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    if arguments.isEmpty { return told }
    let words = arguments.compactMap { $0.string ?? $0.whole.map(String.init) }
    guard let first = words.first, words.count <= 2, let mode = NormaliserMode(rawValue: first) else {
      throw verb.wrong("\"\(words.joined(separator: " "))\" is no way to normalise")
    }
    var wanted = transport.sounding
    wanted.normaliser = mode
    if words.count == 2 {
      let range = NormaliserMode.preamps
      guard let decibels = Int(words[1]), range.contains(decibels) else {
        throw verb.wrong("\"\(words[1])\" is no whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      wanted.preamp = decibels
    }
    transport.sounding = wanted
    return told
  }

  func crossfade(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    if arguments.isEmpty { return told }
    let words = arguments.compactMap { $0.string ?? $0.whole.map(String.init) }
    guard let first = words.first, words.count <= 2, words.count < 2 || words[1] == "albums",
      let time = Joint.time(first)
    else { throw verb.wrong("\"\(words.joined(separator: " "))\" is no crossfade") }
    // In one go: what plays begins anew in each new shape.
    var wanted = transport.sounding
    wanted.crossfadesInAlbums = words.count == 2
    wanted.crossfade = time
    transport.sounding = wanted
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
