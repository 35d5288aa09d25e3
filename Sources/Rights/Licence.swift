import Ciphers
import Runtime
import Seals

/// What a device may do with some tracks, and the keys for it. Its service signs it.
///
///     {"id": "an-album", "serial": 7, "device": "...", "title": "Elsewhere", "iat": 1790000000, "exp": 1792592000,
///      "warn_days": 7, "master": "...", "keys": [{"kid": "...", "key": "..."}]}
///
/// Without `exp` it holds for good. Bytes are base64url, times are seconds of 1970. It may say more: `"needs":
/// "subscription"` (it holds while a statement says that there is one), `"play_days": 2` (it holds so long from when a
/// track of it was first played), `"regions": ["DE"]`, `"use": "streaming"` (it is not stored) and `"quality": "high"` (it is
/// for nothing better; `better` has the ids of better versions, for which there are no keys in it).
package struct Licence: Sendable {
  /// The same for each renewal.
  package let id: String
  /// Grows with each renewal.
  package let serial: Int64
  package let device: String
  package let title: String
  package let issued: Int64
  package let ends: Int64?
  /// It says that it will end so many days before.
  package let warnDays: Int64
  package let needsSubscription: Bool
  /// It ends so many days after a track of it was first played.
  package let playDays: Int64?
  /// Where it holds; everywhere when there are none.
  let regions: [String]
  /// It is not kept on the disk, so nothing plays by it after a start without its service.
  let isStreaming: Bool
  /// The best that it is for, as the service's index calls it; nil when it is for all there is.
  package let quality: String?
  /// The keys of versions that are better than `quality`: they are named, and not given.
  private let better: Set<KeyID>
  private let master: [UInt8]
  private let wrapped: [KeyID: [UInt8]]

  package static let mostKeys = 1_000
  package static let longestID = 1_024
  static let day: Int64 = 86_400

  init(_ body: JSON) throws(Fault) {
    guard let id = body["id"]?.string, let serial = body["serial"]?.whole, let device = body["device"]?.string,
      let issued = body["iat"]?.whole, serial > 0, HonestClock.possible.contains(issued)
    else { throw Self.wrong("\"id\", \"serial\", \"device\" and \"iat\" must be there") }
    guard (1...Self.longestID).contains(id.utf8.count), id.unicodeScalars.allSatisfy(isPlain) else {
      throw Self.wrong("\"id\" must have 1 to \(Self.longestID) bytes, and no control characters")
    }
    guard let master = body["master"]?.string.flatMap(Base64.decodeURL), master.count == KeyWrap.deviceLength else {
      throw Self.wrong("\"master\" must have \(KeyWrap.deviceLength) bytes")
    }
    guard let keys = body["keys"]?.items, keys.count <= Self.mostKeys else {
      throw Self.wrong("\"keys\" must be a list of at most \(Self.mostKeys)")
    }
    var wrapped: [KeyID: [UInt8]] = [:]
    for key in keys {
      guard let id = key["kid"]?.string.flatMap(KeyID.init(text:)),
        let bytes = key["key"]?.string.flatMap(Base64.decodeURL), bytes.count == KeyWrap.contentLength
      else { throw Self.wrong("each key needs \"kid\" with 16 bytes and \"key\" with \(KeyWrap.contentLength)") }
      wrapped[id] = bytes
    }
    if let ends = body["exp"], !ends.isNull {
      // 0 is no time at which anything could end, and not for good either.
      guard let time = ends.whole, time > issued, HonestClock.possible.contains(time) else {
        throw Self.wrong("\"exp\" must be a time after \"iat\"")
      }
      self.ends = time
    } else {
      ends = nil
    }
    let warnDays = body["warn_days"]?.whole ?? 7
    guard (0...365).contains(warnDays) else { throw Self.wrong("\"warn_days\" must be 0 to 365") }
    (self.id, self.serial, self.device, self.issued, self.warnDays) = (id, serial, device, issued, warnDays)
    needsSubscription = try Self.isSaid(body["needs"], "subscription", "\"needs\"")
    isStreaming = try Self.isSaid(body["use"], "streaming", "\"use\"")
    playDays = try Self.playDays(body["play_days"])
    let regions = body["regions"]?.items ?? []
    self.regions = regions.compactMap(\.string).filter { $0.utf8.count <= 8 }
    guard self.regions.count == regions.count, regions.count <= 300 else {
      throw Self.wrong("\"regions\" must be a list of short texts")
    }
    (quality, better) = try Self.limit(body)
    title = shownBriefly(body["title"]?.string ?? id)
    (self.master, self.wrapped) = (master, wrapped)
  }

  package var keys: some Collection<KeyID> { wrapped.keys }

  /// Whether it allows less, in any way, than the licence whose place it takes.
  func allowsLess(than other: Licence) -> Bool {
    let isShorter = ends.map { $0 < other.ends ?? .max } ?? false
    let isPlayedSooner = playDays.map { $0 < other.playDays ?? .max } ?? false
    let isNarrower = regions != other.regions && !regions.isEmpty
    return isShorter || isPlayedSooner || isNarrower || isStreaming && !other.isStreaming
      || needsSubscription && !other.needsSubscription || other.wrapped.keys.contains { wrapped[$0] == nil }
  }

  func isLiving(at now: Int64) -> Bool { ends.map { $0 > now } ?? true }

  /// How many keys it names, those that it does not give too.
  var namedCount: Int { wrapped.count + better.count }

  /// Whether it says of this track that it may be played, or that it may not.
  func speaks(of id: KeyID) -> Bool { wrapped[id] != nil || better.contains(id) }

  /// Why a track is refused for its quality; nil when it is not.
  func refusal(ofQuality id: KeyID) -> Fault? {
    guard let quality, wrapped[id] == nil, better.contains(id) else { return nil }
    return Verdict.refusal(of: title, betterThan: quality)
  }

  /// `device` is the one that the licence is for, and `root` the root key of its source.
  func contentKey(
    _ id: KeyID, by device: borrowing AgreementKey, root: SigningKey.PublicKey
  ) throws(Fault) -> Secret? {
    guard let key = wrapped[id] else { return nil }
    let terms = KeyWrap.terms(self.id, serial: serial, issued: issued, ends: ends, root: root)
    return try KeyWrap.content(key, id, with: try KeyWrap.master(master, by: device, terms: terms))
  }

  /// What demands something that is not known here is refused, and not taken for free of it.
  private static func isSaid(_ value: JSON?, _ word: String, _ name: String) throws(Fault) -> Bool {
    guard let value, !value.isNull else { return false }
    guard value.string == word else {
      throw wrong("\(name) is not known here unless it is \(word); this needs an update")
    }
    return true
  }

  private static func limit(_ body: JSON) throws(Fault) -> (quality: String?, better: Set<KeyID>) {
    guard let value = body["quality"], !value.isNull else { return (nil, []) }
    let isName =
      value.string.map { $0.utf8.allSatisfy { byte in (0x61...0x7A).contains(byte) || byte == 0x5F } } ?? false
    guard isName, let name = value.string, (1...20).contains(name.utf8.count) else {
      throw wrong("\"quality\" must be a name, such as high or very_high")
    }
    let listed = body["better"]?.items ?? []
    let ids = listed.compactMap { $0.string.flatMap(KeyID.init(text:)) }
    guard ids.count == listed.count, ids.count <= mostKeys else {
      throw wrong("\"better\" must be a list of at most \(mostKeys) ids of keys")
    }
    return (name, Set(ids))
  }

  private static func playDays(_ value: JSON?) throws(Fault) -> Int64? {
    guard let value, !value.isNull else { return nil }
    guard let days = value.whole, (1...3_650).contains(days) else { throw wrong("\"play_days\" must be 1 to 3650") }
    return days
  }

  private static func wrong(_ mistake: String) -> Fault { Fault(.malformed, "E-130", "a licence: \(mistake)") }
}
