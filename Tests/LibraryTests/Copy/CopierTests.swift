import DiskFaults
import Files
import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Library

@Suite("Copying to the device")
struct CopierTests {
  @Test("music, covers and playlists keep their places, names and dates; junk and everything else stay behind")
  func whole() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    for name in [".hidden.mp3", "Bach/._1 Air.flac", ".Trashes/1.mp3", "System Volume Information/a.mp3", "notes.txt"] {
      try desk.write(name, [1])
    }
    #expect("/".withCString { target in desk.path("out.mp3").withCString { symlink(target, $0) } } == 0)
    let done = try await desk.copy()
    #expect((done.of, done.files, done.there, done.failed, done.leftOut) == (6, 6, 0, 0, 1))
    #expect(done.bytes == done.ofBytes && done.ofBytes == 9_500 + 1_200 + 700 + 37 + 5_500 && done.phase == .done)
    let names = try CopyDesk.tree(desk.music).keys.sorted()
    #expect(
      names == [
        "/Bach/Suites/1 Air.flac", "/Bach/Suites/2 Gigue.mp3", "/Bach/Suites/cover.jpg", "/Bach/all.m3u", "/empty.opus",
        "/z.ogg",
      ])
    for name in names { #expect(try CopyDesk.tree(desk.music)[name] == CopyDesk.tree(desk.stick)[name]) }
    #expect(
      Catalogue.identity(of: desk.music / "z.ogg")?.modified == Catalogue.identity(of: desk.stick / "z.ogg")?.modified)
  }

  @Test("what is there is not copied again, whatever its date is; all of its bytes are compared")
  func twice() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    try await desk.copy()
    let disk = FaultyDisk()
    let again = try await desk.copy(disk: disk)
    #expect((again.files, again.there, again.failed, again.needed, disk.written) == (6, 6, 0, 0, 0))
    try desk.write("z.ogg", CopyDesk.bytes(5_500, 4), modified: 1_600_000_000)
    let redated = try await desk.copy(disk: disk)
    #expect((redated.there, disk.written) == (6, 0))
    try desk.expectSame()
    // The same size and date, and one byte that is another.
    try desk.write("deep.wav", CopyDesk.bytes(300_000, 8))
    try await desk.copy()
    var other = CopyDesk.bytes(300_000, 8)
    other[100_000] ^= 1
    try desk.write("deep.wav", other)
    let grown = try await desk.copy()
    #expect((grown.there, grown.files) == (6, 7))
    #expect(try CopyDesk.tree(desk.music)["/deep (2).wav"] == other)
    // A comparison tells how far it is and leaves the sums as they are.
    #expect(grown.bytes == grown.ofBytes && grown.thereBytes == grown.ofBytes - 300_000)
  }

  @Test("other bytes under a name get a number, the same each time; nothing is overwritten and no link is followed")
  func collisions() async throws {
    let desk = try CopyDesk()
    try desk.write("a/1.mp3", CopyDesk.bytes(500, 1))
    try desk.write("b/2.mp3", CopyDesk.bytes(500, 2))
    try desk.write("c.mp3", CopyDesk.bytes(500, 3))
    // A file where the folder goes, a link out where another goes, and other bytes of the same size and date.
    try desk.write(desk.music / "a", [9])
    try Folder.make(desk.folder.path / "elsewhere")
    let elsewhere = desk.folder.path / "elsewhere"
    #expect(elsewhere.withCString { target in (desk.music / "b").withCString { symlink(target, $0) } } == 0)
    try desk.write(desk.music / "c.mp3", CopyDesk.bytes(500, 4))
    for _ in 0..<2 {
      #expect(try await desk.copy().failed == 0)
      let tree = try CopyDesk.tree(desk.music)
      #expect(tree.keys.sorted() == ["/a", "/a (2)/1.mp3", "/b", "/b (2)/2.mp3", "/c (2).mp3", "/c.mp3"])
      #expect(tree["/a"] == [9] && tree["/c.mp3"] == CopyDesk.bytes(500, 4))
      #expect(tree["/c (2).mp3"] == CopyDesk.bytes(500, 3))
    }
    #expect(try Folder.names(in: elsewhere).isEmpty)
  }

  @Test("what is too large is refused before a byte is written, with figures; a plan says the same")
  func tooLarge() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let disk = FaultyDisk(room: DiskSpace(free: (32 << 20) + 30_000, total: 640 << 20))
    let plan = try await desk.copier(disk).run(desk.wish(), number: nil, sign: StopSign())
    #expect(plan.phase == .planned && !plan.fits && plan.of == 6 && plan.space.reserve == 32 << 20)
    #expect(plan.needed == 12_288 + 4_096 * 3 + 8_192)
    #expect(try Folder.names(in: desk.folder.path).count == 1, "a plan writes nothing")
    var fault: Fault?
    do { try await desk.copy(disk: disk) } catch let thrown as Fault { fault = thrown }
    #expect(fault?.kind == .full && fault?.code == "L-443")
    #expect(fault?.message.contains("32 KB are needed and 33 MB are free, of which 33 MB stay in reserve") == true)
    #expect(disk.written == 0)
    // With one more block it fits.
    let roomy = FaultyDisk(room: DiskSpace(free: (32 << 20) + 32_768, total: 640 << 20))
    #expect(try await desk.copier(roomy).run(desk.wish(), number: nil, sign: StopSign()).fits)
  }

  @Test("a disk that fills up in the middle ends the copy: whole files stay, the half one goes")
  func fullInTheMiddle() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let counted = FaultyDisk()
    try await desk.copy(disk: counted)
    let whole = try CopyDesk.tree(desk.stick)
    for call in stride(from: 1, through: counted.calls, by: 3) {
      let desk = try CopyDesk()
      try desk.fill()
      let disk = FaultyDisk(failing: call, .fills)
      var fault: Fault?
      do { try await desk.copy(disk: disk) } catch let thrown as Fault { fault = thrown }
      // Whichever call it was; what is asked for and cannot even be noted is told as the disk's fault.
      #expect((fault != nil) == (disk.refused > 0), "call \(call)")
      if let fault {
        #expect(fault.kind == .full && fault.code == (call <= 2 ? KernelDisk.code : "L-443"), "call \(call): \(fault)")
      }
      #expect(disk.refused <= 3, "it ends at once")
      // Half a file stands nowhere among the music, and what is left is found by the next start.
      let tree = try CopyDesk.tree(desk.music).filter { !$0.key.hasPrefix("/.copying") && !$0.key.hasSuffix("/") }
      for (name, bytes) in tree { #expect(whole[name] == bytes) }
      _ = try await desk.goOn()
      if try !CopyDesk.tree(desk.music).isEmpty { try await desk.copy() }
      #expect(!(try CopyDesk.tree(desk.music)).keys.contains { $0.hasPrefix("/.copying") })
    }
  }

  @Test("a file that changes while it is read is begun again once; one that never rests is told, and the rest goes on")
  func changed() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let once = Atomic<Int>(0)
    let times = Atomic<Int>(0)
    let (air, restless) = (desk.path("Bach/Suites/1 Air.flac"), desk.path("z.ogg"))
    let disk = FaultyDisk { path, offset, _ in
      if path == air, offset == 5_000, once.add(1, ordering: .relaxed).newValue == 1 {
        try? desk.write(air, CopyDesk.bytes(9_700, 77), modified: 1_700_000_500)
      }
      if path == restless, offset == 3_000 {
        let count = times.add(1, ordering: .relaxed).newValue
        try? desk.write(restless, CopyDesk.bytes(5_500 + count, 78), modified: 1_700_000_600 + count)
      }
    }
    let done = try await desk.copy(disk: disk)
    #expect((done.files, done.failed) == (6, 1))
    #expect(done.failures.map(\.fault.code) == ["L-425"] && done.failures.map(\.path) == [restless])
    let tree = try CopyDesk.tree(desk.music)
    #expect(tree["/Bach/Suites/1 Air.flac"] == CopyDesk.bytes(9_700, 77))
    #expect(tree["/z.ogg"] == nil && tree.count == 5)
  }

  @Test("what reads back otherwise than it was written is written again once; a disk that lies twice is told")
  func readBack() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let lies = Atomic<Int>(0)
    func lying(_ most: Int) -> FaultyDisk {
      lies.store(0, ordering: .relaxed)
      return FaultyDisk { path, offset, bytes in
        guard path.ending == "part", offset == 2_000, bytes.count == 1_000 else { return }
        if lies.add(1, ordering: .relaxed).newValue <= most { bytes[7] ^= 1 }
      }
    }
    let bad = try await desk.copy(disk: lying(.max))
    // Those that are longer than the place where it lies, and are read back.
    #expect(bad.failures.map(\.fault.code) == ["L-426", "L-426"])
    #expect(
      try CopyDesk.tree(desk.music).keys.sorted() == [
        "/Bach/Suites/2 Gigue.mp3", "/Bach/Suites/cover.jpg", "/Bach/all.m3u", "/empty.opus",
      ])
    #expect(try await desk.copy(disk: lying(1)).failed == 0)
    try desk.expectSame()
  }

  @Test("a file that cannot be read is told and passed over, wherever it fails")
  func unreadable() async throws {
    for offset: Int64 in [0, 1_000, 9_000] {
      let desk = try CopyDesk()
      try desk.fill()
      let air = desk.path("Bach/Suites/1 Air.flac")
      let disk = FaultyDisk { (path, at, _) throws(Fault) in
        if path == air, at == offset { throw Fault.system("L-420", doing: "read \(path)", errno: EIO) }
      }
      let done = try await desk.copy(disk: disk)
      #expect((done.files, done.failed) == (6, 1) && done.failures.first?.fault.kind == .damaged)
      #expect(try CopyDesk.tree(desk.music).count == 5)
      #expect(try await desk.copy().failed == 0)
      try desk.expectSame()
    }
  }

  @Test("a source that goes away leaves what is whole, and the half file goes on from where it was when it is back")
  func pulled() async throws {
    for offset: Int64 in [0, 3_000, 7_000] {
      let desk = try CopyDesk()
      try desk.fill()
      let (air, aside) = (desk.path("Bach/Suites/1 Air.flac"), desk.folder.path / "aside")
      let disk = FaultyDisk { (path, at, _) throws(Fault) in
        guard path == air, at == offset else { return }
        _ = desk.stick.withCString { old in aside.withCString { rename(old, $0) } }
        throw Fault.system("L-420", doing: "read \(path)", errno: EIO)
      }
      var fault: Fault?
      do { try await desk.copy(disk: disk) } catch let thrown as Fault { fault = thrown }
      #expect(fault?.code == "L-423")
      // Away still: nothing is lost by looking.
      await #expect(throws: Fault.self) { try await desk.goOn() }
      #expect(aside.withCString { old in desk.stick.withCString { rename(old, $0) } } == 0)
      let again = FaultyDisk()
      let done = try await desk.goOn(again)
      #expect(done.map(\.failed) == [0])
      #expect(done.map { $0.ofBytes - $0.thereBytes - offset } == [again.written], "half a file is not written again")
      try desk.expectSame()
    }
  }

  @Test("half a file whose source has changed meanwhile is begun anew")
  func changedMeanwhile() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let (air, sign) = (desk.path("Bach/Suites/1 Air.flac"), StopSign())
    let disk = FaultyDisk { path, at, _ in if path == air, at == 6_000 { sign.raise() } }
    await #expect(throws: Fault.self) { try await desk.copy(disk: disk, sign: sign) }
    #expect(try CopyDesk.tree(desk.music).keys.contains("/.copying/1.note"))
    try desk.write("Bach/Suites/1 Air.flac", CopyDesk.bytes(9_500, 99), modified: 1_700_000_100)
    let again = FaultyDisk()
    let done = try await desk.goOn(again)
    #expect(done.map { $0.ofBytes - $0.thereBytes } == [again.written])
    try desk.expectSame()
  }

  @Test("half a file is not gone on with from another of the same name, size and date")
  func exchangedMeanwhile() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let (air, sign) = (desk.path("Bach/Suites/1 Air.flac"), StopSign())
    let disk = FaultyDisk { path, at, _ in if path == air, at == 6_000 { sign.raise() } }
    await #expect(throws: Fault.self) { try await desk.copy(disk: disk, sign: sign) }
    try desk.write("Bach/Suites/1 Air.flac", CopyDesk.bytes(9_500, 99))
    #expect(try await desk.goOn().map(\.failed) == [0])
    try desk.expectSame()
  }

  /// The power goes at every call in turn, before and after it; of what was not durable any part is lost or rubbish.
  @Test(
    "broken off at any call by a power cut and gone on with, it gives the same bytes and leaves nothing behind",
    arguments: [false, true])
  func everyCall(afterwards: Bool) async throws {
    let counted = FaultyDisk()
    let calm = try CopyDesk()
    try calm.fill()
    try await calm.copy(disk: counted)
    #expect(counted.calls > 60)
    var resumed = 0
    // Every second call, the others after it: all of both where there is time.
    let isLong = getenv("LAYBY_LONG") != nil
    for call in stride(from: afterwards ? 2 : 1, through: counted.calls, by: isLong ? 1 : 2) {
      let desk = try CopyDesk()
      try desk.fill()
      let sign = StopSign()
      let disk = FaultyDisk(failing: call, .dies(afterwards: afterwards), died: { sign.raise() })
      _ = try? await desk.copy(disk: disk, sign: sign)
      #expect(disk.isDead)
      try lose(disk, call)
      let again = FaultyDisk()
      let done = try await desk.goOn(again)
      if let first = done.first, again.written < first.ofBytes - first.thereBytes { resumed += 1 }
      // When the wish itself was not durable, whoever asked was not told that it was.
      if done.isEmpty { try await desk.copy() }
      try desk.expectSame("call \(call)")
    }
    #expect(resumed > 10, "half files were gone on with")
  }

  private func lose(_ disk: FaultyDisk, _ seed: Int) throws {
    guard let growing = disk.growing else { return }
    var random = SeededGenerator(seed: UInt64(seed))
    let number = growing.path.withCString { open($0, O_RDWR) }
    guard number >= 0 else { return }
    let file = Descriptor(taking: number)
    var status = stat()
    fstat(file.number, &status)
    let size = Int64(status.st_size)
    guard size > growing.synced else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: ftruncate(file.number, off_t(growing.synced))
    case 1: ftruncate(file.number, off_t(Int64.random(in: growing.synced...size, using: &random)))
    default:
      let rubbish = CopyDesk.bytes(Int(size - growing.synced), UInt64(seed))
      pwrite(file.number, rubbish, rubbish.count, off_t(growing.synced))
    }
  }

  @Test("cut off again and again, at random, it ends with the same bytes", arguments: 1...6)
  func cutAgainAndAgain(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let desk = try CopyDesk()
    try desk.fill()
    try desk.write("long.wav", CopyDesk.bytes(20_000, seed))
    var cuts = 0
    let firstSign = StopSign()
    let first = FaultyDisk(failing: Int.random(in: 3...120, using: &random), died: { firstSign.raise() })
    _ = try? await desk.copy(disk: first, sign: firstSign)
    try lose(first, Int(seed))
    for round in 0..<12 {
      let sign = StopSign()
      let disk = FaultyDisk(
        failing: Int.random(in: 1...90, using: &random), .dies(afterwards: round % 2 == 0), died: { sign.raise() })
      let copier = desk.copier(disk)
      guard let jobs = try? await copier.unfinished(), let job = jobs.first else { continue }
      _ = try? await copier.run(job.wish, number: job.number, sign: sign)
      if disk.isDead { cuts += 1 }
      try lose(disk, Int(seed) * 100 + round)
    }
    _ = try await desk.goOn()
    try await desk.copy()
    try desk.expectSame("seed \(seed)")
    print("seed \(seed): \(cuts) cuts")
  }

  @Test("a copy that nobody wants any more leaves nothing half behind, nor does what belongs to none")
  func leftovers() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let sign = StopSign()
    let disk = FaultyDisk { path, at, _ in if path.ending == "ogg", at == 4_000 { sign.raise() } }
    let copier = desk.copier(disk)
    let number = try await copier.accept(desk.wish())
    await #expect(throws: Fault.self) { try await copier.run(desk.wish(), number: number, sign: sign) }
    await copier.forget(number)
    let tree = try CopyDesk.tree(desk.music)
    #expect(tree.count == 1 && !tree.keys.contains { $0.hasPrefix("/.") })
    let foreign = ["x", "07.part", ".x.new", "7.db"]
    for name in ["7.part", "7.note", "7.tries", ".8.wish.new", "9.wish"] + foreign {
      try desk.write(desk.music / ".copying" / name, [1, 2, 3])
    }
    #expect(try await desk.goOn().isEmpty)
    let left = Set(try Folder.names(in: desk.music / ".copying").map(\.description))
    #expect(left == Set(foreign), "what is not ours stays")
  }

  @Test("single files come with the covers beside them, all music of a folder with its playlists too")
  func picks() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    try desk.write("Bach/Suites/own.cue", Array("FILE".utf8))
    let suites = ["Bach", "Suites"].map { Array($0.utf8) }
    let (air, gigue) = (Array("1 Air.flac".utf8), Array("2 Gigue.mp3".utf8))
    #expect(try await desk.copy(desk.wish([.init(folder: suites, only: [air])])).of == 2)
    #expect(try await desk.copy(desk.wish([.init(folder: suites, only: [air, gigue])])).of == 4)
    var fault: Fault?
    let lone = try await desk.copy(desk.wish([.init(folder: suites, only: [Array("no.mp3".utf8)])]))
    #expect(lone.failures.map(\.fault.code) == ["L-421"], "the cover is there; what is missing is told")
    let none = desk.wish([.init(folder: [Array("none".utf8)])])
    do { try await desk.copy(none) } catch let thrown as Fault { fault = thrown }
    #expect(fault?.kind == .missing)
  }

  @Test("the device's own music is not copied into itself")
  func itself() async throws {
    let desk = try CopyDesk()
    try desk.write(desk.music / "1.mp3", [1])
    for folder in [desk.music, desk.folder.path] {
      let wish = CopyWish(from: .init(folder: folder), picks: [.init(folder: [])])
      await #expect(throws: Fault.self) { try await desk.copy(wish) }
    }
  }

  @Test("nor where a link leads from one to the other")
  func itselfByLink() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    for inner in ["", "Bach"] {
      let target = inner.isEmpty ? desk.stick : desk.path(inner)
      #expect(target.withCString { old in desk.music.withCString { symlink(old, $0) } } == 0)
      let before = try CopyDesk.tree(desk.stick)
      var fault: Fault?
      do { _ = try await desk.copier().run(desk.wish(), number: nil, sign: StopSign()) } catch { fault = error }
      #expect(fault?.code == "L-428")
      #expect(try CopyDesk.tree(desk.stick) == before)
      _ = desk.music.withCString { unlink($0) }
    }
  }
}
