import Ciphers
import Runtime

/// The first 64 bytes of a sealed track. They are in the clear, and each chunk is bound to all of them, so that no byte of
/// them can be changed unnoticed. Numbers are little-endian.
///
///      0  "LBSL"
///      4  version: 1
///      5  cipher suite: 1 AES-256-GCM, 2 ChaCha20-Poly1305
///      6  a chunk has 2 to the power of this many bytes: 12 to 20
///      7  0
///      8  id of the content key, 16 bytes
///     24  length of the plain track, 8 bytes
///     32  0, 32 times
///
/// Behind it stand the chunks in order, each with its tag of 16 bytes; the last one is as long as what is left. The nonce
/// of a chunk is its number, and what is bound to it is this header and its number.
package struct SealHeader: Equatable, Sendable {
  package static let length = 64
  package static let longest: Int64 = 1 << 40
  /// 16 KB: a seek reads little, and the tags are a thousandth of the track.
  package static let usualChunk: UInt8 = 14

  private static let mark = Array("LBSL".utf8)
  private static let version: UInt8 = 1
  private static let chunks: ClosedRange<UInt8> = 12...20

  package let suite: CipherSuite
  private let chunkBits: UInt8
  package let key: KeyID
  package let plainLength: Int64
  let bytes: [UInt8]

  package init(_ suite: CipherSuite, key: KeyID, plainLength: Int64, chunkBits: UInt8 = Self.usualChunk) {
    precondition(Self.chunks.contains(chunkBits) && (1...Self.longest).contains(plainLength))
    (self.suite, self.chunkBits, self.key, self.plainLength) = (suite, chunkBits, key, plainLength)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: plainLength >> (8 * $0)) }
    let zeros = [UInt8](repeating: 0, count: 32)
    bytes = Self.mark + [Self.version, suite.rawValue, chunkBits, 0] + key.bytes + length + zeros
  }

  /// Reads the header from the first bytes of a file; nil when the file is not sealed. `name` is the file's, for messages.
  package init?(_ first: [UInt8], of name: String) throws(Fault) {
    guard first.starts(with: Self.mark) else { return nil }
    guard first.count >= Self.length else {
      throw Fault(.malformed, "E-101", "\(name) is sealed music that ends within its first \(Self.length) bytes")
    }
    guard first[4] == Self.version, first[7] == 0, first[32..<Self.length].allSatisfy({ $0 == 0 }),
      let suite = CipherSuite(rawValue: first[5])
    else {
      throw Fault(
        .unsupported, "E-102",
        "\(name) is sealed in a way that is not known here (version \(first[4]),"
          + " cipher \(first[5])); a newer Layby may know it")
    }
    let length = first[24..<32].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard Self.chunks.contains(first[6]), (1...UInt64(Self.longest)).contains(length), let key = KeyID(first[8..<24])
    else {
      throw Fault(
        .malformed, "E-103", "the seal of \(name) makes no sense: chunks of 2^\(first[6]) bytes, \(length) bytes in all"
      )
    }
    self.init(suite, key: key, plainLength: Int64(length), chunkBits: first[6])
  }

  // MARK: Chunks

  var chunkLength: Int { 1 << Int(chunkBits) }
  var chunkCount: Int64 { (plainLength + Int64(chunkLength) - 1) >> Int64(chunkBits) }
  package var sealedLength: Int64 { Int64(Self.length) + plainLength + chunkCount * Int64(CipherSuite.tagLength) }

  func chunk(at position: Int64) -> Int64 { position >> Int64(chunkBits) }

  func plainLength(ofChunk number: Int64) -> Int {
    Int(min(Int64(chunkLength), plainLength - number << Int64(chunkBits)))
  }

  /// Where it begins in the sealed track.
  func place(ofChunk number: Int64) -> Int64 {
    Int64(Self.length) + number * Int64(chunkLength + CipherSuite.tagLength)
  }

  /// No other chunk under the same key has this one, since each track has a key of its own.
  static func nonce(ofChunk number: Int64) -> [UInt8] { [0, 0, 0, 0] + bigEndian(number) }

  func bound(toChunk number: Int64) -> [UInt8] { bytes + Self.bigEndian(number) }

  private static func bigEndian(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
