import Ciphers
import Files
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("A file that grows")
struct PartFileTests {
  let folder = MediaFolder(FilePath("/media"))
  let name: MediaFolder.Name
  var part: FilePath { folder.part(name) }
  var whole: FilePath { folder.whole(name, ending: "flac") }

  init() throws { name = try MediaFolder.Name(of: MediaKey(source: "shop", item: "1", quality: .high)) }

  static func sum(_ bytes: [UInt8]) throws -> String {
    var sum = try SHA256()
    sum.add(bytes)
    return try sum.value().description
  }

  static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  @Test("whatever is written, cut and opened again, the file's sum is the sum of its bytes")
  func walk() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let disk = MemoryDisk()
      var file = try PartFile(part, on: disk)
      var model: [UInt8] = []
      for _ in 0..<60 {
        switch Int.random(in: 0...9, using: &generator) {
        case 0...4:
          let more = Self.bytes(Int.random(in: 0...900, using: &generator), &generator)
          try more.withUnsafeBytes { bytes throws in try file.write(bytes, at: Int64(model.count)) }
          model += more
        case 5:
          let at = Int.random(in: 0...model.count, using: &generator)
          let other = Self.bytes(Int.random(in: 0...300, using: &generator), &generator)
          try other.withUnsafeBytes { bytes throws in try file.write(bytes, at: Int64(at)) }
          model = Array(model.prefix(at)) + other + model.dropFirst(at + other.count)
        case 6:
          let length = Int.random(in: 0...model.count + 5, using: &generator)
          try file.cutBack(to: Int64(length))
          model = Array(model.prefix(length))
        case 7: file = try PartFile(part, on: disk)
        default:
          let isRight = try file.sum() == .whole(Self.sum(model))
          #expect(isRight, "seed \(seed)")
        }
        #expect(file.length == Int64(model.count))
      }
      #expect(disk.openFiles == 1)
    }
  }

  /// From nothing to a name, or from wherever an earlier try ended.
  private func bring(_ bytes: [UInt8], durable: Int64, on disk: MemoryDisk) throws -> Int64 {
    let file = try PartFile(part, on: disk)
    try file.cutBack(to: durable)
    try file.makeRoom(for: Int64(bytes.count), keeping: 0)
    var at = Int(file.length)
    while at < bytes.count {
      let piece = Array(bytes[at...].prefix(400))
      try piece.withUnsafeBytes { bytes throws in try file.write(bytes, at: Int64(at)) }
      try file.sync()
      at += piece.count
    }
    guard try file.sum() == .whole(Self.sum(bytes)) else { throw Fault(.damaged, "T-1", "other bytes") }
    try file.publish(as: whole)
    return file.length
  }

  @Test("whichever call fails, the next try brings the file, whole and alone")
  func eachCallFails() throws {
    var generator = SeededGenerator(seed: 5)
    let bytes = Self.bytes(1_000, &generator)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.fail(failing, .says(Fault(.damaged, "T-2", "made up")))
      let fault = try? faultOf { try bring(bytes, durable: .max, on: disk) }
      if fault == nil { break }
      #expect(fault?.code == "T-2")
      if disk.bytes(whole) == nil { _ = try bring(bytes, durable: 0, on: disk) }
      let isWhole = disk.bytes(whole) == bytes
      #expect(isWhole && disk.names == [whole] && disk.openFiles == 0, "call \(failing)")
      failing += 1
    }
    #expect(failing > 10)
  }

  @Test("whenever the power goes, nothing has the final name but the whole file", arguments: [false, true])
  func eachCut(afterwards: Bool) throws {
    var generator = SeededGenerator(seed: 6)
    let bytes = Self.bytes(1_000, &generator)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.fail(failing, .dies(afterwards: afterwards))
      if (try? bring(bytes, durable: .max, on: disk)) != nil { break }
      disk.restart(&generator)
      let isRightOrNothing = disk.bytes(whole).map { $0 == bytes } ?? true
      #expect(isRightOrNothing, "call \(failing)")
      // No row says how much is certain: all of it anew.
      if disk.bytes(whole) == nil { _ = try bring(bytes, durable: 0, on: disk) }
      let isWhole = disk.bytes(whole) == bytes
      #expect(isWhole && disk.names == [whole], "call \(failing)")
      failing += 1
    }
    #expect(failing > 10)
  }

  @Test("an older file of that name gives way to the one that was checked")
  func replaces() throws {
    let disk = MemoryDisk()
    disk.put(whole, [1])
    _ = try bring([7, 8, 9], durable: 0, on: disk)
    #expect(disk.bytes(whole) == [7, 8, 9] && disk.names == [whole])
  }

  @Test("room is made before the first byte, and a reserve stays")
  func room() throws {
    let disk = MemoryDisk()
    let file = try PartFile(part, on: disk)
    disk.fill(leaving: 100_000)
    try file.makeRoom(for: 50_000, keeping: 40_000)
    #expect(try faultOf { try file.makeRoom(for: 70_000, keeping: 40_000) }.kind == .full)
    #expect(try faultOf { try file.makeRoom(for: 100_001, keeping: 0) }.kind == .full)
  }

  @Test("room that it did not come to use is given back with it, and a whole one is not touched again")
  func setAside() throws {
    for (count, isWhole) in [(0, false), (10, false), (100, true)] {
      let disk = MemoryDisk()
      var file: PartFile? = try PartFile(part, on: disk)
      try file?.makeRoom(for: 100, keeping: 0)
      #expect(disk.setAside == 100)
      try [UInt8](repeating: 1, count: count).withUnsafeBytes { bytes throws in try file?.write(bytes, at: 0) }
      let calls = disk.calls
      file = nil
      #expect(disk.setAside == 0 && disk.openFiles == 0 && disk.bytes(part)?.count == count)
      #expect((disk.calls == calls) == isWhole)
    }
  }

  @Test("bytes that leave a hole are refused, and a failed write is not counted")
  func holes() throws {
    let disk = MemoryDisk()
    let file = try PartFile(part, on: disk)
    #expect(try faultOf { try [1].withUnsafeBytes { try file.write($0, at: 1) } }.code == "O-303")
    try [1, 2, 3].withUnsafeBytes { try file.write($0, at: 0) }
    disk.fail(1, .says(Fault(.full, "T-3", "full")))
    #expect(try faultOf { try [9].withUnsafeBytes { try file.write($0, at: 1) } }.code == "T-3")
    #expect(file.length == 1)
  }

  @Test("on a real disk it grows, is summed up, and gets its name")
  func real() throws {
    let temporary = TempFolder()
    let folder = MediaFolder(temporary.path / "media")
    var generator = SeededGenerator(seed: 8)
    let bytes = Self.bytes(700_000, &generator)
    let (part, whole) = (folder.part(name), folder.whole(name, ending: "flac"))
    do {
      let file = try PartFile(part, on: KernelDisk())
      try file.makeRoom(for: 700_000, keeping: 0)
      try bytes.prefix(300_000).withUnsafeBytes { try file.write($0, at: 0) }
      try file.sync()
    }
    // What was set aside behind it is not kept from others.
    var facts = stat()
    #expect(part.withCString { stat($0, &facts) } == 0 && facts.st_blocks * 512 < 400_000)
    let file = try PartFile(part, on: KernelDisk())
    #expect(file.length == 300_000)
    try file.cutBack(to: 250_000)
    try Array(bytes[250_000...]).withUnsafeBytes { try file.write($0, at: 250_000) }
    #expect(try file.sum() == .whole(Self.sum(bytes)))
    try file.publish(as: whole)
    let isSame = try AtomicFile.read(whole, limit: 1 << 20) == bytes
    #expect(isSame)
    #expect(try Folder.names(in: whole.folder).count == 1)
  }

  @Test("names are short, differ for what differs, and say where a file lies")
  func names() throws {
    let keys = [
      MediaKey(source: "a", item: "bc", quality: .low), MediaKey(source: "ab", item: "c", quality: .low),
      MediaKey(source: "a", item: "bc", quality: .high),
    ]
    var names: Set<MediaFolder.Name> = []
    for key in keys { names.insert(try MediaFolder.Name(of: key)) }
    #expect(names.count == 3)
    #expect(folder.part(name) == FilePath("/media/\(name.folder)/\(name).part"))
    #expect(
      MediaFolder.safe("part") == "music" && MediaFolder.safe("../x") == "music" && MediaFolder.safe("mp3") == "mp3")
    #expect(MediaFolder.reading(part.name, in: name.folder)?.isGrowing == true)
    #expect(MediaFolder.reading(whole.name, in: name.folder)?.name == name)
    for strange in ["notes.txt.part", "cover.jpg", "\(name)", "\(name).x y", "\(name).part.part"] {
      #expect(MediaFolder.reading(FilePath(strange), in: name.folder) == nil)
    }
    #expect(MediaFolder.reading(part.name, in: "zz") == nil)
  }
}
