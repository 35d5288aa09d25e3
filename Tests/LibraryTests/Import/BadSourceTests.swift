import Files
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Sources that are damaged, lie, or are too much")
struct BadSourceTests {
  @Test("an I/O error at any call of a first import, and then none: the rows of one that nobody disturbed")
  func firstImport() async throws {
    let calm = try MusicTree()
    try calm.fill()
    try await calm.open()
    try await calm.run()
    let expected = (music: try calm.tracks(), entries: try calm.entries())
    var failing = 1
    while true {
      let disk = MischievousDisk()
      disk.change { $0.failing = failing }
      let tree = try MusicTree(disk)
      try tree.fill()
      try await tree.open()
      _ = await tree.fault()
      let calls = disk.ways.calls
      disk.change { $0.failing = nil }
      #expect(await tree.fault() == nil, "call \(failing)")
      #expect(try tree.tracks() == expected.music && tree.entries() == expected.entries, "call \(failing)")
      if calls < failing { break }
      failing += 1
    }
    #expect(failing > 20, "folders twice, twelve files, two playlists, folders that these lead to")
  }

  @Test("an I/O error at any call of a later import loses no entry of a playlist, and no file that it did not hit")
  func laterImport() async throws {
    var failing = 1
    while true {
      let disk = MischievousDisk()
      let tree = try MusicTree(disk)
      try tree.fill()
      try await tree.open()
      try await tree.run()
      let (music, entries) = (try tree.tracks(), try tree.entries())
      try tree.write("album 2/9.mp3", TinyMP3(title: "New", sound: 9_999).bytes)
      try tree.write("album 1/4.mp3", TinyMP3(title: "Other", sound: 9_998).bytes + [1])
      disk.change { ($0.calls, $0.failing) = (0, failing) }
      _ = await tree.fault()
      let calls = disk.ways.calls
      disk.change { $0.failing = nil }
      #expect(try tree.entries() == entries, "call \(failing)")
      let (kept, changed) = (try tree.tracks(), "album 1|4.mp3")
      #expect(music.filter { !$0.hasPrefix(changed) && !kept.contains($0) }.isEmpty, "call \(failing)")
      #expect(await tree.fault() == nil, "call \(failing)")
      #expect(try tree.entries() == entries && tree.problems().isEmpty, "call \(failing)")
      let after = try tree.tracks()
      #expect(after.count == 13 && after.contains { $0.hasPrefix(changed) && $0.contains("Other") }, "call \(failing)")
      if calls < failing { break }
      failing += 1
    }
    #expect(failing > 10)
  }

  @Test("what a folder holds beyond the limit is left out and told, and nothing that is known of it is forgotten")
  func fullFolder() async throws {
    var limits = ImportLimits()
    limits.inFolder = 10
    let tree = try MusicTree(SourceDisk(), limits)
    for number in 1...12 { try tree.write("a/\(number).mp3", TinyMP3(sound: UInt64(number)).bytes) }
    try tree.write("b/1.mp3", TinyMP3(sound: 99).bytes)
    try await tree.open()
    let done = try await tree.run()
    #expect((done.seen, done.read, done.leftOut) == (11, 11, 2))
    let known = try tree.tracks()
    // One that was seen goes: another is seen in its place, and nobody knows that the first is gone.
    let first = try #require(known.first?.split(separator: "|")[1])
    #expect(tree.path("a/\(first)").withCString { unlink($0) } == 0)
    let again = try await tree.run()
    #expect((again.seen, again.read, again.leftOut) == (11, 1, 1))
    #expect(try Set(tree.tracks()).isSuperset(of: known) && tree.tracks().count == 12)
    // Ten are not too many.
    let left = try #require(try Folder.names(in: tree.path("a")).first)
    #expect((tree.path("a") / left.description).withCString { unlink($0) } == 0)
    let last = try await tree.run()
    #expect(last.leftOut == 0)
    #expect(try tree.tracks().count(where: { $0.hasPrefix("a|") }) == 10)
  }

