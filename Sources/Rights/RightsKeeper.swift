import Ciphers
import Runtime
import Seals

/// Who keeps this device's keys and licences, and decides what may be played: `DeviceRights` in the player's own process,
/// or the program layby-keys, which `KeysClient` asks.
///
/// What is marked `@MainLoop` is asked there and waits without blocking it. The rest blocks the thread that asks, for two
/// seconds at most when the keeper is another program.
package protocol RightsKeeper: TrackKeys {
  /// The names of those that may give licences.
  var sources: [String] { get }
  /// What a service needs to know of this device.
  @MainLoop var card: JSON { get async throws(Fault) }
  /// Licences for this device name it so.
  @MainLoop var name: String { get async throws(Fault) }
  @MainLoop var time: HonestClock.Time { get async throws(Fault) }
  @MainLoop var standing: KeeperStanding { get async throws(Fault) }
  @MainLoop func lines() async throws(Fault) -> [DeviceRights.Line]

  /// Takes over what a source gives, and says how many licences are new.
  func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Int
  func keepClock() throws(Fault)
  /// From now on this is another device, for services too.
  func rotate() throws(Fault)
  /// Says to a service that a request comes from this device.
  func proof(of request: ProvenRequest) throws(Fault) -> String
}

/// Where the keys are, and what they are bound to.
package struct KeeperStanding: Equatable, Sendable {
  /// They are in a process of their own.
  package var isBroker: Bool
  /// A TPM seals what they come from.
  package let hasTPM: Bool
  /// The files in which the board says its numbers.
  package let boundTo: [FilePath]

  package init(isBroker: Bool, hasTPM: Bool, boundTo: [FilePath]) {
    (self.isBroker, self.hasTPM, self.boundTo) = (isBroker, hasTPM, boundTo)
  }

  /// For people: where they are, and what that is worth.
  package var place: String {
    isBroker
      ? "the keys are in a program of their own, layby-keys: a hole in the player does not open them"
      : "the keys are in the player's own process: a hole in the player opens them"
  }

  package var binding: String {
    let numbers = boundTo.map(\.description).joined(separator: ", ")
    if hasTPM {
      return "the keys are bound to this board's TPM" + (numbers.isEmpty ? "" : " and its numbers (\(numbers))")
        + ": a copy of the card opens nothing elsewhere, and one that is put back is noticed"
    }
    return numbers.isEmpty
      ? "the keys are bound to their file alone, and not to this board: who copies it has them"
      : "the keys are bound to this board (\(numbers)): a copy of the card opens nothing on a board with other numbers"
  }
}

/// What people and programs are told of a licence; nothing with which anything opens.
package struct LicenceFacts: Equatable, Sendable {
  package let id: String
  package let serial: Int64
  package let title: String
  package let ends: Int64?
  /// How many there are.
  package let tracks: Int

  init(_ licence: Licence) {
    (id, serial, title) = (licence.id, licence.serial, licence.title)
    (ends, tracks) = (licence.ends, licence.keys.count)
  }

  init(id: String, serial: Int64, title: String, ends: Int64?, tracks: Int) {
    (self.id, self.serial, self.title, self.ends, self.tracks) = (id, serial, title, ends, tracks)
  }
}

/// A request to a service that is to be proven. It is all that a device signs: nobody gets a signature under bytes of
/// their own.
package struct ProvenRequest: Equatable, Sendable {
  package let method: String
  package let address: String
  package let token: String?
  package let nonce: String?

  /// Refused for what is no request over HTTP.
  package init(_ method: String, _ address: String, token: String?, nonce: String?) throws(Fault) {
    let isMethod = (1...16).contains(method.utf8.count) && method.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    let isAddress =
      address.utf8.count <= 2_048 && (address.hasPrefix("https://") || address.hasPrefix("http://"))
      && Self.isVisible(address)
    let isToken = token.map { (1...4_096).contains($0.utf8.count) && Self.isVisible($0) } ?? true
    let isNonce = nonce.map { (1...512).contains($0.utf8.count) && Self.isVisible($0) } ?? true
    guard isMethod, isAddress, isToken, isNonce else {
      throw Fault(
        .malformed, "E-186", "only a request over HTTP is signed; expected its method, address, token and nonce")
    }
    (self.method, self.address, self.token, self.nonce) = (method, address, token, nonce)
  }

  private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
