internal import CCiphers
import Runtime

/// Sums up bytes that come piece by piece. The sum so far is in memory only: after a power cut, whoever goes on with half
/// a file adds that half again.
package struct SHA256: ~Copyable {
  /// OpenSSL's.
  private let sum: UnsafeMutableRawPointer
  private var isSound = true
  private let calls: Calls

  /// What OpenSSL may refuse to do. It says 1 when it has done it.
  struct Calls: Sendable {
    var add: @Sendable (UnsafeMutableRawPointer, UnsafeRawPointer?, Int) -> Int32 = { layby_sha256_add($0, $1, $2) }
    var value: @Sendable (UnsafeMutableRawPointer, UnsafeMutablePointer<UInt8>) -> Int32 = {
      layby_sha256_value($0, $1)
    }
  }

  package init() throws(Fault) { try self.init(Calls()) }

  init(_ calls: Calls) throws(Fault) {
    try OpenSSL.load()
    guard let sum = layby_sha256_new() else { throw Self.failed }
    self.sum = sum
    self.calls = calls
  }

  deinit { layby_sha256_free(sum) }

  /// Should this fail, `value` says so.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if !bytes.isEmpty, calls.add(sum, bytes.baseAddress, bytes.count) != 1 { isSound = false }
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  /// Of all that was added so far.
  package func value() throws(Fault) -> Digest {
    var bytes = [UInt8](repeating: 0, count: Digest.length)
    guard isSound, calls.value(sum, &bytes) == 1 else { throw Self.failed }
    return Digest(bytes)
  }

  private static let failed = Fault(.passing, "Y-102", "OpenSSL could not make a SHA-256 sum; is there memory left?")
}

/// A SHA-256 sum.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
  package static let length = 32

  package let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// As `sha256sum` writes it; nil for anything else.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.length else { return nil }
    var bytes: [UInt8] = []
    for at in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[at]), let low = Self.value(of: digits[at + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// In small letters.
  package var description: String {
    var text: [UInt8] = []
    for byte in bytes { text += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