  @Test("more files than are taken of one source are left out and told, and those that are known stay")
  func manyFiles() async throws {
    var limits = ImportLimits()
    limits.files = 5
    let tree = try MusicTree(SourceDisk(), limits)
    try tree.fill()
    try await tree.open()
    for _ in 0..<2 {
      let done = try await tree.run()
      #expect((done.seen, done.leftOut) == (12, 7))
      #expect(try tree.tracks().count == 5)
    }
  }

  @Test("an import ends when the library's disk has no more than its reserve, and goes on when there is room")
  func fullDisk() async throws {
    let disk = MischievousDisk()
    let tree = try MusicTree(disk)
    for number in 1...600 { try tree.write("\(number % 7)/\(number).mp3", TinyMP3(sound: UInt64(number)).bytes) }
    try tree.write("a.m3u", Array("1/1.mp3\n".utf8))
    try await tree.open()
    let total: Int64 = 4 << 30
    let reserve = DiskSpace(free: 0, total: total).libraryReserve
    let (full, enough) = (DiskSpace(free: reserve - 1, total: total), DiskSpace(free: reserve, total: total))
    disk.change { $0.spaces = [full] }
    let fault = await tree.fault()
    #expect(fault?.code == "L-412" && fault?.kind == .full && fault?.message.contains("reserve") == true)
    #expect(try tree.tracks().isEmpty)
    // It fills up in the middle.
    disk.change { $0.spaces = [enough, full] }
    #expect(await tree.fault()?.code == "L-412")
    #expect(try tree.tracks().count == Importer.batch)
    // And before the playlists.
    disk.change { $0.spaces = [enough] }
    let late = await tree.fault { if $0.phase == .playlists { disk.change { $0.spaces = [full] } } }
    #expect(late?.code == "L-412")
    #expect(try tree.tracks().count == 600 && tree.entries().isEmpty)
    disk.change { $0.spaces = [enough] }
    #expect(await tree.fault() == nil)
    #expect(try tree.tracks().count == 600 && tree.entries() == ["a.m3u|0|1|1.mp3"])
  }

  @Test("a stick that lies about its sizes: what is read counts, and what is not there is no music")
  func liar() async throws {
    let disk = MischievousDisk()
    let tree = try MusicTree(disk)
    try tree.fill(albums: 1)
    // Of which nearly nothing is there, and whose middle and end are read for the key.
    try tree.write("long/1.mp3", TinyMP3(title: "Long", sound: 77).bytes)
    #expect(tree.path("long/1.mp3").withCString { truncate($0, 1 << 40) } == 0)
    // It says that it has 4,096 bytes, and gives a few.
    try tree.write("short/1.mp3", TinyMP3(title: "Short", sound: 78).bytes)
    try tree.write("short/2.flac", [])
    let says = FilePath("/sys/kernel/uevent_seqnum")
    let (mp3, flac) = (tree.path("short/1.mp3"), tree.path("short/2.flac"))
    disk.change { $0.standIns = [mp3: says, flac: says] }
    try await tree.open()
    let sizes: [Int64?] = [nil, .max, .min, -1, 0]
    for size in sizes {
      disk.change { $0.size = size }
      let done = try await tree.run()
      #expect((done.seen, done.unreadable) == (7, 2), "\(size ?? 1)")
      let music = try tree.tracks()
      #expect(music.count == 7 && music.contains { $0.contains("|1099511627776|Long|") }, "\(music)")
    }
    disk.change { $0 = .init() }
    try await tree.run()
    #expect(try tree.tracks().count { $0.hasSuffix("|-") } == 6)
  }

  @Test("a disk that says nonsense of its room has none, or enough", arguments: [Int64.min, -1, 0, 1, .max])
  func space(total: Int64) {
    for free in [Int64.min, -1, 0, 1, .max] {
      let space = DiskSpace(free: free, total: total)
      #expect(space.reserve >= 32 << 20 && space.libraryReserve == space.reserve / 2)
      #expect(!space.fits(.max) && (free < .max || space.fits(1 << 30)))
    }
  }
}
