internal import CCiphers
import Runtime

/// HMAC with SHA-256: a sum that only who has the key can make.
enum HMAC {
  static func sum(_ bytes: [UInt8], key: borrowing Secret) throws(Fault) -> [UInt8] {
    try OpenSSL.load()
    return try key.withBytes { secret throws(Fault) in
      var value = [UInt8](repeating: 0, count: 32)
      guard Self.sum(bytes, secret, &value) else { throw failed }
      return value
    }
  }

  fileprivate static func sum(_ bytes: [UInt8], _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]) -> Bool {
    layby_hmac_sha256(key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count, bytes, bytes.count, &value) == 1
  }

  fileprivate static let failed = Fault(.passing, "Y-108", "OpenSSL could not make an HMAC; is there memory left?")
}

/// HKDF of RFC 5869 with SHA-256: makes keys for different purposes of one secret.
package enum HKDF {
  /// `purpose` is what the RFC calls info. At most 255 times 32 bytes.
  package static func key(
    of secret: borrowing Secret, salt: [UInt8], purpose: [UInt8], count: Int = 32
  ) throws(Fault) -> Secret {
    precondition(count > 0 && count <= 255 * 32)
    try OpenSSL.load()
    // The salt is the key here, and it is public.
    var publicSalt = salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt
    let salted = try Secret(taking: &publicSalt)
    let extracted = try secret.withBytes { bytes throws(Fault) -> [UInt8] in
      try HMAC.sum(Array(bytes), key: salted)
    }
    var taken = extracted
    let inner = try Secret(taking: &taken)
    return try Secret(count: count) { space throws(Fault) in
      var last: [UInt8] = []
      var filled = 0
      var number: UInt8 = 1
      while filled < count {
        last = try HMAC.sum(last + purpose + [number], key: inner)
        let piece = last.prefix(count - filled)
        UnsafeMutableRawBufferPointer(rebasing: space[filled..<filled + piece.count]).copyBytes(from: piece)
        filled += piece.count
        number &+= 1
      }
    }
  }
}
