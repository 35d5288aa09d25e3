import Canvas
import Glibc
import Pictures
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Pictures in memory and on the disk")
struct ArtTiersTests {
  private func picture(_ side: Int, _ colour: UInt32) throws -> Picture {
    try #require(
      Picture(size: Size(width: side, height: side), pixels: Array(repeating: colour, count: side * side)))
  }

  private func key(_ number: Int, _ side: Int = 8) -> ArtKey {
    ArtKey(identity: ArtIdentity(of: Bytes.big(number)), frame: .square(side))
  }

  @Test("other bytes have another identity, in every bit and length, and its text comes back")
  func identities() {
    var random = SeededGenerator(seed: 9)
    var seen: Set<ArtIdentity> = []
    var count = 0
    for length in Array(0...40) + [255, 256, 4_096] {
      var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      seen.insert(ArtIdentity(of: bytes))
      seen.insert(ArtIdentity(of: [UInt8](repeating: 0, count: length)))
      count += length == 0 ? 1 : 2
      for bit in 0..<min(length * 8, 400) {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        seen.insert(ArtIdentity(of: bytes))
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        count += 1
      }
    }
    #expect(seen.count == count)
    for identity in seen.prefix(100) { #expect(ArtIdentity(text: identity.text) == identity) }
    for text in ["", "xyz", String(repeating: "G", count: 32), String(repeating: "0", count: 33)] {
      #expect(ArtIdentity(text: text) == nil)
    }
  }

  @Test("memory stays within its budget, and what was asked for last stays", arguments: 1...5)
  func memory(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let budget = 6_000
    var memory = ArtMemory(budget: budget)
    // The slow reckoning of the same: a list, the last used at its end.
    var model: [(key: ArtKey, picture: Picture)] = []
    for _ in 0..<2_000 {
      let key = key(.random(in: 0..<20, using: &random))
      let at = model.firstIndex { $0.key == key }
      if Bool.random(using: &random) {
        #expect(memory.picture(key) == at.map { model[$0].picture }, "seed \(seed)")
        if let at { model.append(model.remove(at: at)) }
      } else {
        let made = try picture(.random(in: 1...40, using: &random), UInt32.random(in: 0..<100, using: &random))
        memory.keep(made, as: key)
        if let at { model.remove(at: at) }
        if made.byteCount <= budget { model.append((key, made)) }
        while model.reduce(0, { $0 + $1.picture.byteCount }) > budget { model.removeFirst() }
      }
      #expect(memory.bytes == model.reduce(0) { $0 + $1.picture.byteCount } && memory.bytes <= budget, "seed \(seed)")
      #expect(memory.count == model.count)
    }
  }

  @Test("what is stored comes back, in this run and the next")
  func stored() throws {
    let folder = TempFolder()
    let made = try picture(5, 0x123456)
    var disk = ArtDisk(in: folder.path / "art", budget: 100_000)
    #expect(disk.picture(key(1)) == nil)
    disk.keep(made, as: key(1))
    #expect(disk.picture(key(1)) == made)
    #expect(disk.picture(key(1, 9)) == nil && disk.picture(key(2)) == nil)
    var next = ArtDisk(in: folder.path / "art", budget: 100_000)
    #expect(next.picture(key(1)) == made)
    #expect(next.bytes == disk.bytes && next.count == 1)
  }

  @Test("a stored picture with any byte changed, or cut anywhere, is thrown away")
  func damaged() throws {
    let folder = TempFolder()
    let made = try picture(3, 0xABCDEF)
    let key = key(1)
    let whole = ArtRecord.bytes(of: made, as: key)
    #expect(ArtRecord.picture(from: whole, of: key) == made)
    for at in whole.indices {
      var changed = whole
      changed[at] ^= 0x10
      #expect(ArtRecord.picture(from: changed, of: key) == nil)
      #expect(ArtRecord.picture(from: Array(whole[..<at]), of: key) == nil)
    }
    #expect(ArtRecord.picture(from: whole + [0], of: key) == nil)
    var disk = ArtDisk(in: folder.path, budget: 100_000)
    disk.keep(made, as: key)
    let file = folder.path / ArtDisk.name(of: key)
    try AtomicFile.replace(file, with: [1, 2, 3])
    #expect(disk.picture(key) == nil)
    #expect(file.withCString { access($0, F_OK) } != 0)
    disk.keep(made, as: key)
    #expect(disk.picture(key) == made)
  }

  @Test("foreign files are thrown away, folders and what links lead to are left alone")
  func foreign() throws {
    let folder = TempFolder()
    let art = folder.path / "art"
    try Folder.make(art / "a folder")
    try AtomicFile.replace(folder.path / "precious", with: [1])
    for name in ["notes.txt", ".00.art.new", "short.art", String(repeating: "z", count: 32) + "-c8x8.art"] {
      try AtomicFile.replace(art / name, with: [1])
    }
    _ = (folder.path / "precious").withCString { from in (art / "link.art").withCString { symlink(from, $0) } }
    var disk = ArtDisk(in: art, budget: 100_000)
    #expect(disk.picture(key(1)) == nil)
    #expect(try Folder.names(in: art).map(\.description) == ["a folder"])
    #expect(try AtomicFile.read(folder.path / "precious", limit: 10) == [1])
  }

  @Test("the disk stays within its budget, also one that became smaller", arguments: 1...3)
  func budget(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TempFolder()
    func lying() throws -> Int {
      try Folder.names(in: folder.path).reduce(0) {
        try $0 + AtomicFile.read(folder.path / "\($1)", limit: 1 << 20).count
      }
    }
    var disk = ArtDisk(in: folder.path, budget: 20_000)
    for _ in 0..<150 {
      let number = key(.random(in: 0..<30, using: &random))
      let made = try picture(.random(in: 1...60, using: &random), 7)
      disk.keep(made, as: number)
      if Bool.random(using: &random) { #expect(disk.picture(number) == made, "seed \(seed)") }
      #expect(try disk.bytes == lying() && disk.bytes <= 20_000, "seed \(seed)")
    }
    // One that is larger than all is not kept.
    disk.keep(try picture(90, 7), as: key(99))
    #expect(disk.picture(key(99)) == nil)
    var small = ArtDisk(in: folder.path, budget: 5_000)
    _ = small.picture(key(1))
    #expect(try small.bytes == lying() && small.bytes <= 5_000)
  }

  @Test("where nothing can be written it is done without")
  func unwritable() throws {
    let folder = TempFolder()
    try AtomicFile.replace(folder.path / "art", with: [1])
    var disk = ArtDisk(in: folder.path / "art", budget: 100_000)
    disk.keep(try picture(3, 1), as: key(1))
    #expect(disk.picture(key(1)) == nil)
    #expect(try AtomicFile.read(folder.path / "art", limit: 10) == [1])
  }
}
