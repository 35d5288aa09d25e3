import TestSupport
import Testing

@testable import Ciphers

@Suite("SHA-256")
struct SHA256Tests {
  /// Of NIST's FIPS 180-4, and of nothing at all.
  @Test(
    "sums are those of the standard's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, sum: String) throws {
    var hash = try SHA256()
    hash.add(Array(text.utf8))
    #expect(try hash.value().description == sum)
  }

  @Test("in however many pieces bytes come, and however often the sum is asked for, it is the same")
  func pieces() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0...5_000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      var whole = try SHA256()
      var pieced = try SHA256()
      whole.add(bytes)
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...700, using: &generator))
        pieced.add(Array(piece))
        _ = try pieced.value()
        rest = rest.dropFirst(piece.count)
      }
      let sums = (try whole.value(), try pieced.value())
      #expect(sums.0 == sums.1)
    }
  }

  @Test("a sum that OpenSSL refuses is none: of a piece, which the later ones do not make good, or at the end")
  func refused() throws {
    var calls = SHA256.Calls()
    let add = calls.add
    calls.add = { sum, bytes, count in count == 2 ? 0 : add(sum, bytes, count) }
    var hash = try SHA256(calls)
    hash.add([1])
    _ = try hash.value()
    hash.add([1, 2])
    hash.add([1])
    let isLost = Self.isRefused(hash)
    calls = SHA256.Calls()
    calls.value = { _, _ in 0 }
    hash = try SHA256(calls)
    hash.add([1])
    let isUnfinished = Self.isRefused(hash)
    #expect(isLost && isUnfinished)
  }

  private static func isRefused(_ hash: borrowing SHA256) -> Bool {
    do { _ = try hash.value() } catch { return "\(error)".contains("OpenSSL") }
    return false
  }

  @Test("a sum is read as it is written, in large letters too, and nothing else is one")
  func texts() throws {
    var hash = try SHA256()
    hash.add([1, 2, 3])
    let digest = try hash.value()
    #expect(Digest(digest.description) == digest)
    #expect(Digest(digest.description.uppercased()) == digest)
    #expect(Digest(String(digest.description.dropLast())) == nil)
    #expect(Digest(digest.description.dropLast() + "g") == nil)
    #expect(Digest("") == nil)
  }
}
