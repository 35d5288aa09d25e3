import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("A file's bytes")
struct FileSourceTests {
  let folder = TempFolder()

  private func read(_ count: Int, of source: FileSource) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(Fault) in try source.read(into: buffer) }
    }
    return Array(bytes.prefix(try result.get()))
  }

  @Test("wherever one goes and however much one asks for, they are the file's own", arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let length = Int.random(in: 0...100_000, using: &random)
    let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = folder.path / "a"
    try Bytes.write(bytes, to: path)
    let source = try FileSource(path)
    var place = 0
    for step in 0..<3_000 {
      if Int.random(in: 0..<3, using: &random) == 0 {
        // Near what was read last as a rule, beyond the end at times.
        let near = max(0, place + Int.random(in: -20_000...20_000, using: &random))
        place = Bool.random(using: &random) ? near : Int.random(in: 0...length + 100, using: &random)
        try source.seek(to: Int64(place))
      }
      let wanted = [0, 1, 4, 600, 16_383, 16_384, 40_000].randomElement(using: &random) ?? 4
      let got = try read(wanted, of: source)
      let rest = place < length ? bytes[place...] : []
      guard got.count <= min(wanted, rest.count), rest.starts(with: got), got.isEmpty == (wanted == 0 || rest.isEmpty)
      else {
        Issue.record("step \(step): \(wanted) from \(place) of \(length) gave \(got.count)")
        return
      }
      place += got.count
      try #require(source.position == Int64(place))
    }
  }

  @Test("what was added to its end since is read, too")
  func grown() throws {
    let path = folder.path / "a"
    try Bytes.write([1, 2, 3], to: path)
    let source = try FileSource(path)
    #expect(try read(8, of: source) == [1, 2, 3])
    #expect(try read(8, of: source) == [])
    try Bytes.write([1, 2, 3, 4], to: path)
    #expect(try read(8, of: source) == [4])
  }

  @Test("its beginning is read once, wherever one looks in between")
  func beginning() throws {
    let path = folder.path / "a"
    try Bytes.write([UInt8](repeating: 1, count: 100_000), to: path)
    let source = try FileSource(path)
    #expect(try read(600, of: source).allSatisfy { $0 == 1 })
    try Bytes.write([UInt8](repeating: 2, count: 100_000), to: path)
    for place in [99_872, 50_000] {
      try source.seek(to: Int64(place))
      #expect(try read(128, of: source).allSatisfy { $0 == 2 })
    }
    try source.seek(to: 10)
    #expect(try read(600, of: source).allSatisfy { $0 == 1 })
  }
}
