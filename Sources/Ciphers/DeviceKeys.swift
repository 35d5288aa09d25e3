internal import CCiphers
import Runtime

/// Ed25519: says who has written something.
package struct SigningKey: ~Copyable, Sendable {
  private let seed: Secret
  package let publicKey: PublicKey

  package init(seed: consuming Secret) throws(Fault) {
    try OpenSSL.load()
    publicKey = PublicKey(try KeyBytes.publicKey(of: seed) { layby_ed25519_public($0, $1) })
    self.seed = seed
  }

  package static func made() throws(Fault) -> SigningKey { try SigningKey(seed: Secret.random(32)) }

  package func signature(of bytes: [UInt8]) throws(Fault) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: PublicKey.signatureLength)
    let isDone = try seed.withBytes { seed in
      layby_ed25519_sign(seed.assumingMemoryBound(to: UInt8.self).baseAddress, bytes, bytes.count, &signature) == 1
    }
    guard isDone else { throw KeyBytes.failed }
    return signature
  }

  /// The other half of it, which everybody may have.
  package struct PublicKey: Hashable, Sendable {
    package static let length = 32
    package static let signatureLength = 64

    package let bytes: [UInt8]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init?(bytes: some Collection<UInt8>) {
      guard bytes.count == Self.length else { return nil }
      self.bytes = Array(bytes)
    }

    package func verifies(_ signature: [UInt8], of bytes: [UInt8]) throws(Fault) -> Bool {
      try OpenSSL.load()
      guard signature.count == Self.signatureLength else { return false }
      return layby_ed25519_verify(self.bytes, bytes, bytes.count, signature) == 1
    }
  }
}

/// X25519: two that have never met agree on a secret.
package struct AgreementKey: ~Copyable, Sendable {
  package static let publicLength = 32

  private let secret: Secret
  package let publicKey: [UInt8]

  package init(secret: consuming Secret) throws(Fault) {
    try OpenSSL.load()
    publicKey = try KeyBytes.publicKey(of: secret) { layby_x25519_public($0, $1) }
    self.secret = secret
  }

  package static func made() throws(Fault) -> AgreementKey { try AgreementKey(secret: Secret.random(32)) }

  /// The same for both sides. Refused for a key that would give the same secret with everybody.
  package func secret(with other: [UInt8]) throws(Fault) -> Secret {
    guard other.count == Self.publicLength else { throw Self.refused }
    return try Secret(count: 32) { space throws(Fault) in
      let isDone = try secret.withBytes { own in
        layby_x25519_agree(
          own.assumingMemoryBound(to: UInt8.self).baseAddress, other,
          space.assumingMemoryBound(to: UInt8.self).baseAddress) == 1
      }
      guard isDone else { throw Self.refused }
    }
  }

  private static let refused = Fault(.malformed, "Y-109", "that is no public key of X25519")
}

private enum KeyBytes {
  static let failed = Fault(.passing, "Y-110", "OpenSSL could not use a key; is there memory left?")

  static func publicKey(
    of secret: borrowing Secret, _ make: (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>) -> Int32
  ) throws(Fault) -> [UInt8] {
    try secret.withBytes { bytes throws(Fault) in
      guard bytes.count == 32 else {
        throw Fault(.malformed, "Y-111", "a key has \(bytes.count) bytes; expected 32")
      }
      var value = [UInt8](repeating: 0, count: 32)
      guard make(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, &value) == 1 else { throw failed }
      return value
    }
  }
}
