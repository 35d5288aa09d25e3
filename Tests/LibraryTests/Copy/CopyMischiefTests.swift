import DiskFaults
import Files
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Copies of what somebody made up, or damaged")
struct CopyMischiefTests {
  @Test("sizes and dates that cannot be are told or copied, and never end the program")
  func incredible() async throws {
    for size in [Int64.max, .max - 4_000, DiskSpace.longestFile + 1, .min, -1] {
      #expect(DiskSpace.taken(by: size) >= 0)
      let file = Listing.File(name: [0x61], class: .music, size: size, modified: 0)
      #expect(file.credibleSize == 0)
      #expect(throws: Fault.self) { try Copier.check(size, FilePath("/a")) }
    }
    #expect(Int64.max.adding(5) == .max && Int64.min.adding(-5) == .min && Int64(3).adding(-5) == -2)
    try Copier.check(DiskSpace.longestFile, FilePath("/a"))
    #expect(!DiskSpace(free: .min, total: .min).fits(1))
    var progress = CopyProgress(from: FilePath("/a"), to: FilePath("/b"))
    (progress.phase, progress.began) = (.copying, Moment(nanoseconds: 0))
    (progress.bytes, progress.thereBytes, progress.ofBytes, progress.needed) = (.max, .min, .max, .max)
    let end = Moment(nanoseconds: 2_000_000_000)
    #expect(progress.speed(at: end).map { Int64($0) } ?? 0 > 0 && progress.left(at: end) != nil)
    progress.phase = .planned
    #expect(progress.left(at: end, before: 0) != nil)

    // A file system in memory takes any length, with a hole for nearly all of it.
    let desk = try CopyDesk()
    let source = FilePath("/dev/shm") / "layby-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    guard source.withCString({ mkdir($0, 0o700) }) == 0 else { return }
    let names = ["a lie.mp3", "another.mp3", "true.mp3"]
    defer {
      for name in names { _ = (source / name).withCString { unlink($0) } }
      _ = source.withCString { rmdir($0) }
    }
    for name in names { try desk.write(source / name, CopyDesk.bytes(1_500, 1), modified: -70_000_000_000) }
    for name in names.prefix(2) where (source / name).withCString({ truncate($0, .max - 100) }) != 0 { return }
    let wish = CopyWish(from: .init(folder: source), picks: [.init(folder: [])])
    let plan = try await desk.copier().run(wish, number: nil, sign: StopSign())
    #expect((plan.of, plan.ofBytes, plan.needed) == (3, 1_500, 4_096))
    let done = try await desk.copy(wish)
    #expect((done.files, done.failed) == (3, 2) && done.failures.map(\.fault.code) == ["L-432", "L-432"])
    #expect(try CopyDesk.tree(desk.music).keys.sorted() == ["/true.mp3"])
  }

