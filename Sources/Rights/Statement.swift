import Ciphers
import Runtime
import Seals

/// What a service says of this device's account: whether its subscription goes on, and what is taken back. Signed for one
/// device and numbered, so that an older one never takes the place of a newer.
///
///     {"device": "...", "number": 12, "iat": 1790000000, "subscription": "lapsed", "grace_until": 1791000000,
///      "region": "DE", "revoked": {"device": "reason", "licences": [{"id": "an-album", "why": "reason"}],
///      "tracks": [{"kid": "...", "why": "reason"}]}}
///
/// All but the first three may be left out.
package struct Statement: Sendable {
  package enum Subscription: String, Sendable {
    case active
    /// Not paid. It goes on until the grace is over.
    case lapsed
    /// Ended: what was kept for it is removed.
    case cancelled
    /// An account without a subscription, as one that is cancelled.
    case free
  }

  package let device: String
  package let number: Int64
  package let issued: Int64
  package let subscription: Subscription?
  /// Until when a lapsed subscription still plays.
  package let graceEnds: Int64?
  /// Where the account is at home, such as `DE`.
  package let region: String?
  /// Why the device itself is refused.
  let revokedDevice: String?
  private let licences: [ExactText: String]
  private let tracks: [KeyID: String]

  package static let mostRevoked = 5_000
  private static let longestReason = 200

  init(_ body: JSON) throws(Fault) {
    guard let device = body["device"]?.string, let number = body["number"]?.whole, number > 0,
      let issued = body["iat"]?.whole, HonestClock.possible.contains(issued)
    else { throw Self.wrong("\"device\", \"number\" and \"iat\" must be there") }
    (self.device, self.number, self.issued) = (device, number, issued)
    if let word = body["subscription"], !word.isNull {
      guard let known = word.string.flatMap(Subscription.init(rawValue:)) else {
        throw Self.wrong("\"subscription\" must be active, lapsed, cancelled or free")
      }
      subscription = known
    } else {
      subscription = nil
    }
    graceEnds = try Self.time(body["grace_until"])
    region = body["region"]?.string.map(shownBriefly)
    let revoked = body["revoked"]
    revokedDevice = revoked?["device"]?.string.map(Self.reason)
    let (licences, tracks) = (revoked?["licences"]?.items ?? [], revoked?["tracks"]?.items ?? [])
    guard licences.count <= Self.mostRevoked, tracks.count <= Self.mostRevoked else {
      throw Self.wrong("at most \(Self.mostRevoked) are taken back at once")
    }
    let reasons = revoked?["reasons"]?.items ?? []
    func reason(_ said: JSON?) -> String {
      // A place in the list of reasons, or the reason itself.
      let listed = said?.whole.flatMap { Int(exactly: $0) }.flatMap { reasons.indices.contains($0) ? reasons[$0] : nil }
      return Self.reason((listed ?? said)?.string ?? "")
    }
    var byID: [ExactText: String] = [:]
    for one in licences {
      guard let id = one["id"]?.string else { throw Self.wrong("a licence that is taken back needs \"id\"") }
      byID[ExactText(id)] = reason(one["why"])
    }
    var byKey: [KeyID: String] = [:]
    for one in tracks {
      guard let key = one["kid"]?.string.flatMap(KeyID.init(text:)) else {
        throw Self.wrong("a track that is taken back needs \"kid\" with \(KeyID.length) bytes")
      }
      byKey[key] = reason(one["why"])
    }
    (self.licences, self.tracks) = (byID, byKey)
  }

  /// Why a licence is taken back; nil when it is not.
  func revocation(ofLicence id: String) -> String? { licences[ExactText(id)] }
  func revocation(of key: KeyID) -> String? { tracks[key] }

  /// Letters may have accents without end; so it is signs that are counted.
  private static func reason(_ text: String) -> String {
    String(String.UnicodeScalarView(shownPlain(text).unicodeScalars.prefix(longestReason)))
  }

  private static func time(_ value: JSON?) throws(Fault) -> Int64? {
    guard let value, !value.isNull else { return nil }
    guard let time = value.whole, HonestClock.possible.contains(time) else {
      throw wrong("\"grace_until\" must be a time in seconds")
    }
    return time
  }

  private static func wrong(_ mistake: String) -> Fault { Fault(.malformed, "E-131", "a statement: \(mistake)") }
}
