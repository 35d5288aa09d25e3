import Ciphers
import Runtime

/// A few bytes that only this device can read: nonce (12 bytes, random), what is kept, tag (16), with ChaCha20-Poly1305 and
/// bound to what it is for.
enum SealedNote {
  static let longest = 64 << 10
  private static let suite = CipherSuite.chaCha20Poly1305

  static func seal(_ bytes: [UInt8], for subject: String, by key: borrowing Secret) throws(Fault) -> [UInt8] {
    var cipher = try AuthenticatedCipher(suite, key: key, .seals)
    let nonce = randomBytes(CipherSuite.nonceLength)
    var sealed = [UInt8](repeating: 0, count: bytes.count + CipherSuite.tagLength)
    let result = sealed.withUnsafeMutableBytes { space in
      bytes.withUnsafeBytes { bytes in
        Result { () throws(Fault) in
          try cipher.seal(bytes, nonce: nonce, beside: Array(subject.utf8), into: space)
        }
      }
    }
    try result.get()
    return nonce + sealed
  }

  static func open(_ sealed: [UInt8], for subject: String, by key: borrowing Secret) throws(Fault) -> [UInt8] {
    guard sealed.count >= CipherSuite.nonceLength + CipherSuite.tagLength else { throw foreign }
    var cipher = try AuthenticatedCipher(suite, key: key, .opens)
    let nonce = Array(sealed[..<CipherSuite.nonceLength])
    let rest = sealed[CipherSuite.nonceLength...]
    var bytes = [UInt8](repeating: 0, count: rest.count - CipherSuite.tagLength)
    let isOpen = bytes.withUnsafeMutableBytes { space in
      rest.withUnsafeBytes { cipher.open($0, nonce: nonce, beside: Array(subject.utf8), into: space) }
    }
    guard isOpen else { throw foreign }
    return bytes
  }

  private static let foreign = Fault(.damaged, "E-129", "what was kept of a sign-in is not this device's; sign in anew")
}