  @Test("a copy that ended the program twice is dropped and told; not one that came further, or whose machine was off")
  func attempts() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let boot = Array("boot 1".utf8)
    func crash(_ call: Int, boot: [UInt8]) async throws {
      let sign = StopSign()
      let disk = FaultyDisk(failing: call, died: { sign.raise() })
      let copier = desk.copier(disk, boot: boot)
      let job = try #require(try await copier.unfinished().first)
      _ = try? await copier.run(job.wish, number: job.number, sign: sign)
      #expect(disk.isDead)
    }
    _ = try await desk.copier(boot: boot).accept(desk.wish())
    // Right behind the note of the attempt; then with the machine off in between, twice.
    try await crash(3, boot: boot)
    try await crash(3, boot: Array("boot 2".utf8))
    try await crash(3, boot: Array("boot 3".utf8))
    #expect(try await desk.copier(boot: Array("boot 3".utf8)).unfinished().count == 1)
    // It has put the first file in its place.
    let counted = FaultyDisk()
    let calm = try CopyDesk()
    try calm.fill()
    try await calm.copy(disk: counted)
    try await crash(counted.calls / 2, boot: Array("boot 3".utf8))
    try await crash(3, boot: Array("boot 3".utf8))
    #expect(try await desk.copier(boot: Array("boot 3".utf8)).dropped().isEmpty)
    try await crash(3, boot: Array("boot 3".utf8))
    let copier = desk.copier(boot: Array("boot 3".utf8))
    #expect(try await copier.unfinished().isEmpty)
    #expect(try await copier.dropped().map(\.fault.code) == ["L-436"])
    #expect(try await copier.dropped().isEmpty, "told once")
    #expect(!(try CopyDesk.tree(desk.music)).keys.contains { $0.hasPrefix("/.copying") })
  }

  @Test("an end that is not the program's is no attempt")
  func ended() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let sign = StopSign()
    sign.raise()
    for _ in 0..<3 {
      let copier = desk.copier(boot: [1])
      let jobs = try await copier.unfinished()
      let number: Int
      if let job = jobs.first { number = job.number } else { number = try await copier.accept(desk.wish()) }
      await #expect(throws: Fault.self) { try await copier.run(desk.wish(), number: number, sign: sign) }
    }
    #expect(try await desk.copier(boot: [1]).unfinished().count == 1)
  }

  @Test("a link where the hidden folder stands is told of; nothing behind it is touched")
  func plantedLink() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let state = desk.folder.path / "state"
    for name in ["state.db", "7.part", "1.wish"] { try desk.write(state / name, [1]) }
    try Folder.make(desk.music)
    let hidden = desk.music / ".copying"
    #expect(state.withCString { old in hidden.withCString { symlink(old, $0) } } == 0)
    #expect(CopyPart.isUnfinished(in: desk.music), "so that it is told")
    var fault: Fault?
    do { _ = try await desk.copier().unfinished() } catch { fault = error }
    #expect(fault?.code == "L-434")
    fault = nil
    do { _ = try await desk.copier().accept(desk.wish()) } catch { fault = error }
    #expect(fault?.code == "L-434" || fault?.code == KernelDisk.code)
    #expect(try Folder.names(in: state).count == 3)
    #expect(throws: Fault.self) { try CopyJournal(in: desk.music, disk: KernelDisk()).add(desk.wish(), as: 1) }
    #expect(try Folder.names(in: state).count == 3)
  }

  @Test("a wish that cannot be read now stays with its half file; one that says nothing goes")
  func unreadableWish() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let number = try await desk.copier().accept(desk.wish())
    let hidden = desk.music / ".copying"
    try desk.write(hidden / "\(number).part", [1])
    // Reading a folder as a file fails, as a damaged disk does.
    try Folder.make(hidden / "2.wish")
    try desk.write(hidden / "2.part", [1])
    var fault: Fault?
    do { _ = try await desk.copier().unfinished() } catch { fault = error }
    #expect(fault?.code == "R-115")
    #expect(try Folder.names(in: hidden).count == 4)
    _ = (hidden / "2.wish").withCString { rmdir($0) }
    try desk.write(hidden / "2.wish", Array("{}".utf8))
    #expect(try await desk.copier().unfinished().map(\.number) == [number])
    #expect(try Folder.names(in: hidden).count == 2)
  }

  @Test("a wish that would not be read again is not taken")
  func longWish() throws {
    let desk = try CopyDesk()
    var journal = CopyJournal(in: desk.music, disk: KernelDisk())
    journal.limit = desk.wish().json.bytes.count - 1
    #expect(throws: Fault.self) { try journal.add(desk.wish(), as: 1) }
    #expect(!CopyPart.isUnfinished(in: desk.music))
    journal.limit += 1
    try journal.add(desk.wish(), as: 1)
    #expect(try journal.open(in: []) { _ in }.wishes.map(\.wish) == [desk.wish()])
  }

  @Test("nothing is copied into the hidden folder", arguments: [".copying", ".COPYING"])
  func hiddenTarget(name: String) async throws {
    let desk = try CopyDesk()
    try desk.write("\(name)/1.mp3", [1])
    var fault: Fault?
    let wish = desk.wish([.init(folder: [Array(name.utf8)])])
    do { try await desk.copy(wish) } catch let thrown as Fault { fault = thrown }
    #expect(fault?.code == "L-435")
    // Further down it is a name like others.
    try desk.write("a/\(name)/1.mp3", [1])
    #expect(try await desk.copy(desk.wish([.init(folder: [[0x61], Array(name.utf8)])])).failed == 0)
  }

  @Test("a file that is longer than the disk's file system takes is that file's fault alone")
  func tooLong() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let disk = FaultyDisk { (path, at, _) throws(Fault) in
      if path == desk.path("Bach/Suites/1 Air.flac"), at == 4_000 { throw Fault(.unsupported, KernelDisk.tooLong, "") }
    }
    let done = try await desk.copy(disk: disk)
    #expect((done.files, done.failed) == (6, 1) && done.failures.map(\.fault.code) == [KernelDisk.tooLong])
    // What the kernel says of it.
    let file = try Descriptor.open(desk.folder.path / "file", O_RDWR | O_CREAT, code: "T-1")
    let byte: [UInt8] = [1]
    var fault: Fault?
    do throws(Fault) {
      try byte.withUnsafeBytes { bytes -> Result<Void, Fault> in
        do throws(Fault) {
          return .success(try KernelDisk().write(file.number, at: .max - 1, bytes, FilePath("/x")))
        } catch { return .failure(error) }
      }.get()
    } catch { fault = error }
    #expect(fault?.code == KernelDisk.tooLong && fault?.kind == .unsupported)
  }
}
