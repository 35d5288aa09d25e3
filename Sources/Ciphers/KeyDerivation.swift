internal import CCiphers
import Runtime

/// HMAC with SHA-256: a sum that only who has the key can make.
package enum HMAC {
  static let length = 32

  package static func sum(_ bytes: [UInt8], key: borrowing Secret) throws(Fault) -> [UInt8] {
    try OpenSSL.load()
    var value = [UInt8](repeating: 0, count: length)
    try key.withBytes { key throws(Fault) in
      let isMade = bytes.withUnsafeBytes { bytes in value.withUnsafeMutableBytes { Self.sum(bytes, key, into: $0) } }
      guard isMade else { throw failed }
    }
    return value
  }

  fileprivate static func sum(
    _ bytes: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    layby_hmac_sha256(
      key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count, bytes.baseAddress, bytes.count,
      value.assumingMemoryBound(to: UInt8.self).baseAddress) == 1
  }

  fileprivate static let failed = Fault(.passing, "Y-108", "OpenSSL could not make an HMAC; is there memory left?")
}

/// HKDF of RFC 5869 with SHA-256: makes keys for different purposes of one secret. Its intermediate values
/// are `Secret`s too.
package enum HKDF {
  /// `purpose` is what the RFC calls info. At most 255 times 32 bytes.
  package static func key(
    of secret: borrowing Secret, salt: [UInt8], purpose: [UInt8], count: Int = 32
  ) throws(Fault) -> Secret {
    precondition(count > 0 && count <= 255 * HMAC.length)
    try OpenSSL.load()
    let salt = salt.isEmpty ? [UInt8](repeating: 0, count: HMAC.length) : salt
    let extracted = try Secret(count: HMAC.length) { space throws(Fault) in
      try secret.withBytes { bytes throws(Fault) in
        guard salt.withUnsafeBytes({ HMAC.sum(bytes, $0, into: space) }) else { throw HMAC.failed }
      }
    }
    let blocks = (count + HMAC.length - 1) / HMAC.length
    let all = try Secret(count: blocks * HMAC.length) { space throws(Fault) in
      try extracted.withBytes { key throws(Fault) in
        for number in 0..<blocks {
          let last = number == 0 ? 0..<0 : (number - 1) * HMAC.length..<number * HMAC.length
          let input = try Secret(count: last.count + purpose.count + 1) { input in
            input.copyMemory(from: UnsafeRawBufferPointer(rebasing: space[last]))
            UnsafeMutableRawBufferPointer(rebasing: input[last.count...]).copyBytes(from: purpose + [UInt8(number + 1)])
          }
          let block = UnsafeMutableRawBufferPointer(rebasing: space[number * HMAC.length..<(number + 1) * HMAC.length])
          let isMade = try input.withBytes { HMAC.sum($0, key, into: block) }
          guard isMade else { throw HMAC.failed }
        }
      }
    }
    return try Secret(count: count) { space throws(Fault) in
      try all.withBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
