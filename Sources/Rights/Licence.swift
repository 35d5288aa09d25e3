import Ciphers
import Runtime
import Seals

/// What a device may do with some tracks, and the keys for it. Its service signs it.
///
///     {"id": "an-album", "serial": 7, "device": "...", "title": "Elsewhere", "iat": 1790000000, "exp": 1792592000,
///      "warn_days": 7, "master": "...", "keys": [{"kid": "...", "key": "..."}]}
///
/// Without `exp` it holds for good. Bytes are base64url, times are seconds of 1970.
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
  private let master: [UInt8]
  private let wrapped: [KeyID: [UInt8]]

  package static let mostKeys = 1_000
  static let day: Int64 = 86_400

  init(_ body: JSON) throws(Fault) {
    guard let id = body["id"]?.string, let serial = body["serial"]?.whole, let device = body["device"]?.string,
      let issued = body["iat"]?.whole, serial > 0, HonestClock.known.contains(issued)
    else { throw Self.wrong("\"id\", \"serial\", \"device\" and \"iat\" must be there") }
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
      guard let time = ends.whole, time > issued, HonestClock.known.contains(time) else {
        throw Self.wrong("\"exp\" must be a time after \"iat\"")
      }
      self.ends = time
    } else {
      ends = nil
    }
    let warnDays = body["warn_days"]?.whole ?? 7
    guard (0...365).contains(warnDays) else { throw Self.wrong("\"warn_days\" must be 0 to 365") }
    (self.id, self.serial, self.device, self.issued, self.warnDays) = (id, serial, device, issued, warnDays)
    title = body["title"]?.string.map(shownBriefly) ?? id
    (self.master, self.wrapped) = (master, wrapped)
  }

  package var keys: some Collection<KeyID> { wrapped.keys }

  /// `device` is the one that the licence is for, and `root` the root key of its source.
  func contentKey(
    _ id: KeyID, by device: borrowing AgreementKey, root: SigningKey.PublicKey
  ) throws(Fault) -> Secret? {
    guard let key = wrapped[id] else { return nil }
    let terms = KeyWrap.terms(self.id, serial: serial, issued: issued, ends: ends, root: root)
    return try KeyWrap.content(key, id, with: try KeyWrap.master(master, by: device, terms: terms))
  }

  private static func wrong(_ mistake: String) -> Fault { Fault(.malformed, "E-130", "a licence: \(mistake)") }
}

/// Whether a licence lets its tracks be played. One pure rule, and every reason has words for people.
package enum Verdict: Equatable, Sendable {
  case plays(days: Int64?)
  /// It plays, and says that it will end.
  case endsSoon(days: Int64)
  case ended(at: Int64)
  case otherDevice
  /// What was known of the time is lost, and no time server has been there since.
  case timeLost
  /// It was issued later than it is now: the clock is wrong.
  case notYet

  /// `now`: nil when nothing is known of the time.
  package init(_ licence: Licence, on device: String, at now: Int64?) {
    guard ExactText(licence.device) == ExactText(device) else {
      self = .otherDevice
      return
    }
    guard let now else {
      self = .timeLost
      return
    }
    if licence.issued > now + Licence.day {
      self = .notYet
    } else if let ends = licence.ends {
      let days = (ends - now + Licence.day - 1) / Licence.day
      self = now >= ends ? .ended(at: ends) : days <= licence.warnDays ? .endsSoon(days: days) : .plays(days: days)
    } else {
      self = .plays(days: nil)
    }
  }

  package var mayPlay: Bool {
    switch self {
    case .plays, .endsSoon: true
    case .ended, .otherDevice, .timeLost, .notYet: false
    }
  }
}
