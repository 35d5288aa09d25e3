internal import CCiphers
import Runtime

/// How bytes are sealed. The number is what stands in files.
package enum CipherSuite: UInt8, CaseIterable, Sendable {
  case aes256GCM = 1
  case chaCha20Poly1305 = 2

  package static let keyLength = 32
  package static let nonceLength = 12
  package static let tagLength = 16

  /// The one that is quicker on this processor. Without instructions of its own for AES it takes several times as long as
  /// ChaCha20, as on a Raspberry Pi 3 or 4.
  package static var quickest: CipherSuite { layby_has_aes() == 1 ? .aes256GCM : .chaCha20Poly1305 }
}

/// Seals or opens many messages under one key. Whoever seals gives each message a nonce that no other has: two with the
/// same one give the key away.
///
/// For one thread at a time.
package struct AuthenticatedCipher: ~Copyable {
  package enum Direction: Int32, Sendable { case opens = 0, seals = 1 }

  private let context: UnsafeMutableRawPointer

  package init(_ suite: CipherSuite, key: borrowing Secret, _ direction: Direction) throws(Fault) {
    try OpenSSL.load()
    let made = try key.withBytes { bytes throws(Fault) -> UnsafeMutableRawPointer? in
      guard bytes.count == CipherSuite.keyLength else {
        throw Fault(.malformed, "Y-106", "a key has \(bytes.count) bytes; expected \(CipherSuite.keyLength)")
      }
      return layby_aead_new(
        Int32(suite.rawValue), bytes.assumingMemoryBound(to: UInt8.self).baseAddress, direction.rawValue)
    }
    guard let made else { throw Self.failed }
    context = made
  }

  deinit { layby_aead_free(context) }

  /// `sealed` has room for a tag more than `plain`. `beside` is the associated data: it is not in `sealed`,
  /// and must be the same when that is opened.
  package mutating func seal(
    _ plain: UnsafeRawBufferPointer, nonce: [UInt8], beside: [UInt8], into sealed: UnsafeMutableRawBufferPointer
  ) throws(Fault) {
    precondition(nonce.count == CipherSuite.nonceLength && sealed.count == plain.count + CipherSuite.tagLength)
    let start = sealed.assumingMemoryBound(to: UInt8.self).baseAddress
    guard layby_aead_seal(context, nonce, beside, beside.count, plain.baseAddress, plain.count, start) == 1 else {
      throw Self.failed
    }
  }

  /// False when a bit of `sealed`, `nonce` or `beside` is not what it was; then `plain` has nothing of it.
  package mutating func open(
    _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], beside: [UInt8], into plain: UnsafeMutableRawBufferPointer
  ) -> Bool {
    precondition(nonce.count == CipherSuite.nonceLength && sealed.count == plain.count + CipherSuite.tagLength)
    let start = plain.assumingMemoryBound(to: UInt8.self).baseAddress
    return layby_aead_open(context, nonce, beside, beside.count, sealed.baseAddress, sealed.count, start) == 1
  }

  private static let failed = Fault(.passing, "Y-107", "OpenSSL could not seal or open; is there memory left?")
}
