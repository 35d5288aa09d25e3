import Ciphers
import Runtime

/// Who this device is to services. Its keys are derived from a random secret, which is kept in a file, and from numbers that
/// are read from the board at each start: with the same file another board is another device.
package struct DeviceIdentity: ~Copyable, Sendable {
  package static let secretLength = 32

  let agreement: AgreementKey
  let signing: SigningKey
  /// What this device keeps of the time is summed up with it, so that nobody else can write that.
  let clockKey: Secret
  /// A sum over its public keys; licences name it.
  package let name: String
  /// What it shows to a service.
  package let card: JSON

  /// `board` holds what the board says of itself: where, and the numbers that were burnt into its parts.
  package init(_ secret: borrowing Secret, board: [[UInt8]]) throws(Fault) {
    let salt = try Self.sum(board.flatMap { [UInt8](repeating: 0, count: 1) + $0 })
    let signing = try SigningKey(seed: HKDF.key(of: secret, salt: salt, purpose: Array("layby device signs 1".utf8)))
    let agreement = try AgreementKey(
      secret: HKDF.key(of: secret, salt: salt, purpose: Array("layby device agrees 1".utf8)))
    let (signs, agrees) = (signing.publicKey.bytes, agreement.publicKey)
    let name = try Self.name(signs, agrees)
    let clockKey = try HKDF.key(of: secret, salt: salt, purpose: Array("layby device clock 1".utf8))
    card = [
      "layby_device": 1, "device": JSON(name), "signs": JSON(Base64.encodeURL(signs)),
      "agrees": JSON(Base64.encodeURL(agrees)),
    ]
    self.name = name
    self.agreement = agreement
    self.signing = signing
    self.clockKey = clockKey
  }

  static func name(_ signs: [UInt8], _ agrees: [UInt8]) throws(Fault) -> String {
    Base64.encodeURL(try sum(Array("layby device 1".utf8) + signs + agrees))
  }

  private static func sum(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    var sum = try SHA256()
    sum.add(bytes)
    return try sum.value().bytes
  }
}

/// What a service needs to know of a device.
package struct DeviceCard: Sendable {
  package let name: String
  package let agrees: [UInt8]

  package init(_ json: JSON) throws(Fault) {
    // The name is a sum of the rest: nobody shows somebody else's with keys of their own.
    guard json["layby_device"]?.whole == 1, let name = json["device"]?.string,
      let signs = json["signs"]?.string.flatMap(Base64.decodeURL),
      let agrees = json["agrees"]?.string.flatMap(Base64.decodeURL), agrees.count == AgreementKey.publicLength,
      ExactText(try DeviceIdentity.name(signs, agrees)) == ExactText(name)
    else {
      throw Fault(.malformed, "E-140", "that is no device; expected what layby rights device prints")
    }
    (self.name, self.agrees) = (name, agrees)
  }
}
