/// The key of a locked wireless network, as WPA makes it of password and name: PBKDF2 with HMAC-SHA-1, 4,096 rounds.
/// Made here, and not by wpa_supplicant, because 64 hexadecimal digits mean the same to every reader of its file, and
/// a password in quotes does not.
enum NetworkKey {
  private static let rounds = 4_096
  static let length = 32

  static func made(of password: [UInt8], for name: [UInt8]) -> [UInt8] {
    let mac = KeyedSHA1(key: password)
    var key: [UInt8] = []
    var block: UInt32 = 0
    while key.count < length {
      block += 1
      let number = (0..<4).map { UInt8(truncatingIfNeeded: block >> (24 - 8 * UInt32($0))) }
      var round = mac.sum(of: name + number)
      var all = round
      for _ in 1..<rounds {
        round = mac.sum(of: round)
        for index in all.indices { all[index] ^= round[index] }
      }
      key += all
    }
    return Array(key.prefix(length))
  }
}

/// HMAC with SHA-1.
struct KeyedSHA1 {
  private let inner: SHA1
  private let outer: SHA1

  init(key: [UInt8]) {
    let short = key.count > 64 ? SHA1().finished(with: key[...]) : key
    let whole = short + [UInt8](repeating: 0, count: 64 - short.count)
    var (inner, outer) = (SHA1(), SHA1())
    inner.take(block: whole.map { $0 ^ 0x36 }[...])
    outer.take(block: whole.map { $0 ^ 0x5C }[...])
    self.inner = inner
    self.outer = outer
  }

  func sum(of bytes: [UInt8]) -> [UInt8] { outer.finished(with: inner.finished(with: bytes[...])[...]) }
}

/// SHA-1, which is broken for signatures and prescribed here.
struct SHA1 {
  private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
  private var length: UInt64 = 0

  /// 64 bytes.
  mutating func take(block: ArraySlice<UInt8>) {
    length += 64
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { mix(block, $0) }
  }

  private mutating func mix(_ block: ArraySlice<UInt8>, _ words: UnsafeMutableBufferPointer<UInt32>) {
    words.initialize(repeating: 0)
    for (index, byte) in block.enumerated() { words[index / 4] |= UInt32(byte) << (24 - 8 * UInt32(index % 4)) }
    for index in 16..<80 {
      words[index] = Self.turned(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = Self.turned(a, 5) &+ mix &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, Self.turned(b, 30), a, next)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] = state[index] &+ value }
  }

  /// The sum of what was taken and of these.
  func finished(with bytes: ArraySlice<UInt8>) -> [UInt8] {
    var copy = self
    let bits = (length + UInt64(bytes.count)) * 8
    var rest = bytes + [0x80]
    while rest.count % 64 != 56 { rest.append(0) }
    rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    while !rest.isEmpty {
      copy.take(block: rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
