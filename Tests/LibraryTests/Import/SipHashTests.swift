import Files
import TestSupport
import Testing

@testable import Library

@Suite("SipHash")
struct SipHashTests {
  private static let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)

  private func hash(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [UInt8] {
    var hash = SipHash(Self.key)
    var from = 0
    for cut in cuts + [bytes.count] {
      bytes[from..<cut].withUnsafeBytes { hash.add($0) }
      from = cut
    }
    let (first, second) = hash.finish()
    return [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }

  /// From the paper's reference: the key is 0 to 15, the text 0 to n - 1.
  @Test(
    "says what its authors' says",
    arguments: [
      (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    ])
  func vectors(count: Int, expected: String) {
    let text = hash((0..<count).map { UInt8($0) }).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == expected)
  }

  @Test("does not know in which pieces the bytes came", arguments: UInt64(1)...20)
  func pieces(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let cuts = (0..<5).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
    #expect(hash(bytes, cutAt: cuts) == hash(bytes))
    if let last = bytes.indices.last {
      var other = bytes
      other[last] ^= 1
      #expect(hash(other) != hash(bytes))
    }
  }
}
