import Application
import Offline
import Runtime
import Services

/// The arguments of `layby offline ...`, parsed. `KeepingVerbs` asks the use case `Keeping` for what they say, on the
/// main loop. Arguments that fit no form throw the refusal of `Verb`.
enum OfflineRequest: Equatable, Sendable {
  typealias Target = Keeping.Target
  typealias Check = Keeping.Check

  case list
  /// The state of a track, or of each track of an album, artist or playlist, whether or not it is wanted.
  case state(Target)
  case browse(ContainerID.Kind, source: String?, words: [String])
  case size(Target, Quality?)
  /// `isAnyway`: also when there is no room for it on the disk.
  case want(Target, Quality?, isAnyway: Bool)
  /// Wants it no more. Nil: everything that is wanted.
  case drop(Target?)
  /// Nil: all downloads.
  case pause(Target?)
  case resume(Target?)
  /// Tries again now what has failed, or waits for a reason of its own. Nil: all of it.
  case again(Target?)
  /// Leaves a track out of everything wanted that contains it, or takes it in again.
  case leaveOut(Target)
  case takeIn(Target)
  /// Whether it is fetched over a network that costs money too.
  case pay(Target, Bool)
  /// Plays it in place of the queue, or puts it behind the queue. What is not on the device is streamed.
  case play(Target)
  case queue(Target)
  case plan(count: Int)
  case refresh
  /// Compares every file with its sum, removes files that belong to nothing, and forgets what failed long ago.
  case check(Check)
  /// Which smart downloads were chosen, and why.
  case smart
  /// Removes a smart download, by name. Nil: all of them.
  case dismissSmartDownload(String?)
  case disks
  /// Uses the empty disk that is there in place of the disk of this name. Nil: in place of the one in use.
  case accept(String?)
  /// Moves all fetched music to that disk. Nil: how far the move is.
  case move(String?)

  static let mostPlanned = 1_000
  static let anyway = "anyway"

  init(_ arguments: [JSON], _ verb: Verb) throws(Fault) {
    let words = arguments.compactMap(\.word)
    guard words.count == arguments.count else { throw verb.wrong("expected words") }
    var rest = words.dropFirst()
    switch words.first ?? "list" {
    case "list" where rest.isEmpty: self = .list
    case "refresh" where rest.isEmpty: self = .refresh
    case "check" where rest.isEmpty: self = .check(.begin)
    case "check" where rest.count == 1 && rest.first == "status": self = .check(.status)
    case "check" where rest.count == 1 && rest.first == "stop": self = .check(.stop)
    case "accept" where rest.count <= 1: self = .accept(rest.first)
    case "smart" where rest.isEmpty: self = .smart
    case "smart" where rest.first == "drop" && rest.count > 1:
      let name = rest.dropFirst().joined(separator: " ")
      self = .dismissSmartDownload(name == "all" ? nil : name)
    case "disks" where rest.isEmpty: self = .disks
    case "move" where rest.count <= 1: self = .move(rest.first)
    case "pay": self = .pay(try Self.target(rest, verb), true)
    case "spare": self = .pay(try Self.target(rest, verb), false)
    case "state": self = .state(try Self.anything(rest, verb))
    case "browse":
      let source = Self.option("from", in: &rest)
      let kind = try Self.kind(rest.popFirst(), verb)
      self = .browse(kind, source: source, words: Array(rest))
    case "size":
      let (target, quality) = try Self.wish(rest, verb)
      self = .size(target, quality)
    case "want":
      // Behind a name: something may be called so.
      let isAnyway = rest.count > 2 && rest.last == Self.anyway
      let (target, quality) = try Self.wish(isAnyway ? rest.dropLast() : rest, verb)
      self = .want(target, quality, isAnyway: isAnyway)
    case "play": self = .play(try Self.target(rest, verb))
    case "queue": self = .queue(try Self.target(rest, verb))
    case "drop": self = .drop(Array(rest) == ["all"] ? nil : try Self.target(rest, verb))
    case "pause": self = .pause(rest.isEmpty ? nil : try Self.target(rest, verb))
    case "resume": self = .resume(rest.isEmpty ? nil : try Self.target(rest, verb))
    case "again": self = .again(rest.isEmpty ? nil : try Self.target(rest, verb))
    case "leave": self = .leaveOut(try Self.track(rest, verb))
    case "take": self = .takeIn(try Self.track(rest, verb))
    case "plan" where rest.count <= 1:
      let count = rest.first.map { Int($0) ?? 0 } ?? 20
      guard (1...Self.mostPlanned).contains(count) else {
        throw verb.wrong("expected how many, 1 to \(Self.mostPlanned)")
      }
      self = .plan(count: count)
    case let other: throw verb.wrong("there is no \"offline \(shownBriefly(other))\" like this")
    }
  }

  // MARK: Words

  /// `album NAME [from SOURCE] [at QUALITY]`.
  private static func wish(_ words: ArraySlice<String>, _ verb: Verb) throws(Fault) -> (Target, Quality?) {
    var rest = words
    var quality: Quality?
    if let word = option("at", in: &rest) {
      guard let named = Quality(named: word) else {
        let all = Quality.allCases.map(\.name).joined(separator: ", ")
        throw verb.wrong("\"\(shownBriefly(word))\" is none of \(all)")
      }
      quality = named
    }
    return (try target(rest, verb), quality)
  }

  private static func target(_ words: ArraySlice<String>, _ verb: Verb) throws(Fault) -> Target {
    var rest = words
    let source = option("from", in: &rest)
    let kind = try kind(rest.popFirst(), verb)
    // What a shell has cut at its spaces is one name.
    let name = rest.joined(separator: " ")
    guard !name.isEmpty else { throw verb.wrong("no \(kind.rawValue) was named") }
    return Target(kind: kind, name: name, source: source)
  }

  /// What begins with no kind is a track's name.
  private static func anything(_ words: ArraySlice<String>, _ verb: Verb) throws(Fault) -> Target {
    let isKind = words.count > 1 && ArgumentKind.container.choices.contains(words.first ?? "")
    return try isKind ? target(words, verb) : target(["track"] + words, verb)
  }

  private static func track(_ words: ArraySlice<String>, _ verb: Verb) throws(Fault) -> Target {
    var rest = words
    if rest.first == "track" { rest = rest.dropFirst() }
    return try target(["track"] + rest, verb)
  }

  private static func kind(_ word: String?, _ verb: Verb) throws(Fault) -> ContainerID.Kind {
    let name = word ?? ""
    let kinds = ContainerID.Kind.allCases
    guard let kind = kinds.first(where: { name == $0.rawValue || name == $0.rawValue + "s" }) else {
      let all = kinds.map(\.rawValue).joined(separator: ", ")
      throw verb.wrong("\"\(shownBriefly(name))\" is none of \(all)")
    }
    return kind
  }

  /// `NAME VALUE` at the end, which is taken away. Both may stand there, in any order.
  private static func option(_ name: String, in words: inout ArraySlice<String>) -> String? {
    for back in [2, 4] where words.count > back {
      let place = words.endIndex - back
      guard words[place] == name, back == 2 || ["at", "from"].contains(words[place + 2]) else { continue }
      let value = words[place + 1]
      words.removeSubrange(place...(place + 1))
      return value
    }
    return nil
  }
}

extension Quality {
  /// As it is typed: `very-high`.
  package var name: String { self == .veryHigh ? "very-high" : words }

  package init?(named name: String) {
    guard let named = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = named
  }
}
