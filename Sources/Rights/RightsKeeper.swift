import Ciphers
import Runtime
import Seals

/// Keeps this device's keys and licences, and decides what may be played: `DeviceRights` in the player's own process, or
/// the program layby-keys, which `KeysClient` asks.
///
/// Whoever asks may have to wait: for a disk, or for the other program (`KeysClient` says how long). The main loop asks
/// by `asked`.
package protocol RightsKeeper: TrackKeys {
  /// The names of those that may give licences.
  var sources: [String] { get }
  /// Where the main loop has it asked; nil when it answers at once.
  var waiting: EventLoop? { get }

  /// What a service needs to know of this device.
  var card: JSON { get throws(Fault) }
  /// Licences for this device name it so.
  var name: String { get throws(Fault) }
  var standing: KeeperStanding { get throws(Fault) }
  /// By what is known here and what the service of `source` has signed; without one, by what is known here alone.
  func time(of source: String?) throws(Fault) -> HonestClock.Time
  func lines() throws(Fault) -> [DeviceRights.Line]
  /// What each source has said of this device's account.
  func accounts() throws(Fault) -> [DeviceRights.Account]
  /// What is to be removed from this device, and why. What only waits is not among it, and neither is what another licence
  /// still plays.
  func forfeits() throws(Fault) -> [DeviceRights.Forfeit]
  /// Those of `keys` whose tracks may be played now.
  func playable(_ keys: [KeyID]) throws(Fault) -> Set<KeyID>

  /// Takes over what a source gives, and says what is new.
  func take(_ bytes: [UInt8], from source: String) throws(Fault) -> DeviceRights.Taken
  /// Somebody has signed this device out of a source: its licences go, and what it has said of the account.
  func forget(_ source: String) throws(Fault)
  func keepClock() throws(Fault)
  /// From now on this is another device, for services too.
  func rotate() throws(Fault)

  /// A question to a service for the time: its answer counts for this question only, and soon.
  func timeQuestion() throws(Fault) -> [UInt8]
  /// `keys`: the list of keys of the source, as it gives it.
  func take(time text: String, _ keys: String, for question: [UInt8], from source: String) throws(Fault)

  /// Says to a service that a request comes from this device.
  func proof(of request: ProvenRequest) throws(Fault) -> String
  /// What was kept of the sign-in to a source; nil when there is none.
  func session(of source: String) throws(Fault) -> [UInt8]?
  /// Nil: this device is signed out. When it returns, a power cut does not forget it.
  func keep(session: [UInt8]?, of source: String) throws(Fault)
}

extension RightsKeeper {
  /// For the main loop, which goes on until the answer is there.
  @MainLoop
  package func asked<Answer: Sendable>(
    _ question: @escaping @Sendable (any RightsKeeper) throws(Fault) -> Answer
  ) async throws(Fault) -> Answer {
    guard let waiting else { return try question(self) }
    try waiting.startOnce(priority: .normal)
    let keeper: any RightsKeeper = self
    let answer = await waiting.perform { Result { () throws(Fault) in try question(keeper) } }
    return try answer.get()
  }
}

/// Where the keys are, and what they are bound to.
package struct KeeperStanding: Equatable, Sendable {
  /// They are in a process of their own.
  package let isBroker: Bool
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
      let more = numbers.isEmpty ? "" : " and its numbers (\(numbers))"
      return
        "the keys are bound to this board's TPM\(more): a copy of the card opens nothing elsewhere, and one that is"
        + " put back is noticed"
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
  package let issued: Int64
  package let ends: Int64?
  /// How many there are.
  package let tracks: Int
  /// The best that it is for, as an index calls it; nil when it is for all there is.
  package let quality: String?

  init(_ licence: Licence) {
    (id, serial, title, quality) = (licence.id, licence.serial, licence.title, licence.quality)
    (issued, ends, tracks) = (licence.issued, licence.ends, licence.keys.count)
  }

  init(id: String, serial: Int64, title: String, issued: Int64, ends: Int64?, tracks: Int, quality: String? = nil) {
    (self.id, self.serial, self.title, self.quality) = (id, serial, title, quality)
    (self.issued, self.ends, self.tracks) = (issued, ends, tracks)
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
