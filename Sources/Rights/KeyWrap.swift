import Ciphers
import Runtime
import Seals

/// Keys under keys. A licence's master key is sealed for one device; the content keys of its tracks are sealed with the
/// master key. The cipher is ChaCha20-Poly1305.
///
///     for a device: ephemeral X25519 key (32 bytes), master key (32), tag (16)
///                   sealed with HKDF-SHA-256(shared secret, salt = ephemeral key + device's key, "layby master key 1")
///                   and the nonce 0, since that key is used once; bound to the service's root key and the terms, so that
///                   nobody else can put other terms around it
///     content key:  nonce (12 bytes, random), content key (32), tag (16); bound to its id
package enum KeyWrap {
  static let deviceLength = AgreementKey.publicLength + CipherSuite.keyLength + CipherSuite.tagLength
  static let contentLength = CipherSuite.nonceLength + CipherSuite.keyLength + CipherSuite.tagLength

  private static let suite = CipherSuite.chaCha20Poly1305
  private static let onceNonce = [UInt8](repeating: 0, count: CipherSuite.nonceLength)

  /// What a master key is bound to: the root key, and "ID\nSERIAL\nIAT\nEXP", with "-" for no end.
  package static func terms(
    _ id: String, serial: Int64, issued: Int64, ends: Int64?, root: SigningKey.PublicKey
  ) -> [UInt8] {
    root.bytes + Array("\(id)\n\(serial)\n\(issued)\n\(ends.map { "\($0)" } ?? "-")".utf8)
  }

  package static func wrap(
    master: borrowing Secret, for device: [UInt8], terms: [UInt8]
  ) throws(Fault) -> [UInt8] {
    let ephemeral = try AgreementKey.made()
    let key = try key(try ephemeral.secret(with: device), ephemeral.publicKey, device)
    return ephemeral.publicKey + (try seal(master, key, onceNonce, bound: terms))
  }

  static func master(
    _ wrapped: [UInt8], by device: borrowing AgreementKey, terms: [UInt8]
  ) throws(Fault) -> Secret {
    guard wrapped.count == deviceLength else { throw refused }
    let ephemeral = Array(wrapped[..<AgreementKey.publicLength])
    let key = try key(try device.secret(with: ephemeral), ephemeral, device.publicKey)
    return try open(wrapped[AgreementKey.publicLength...], key, onceNonce, bound: terms)
  }

  package static func wrap(content: borrowing Secret, _ id: KeyID, with master: borrowing Secret) throws(Fault)
    -> [UInt8]
  {
    let nonce = randomBytes(CipherSuite.nonceLength)
    return nonce + (try seal(content, master, nonce, bound: id.bytes))
  }

  static func content(_ wrapped: [UInt8], _ id: KeyID, with master: borrowing Secret) throws(Fault) -> Secret {
    guard wrapped.count == contentLength else { throw refused }
    let nonce = Array(wrapped[..<CipherSuite.nonceLength])
    return try open(wrapped[CipherSuite.nonceLength...], master, nonce, bound: id.bytes)
  }

  private static func key(
    _ shared: consuming Secret, _ ephemeral: [UInt8], _ device: [UInt8]
  ) throws(Fault) -> Secret {
    try HKDF.key(of: shared, salt: ephemeral + device, purpose: Array("layby master key 1".utf8))
  }

  private static func seal(
    _ secret: borrowing Secret, _ key: borrowing Secret, _ nonce: [UInt8], bound: [UInt8]
  ) throws(Fault) -> [UInt8] {
    var cipher = try AuthenticatedCipher(suite, key: key, .seals)
    var sealed = [UInt8](repeating: 0, count: CipherSuite.keyLength + CipherSuite.tagLength)
    try secret.withBytes { bytes throws(Fault) in
      let result = sealed.withUnsafeMutableBytes { space in
        Result { () throws(Fault) in try cipher.seal(bytes, nonce: nonce, beside: bound, into: space) }
      }
      try result.get()
    }
    return sealed
  }

  private static func open(
    _ sealed: ArraySlice<UInt8>, _ key: borrowing Secret, _ nonce: [UInt8], bound: [UInt8]
  ) throws(Fault) -> Secret {
    var cipher = try AuthenticatedCipher(suite, key: key, .opens)
    return try Secret(count: CipherSuite.keyLength) { space throws(Fault) in
      guard sealed.withUnsafeBytes({ cipher.open($0, nonce: nonce, beside: bound, into: space) }) else { throw refused }
    }
  }

  private static let refused = Fault(.denied, "E-125", "a key in a licence does not open; the licence is fetched anew")
}
