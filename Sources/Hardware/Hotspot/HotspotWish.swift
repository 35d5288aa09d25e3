import Glibc
import Runtime

/// An access point of the board's own, by which a telephone tells it which network to join. The player writes it into its
/// run folder, and the unit layby-hotspot.service takes it from there. Its password holds for ten minutes.
package struct HotspotWish: Equatable, Sendable {
  /// In the player's run folder, for its own user alone.
  package static let fileName = "hotspot"
  /// An empty file beside it: the hotspot is to end.
  package static let endName = "hotspot-off"
  static let limit = 4_096

  /// Why it is there again: the network that was chosen, and what became of it.
  package struct Failure: Equatable, Sendable {
    package let network: String
    package let outcome: SetupOutcome

    package init(_ network: String, _ outcome: SetupOutcome) { (self.network, self.outcome) = (network, outcome) }
  }

  /// What the unit tells of is told with this, so that nobody takes an older word for a new one.
  package let id: String
  package let name: String
  package let password: String
  /// What its page speaks, by the names of ISO 639.
  package let language: String
  package let failure: Failure?

  package init(id: String, name: String, password: String, language: String, failure: Failure? = nil) {
    (self.id, self.name, self.password, self.language, self.failure) = (id, name, password, language, failure)
  }

  /// Another name and another password each time.
  package static func random(language: String) -> HotspotWish {
    HotspotWish(
      id: randomID(), name: namePrefix + text(of: Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"), 4),
      password: text(of: Array("abcdefghijkmnopqrstuvwxyz2345678"), passwordLength), language: language)
  }

  /// The same access point once more, so that the telephone that was there comes back by itself.
  package func again(after failure: Failure) -> HotspotWish {
    HotspotWish(id: Self.randomID(), name: name, password: password, language: language, failure: failure)
  }

  private static let namePrefix = "Layby-"
  /// Ten letters out of 32 are too many passwords to try within ten minutes, and few enough to type.
  private static let passwordLength = 10

  private static func randomID() -> String { text(of: Array("0123456789abcdef"), 16) }

  private static func text(of letters: [Character], _ count: Int) -> String {
    String((0..<count).map { _ in letters[Int(arc4random_uniform(UInt32(letters.count)))] })
  }

  /// For the camera of a telephone, which offers to join it. None of its letters has a meaning of its own there.
  package var code: String { "WIFI:T:WPA;S:\(name);P:\(password);;" }

  // MARK: The file

  package var bytes: [UInt8] {
    var members: [(String, JSON)] = [
      ("id", JSON(id)), ("name", JSON(name)), ("password", JSON(password)), ("language", JSON(language)),
    ]
    if let failure {
      members += [("network", JSON(failure.network)), ("outcome", JSON(failure.outcome.rawValue))]
    }
    return JSON.object(JSON.Object(members)).bytes
  }

  /// Root reads this file, and the player that wrote it may have been taken over. So only what this type itself writes is
  /// accepted.
  package init(parsing bytes: [UInt8]) throws(Fault) {
    let json = try JSON(parsing: bytes, limits: .init(depth: 2, size: Self.limit, values: 20))
    guard let id = json["id"]?.string, let name = json["name"]?.string, let password = json["password"]?.string,
      let language = json["language"]?.string, id.utf8.count == 16, id.utf8.allSatisfy(Self.isPlain),
      name.hasPrefix(Self.namePrefix), name.utf8.count == Self.namePrefix.utf8.count + 4,
      name.dropFirst(Self.namePrefix.count).utf8.allSatisfy(Self.isPlain), password.utf8.count == Self.passwordLength,
      password.utf8.allSatisfy(Self.isPlain), language.utf8.count == 2, language.utf8.allSatisfy(Self.isPlain)
    else { throw Fault(.malformed, "X-280", "the wish for a hotspot is not one that the player writes") }
    var failure: Failure?
    if let network = json["network"]?.string, let word = json["outcome"]?.string {
      guard let outcome = SetupOutcome(rawValue: word),
        StickSetup.Network.mistake(network, password: nil, country: nil) == nil
      else { throw Fault(.malformed, "X-280", "the wish for a hotspot names no network that there can be") }
      failure = Failure(network, outcome)
    }
    self.init(id: id, name: name, password: password, language: language, failure: failure)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
  }
}

extension HotspotWish: CustomStringConvertible, CustomDebugStringConvertible {
  /// For the log: without the password.
  package var description: String { "\(name)\(failure.map { ", after \($0.outcome.rawValue)" } ?? "")" }
  package var debugDescription: String { description }
}
