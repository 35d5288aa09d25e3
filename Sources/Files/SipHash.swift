/// SipHash-2-4 with 128 bits of result: small, fast, and even over everything that files hold. It tells recordings
/// apart; nobody's trust rests on it.
package struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// Bytes that make no word yet, the first lowest.
  private var tail: UInt64 = 0
  private var length = 0

  package init(_ key: (UInt64, UInt64)) {
    v0 = 0x736F_6D65_7073_6575 ^ key.0
    v1 = 0x646F_7261_6E64_6F6D ^ key.1 ^ 0xEE
    v2 = 0x6C79_6765_6E65_7261 ^ key.0
    v3 = 0x7465_6462_7974_6573 ^ key.1
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var at = 0
    while at < bytes.count {
      if length & 7 == 0, bytes.count - at >= 8 {
        take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
        at += 8
        length += 8
        continue
      }
      tail |= UInt64(bytes[at]) << UInt64(8 * (length & 7))
      at += 1
      length += 1
      if length & 7 == 0 {
        take(tail)
        tail = 0
      }
    }
  }

  package mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }

  package consuming func finish() -> (UInt64, UInt64) {
    take(tail | UInt64(truncatingIfNeeded: length) << 56)
    v2 ^= 0xEE
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xDD
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func take(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  @inline(__always) private mutating func round() {
    v0 = v0 &+ v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 = v2 &+ v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 = v0 &+ v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 = v2 &+ v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }
}
