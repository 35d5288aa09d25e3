import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Rows and files after a power cut")
struct ReconcilerTests {
  let folder = MediaFolder(FilePath("/media"))
  let disk = MemoryDisk()

  func record(_ item: String, _ state: DownloadRecord.State, durable: Int64 = 0, size: Int64? = nil) -> DownloadRecord {
    var record = DownloadRecord(MediaKey(source: "shop", item: item, quality: .high))
    (record.state, record.durable, record.size) = (state, durable, size)
    return record
  }

  func part(_ record: DownloadRecord) throws -> FilePath { folder.part(try MediaFolder.Name(of: record.key)) }
  func whole(_ record: DownloadRecord) throws -> FilePath {
    folder.whole(try MediaFolder.Name(of: record.key), ending: "flac")
  }

  func reconcile(
    _ records: [DownloadRecord]
  ) throws -> (found: [MediaKey: Reconciler.Found], counts: Reconciler.Counts, steps: Int) {
    var reconciler = try Reconciler(records, in: folder, on: disk)
    var found: [MediaKey: Reconciler.Found] = [:]
    var steps = 0
    while let some = reconciler.next() {
      steps += 1
      for one in some { found[one.key] = one }
    }
    return (found, reconciler.counts, steps)
  }

  @Test("files without a row are taken away, and files of somebody else's stay")
  func orphans() throws {
    let known = record("1", .queued, durable: 5)
    let gone = record("2", .queued)
    let strange = try part(known).folder / "holiday.jpg"
    for path in [try part(known), try part(gone), try whole(gone), strange, FilePath("/media/notes.part")] {
      disk.put(path, [1, 2, 3, 4, 5, 6])
    }
    let (found, counts, steps) = try reconcile([known])
    #expect(found[known.key]?.remains == Download.Remains(length: 6))
    #expect(disk.names == [try part(known), strange, FilePath("/media/notes.part")])
    #expect(counts == Reconciler.Counts(checked: 1, removed: 2, strange: 1))
    #expect(steps == 256)
  }

  @Test("a row whose file is gone, or is not as long as it was, goes back to the line")
  func missing() throws {
    var (one, two, three) = (
      record("1", .completed, durable: 3, size: 3), record("2", .completed, durable: 3, size: 3),
      record("3", .completed, durable: 3, size: 3)
    )
    one.path = "\(try whole(one))"
    // Under another folder then: by its name it is the same.
    three.path = "/elsewhere/aa/\(try whole(three).name)"
    disk.put(try whole(two), [1, 2])
    disk.put(try whole(three), [1, 2, 3])
    let (found, counts, _) = try reconcile([one, two, three])
    for record in [one, two] {
      let remains = try #require(found[record.key]?.remains)
      let restored = Download.restored(record, remains)
      #expect(restored.download.state == .queued && restored.download.record.trouble == .lost)
    }
    let last = try whole(three)
    #expect(found[three.key]?.remains.isWhole == true && found[three.key]?.whole == last)
    #expect(disk.names == [last] && counts.removed == 1)
  }

  @Test("a final name counts only where a row says that all was checked")
  func early() throws {
    let (publishing, fetching) = (
      record("1", .downloading(.publishing), durable: 2, size: 2),
      record("2", .downloading(.fetching), durable: 1, size: 2)
    )
    for record in [publishing, fetching] { disk.put(try whole(record), [1, 2]) }
    let (found, _, _) = try reconcile([publishing, fetching])
    let remains = try #require(found[publishing.key]?.remains)
    #expect(Download.restored(publishing, remains).download.state == .completed)
    #expect(found[fetching.key]?.remains == Download.Remains())
    #expect(disk.names == [try whole(publishing)])
  }

  @Test("an older version stays for as long as the new one is not whole, whatever its file is called")
  func older() throws {
    for (state, hasPart) in [
      (DownloadRecord.State.queued, false), (.downloading(.fetching), true), (.downloading(.publishing), true),
      (.failed, false), (.paused, true),
    ] {
      let disk = MemoryDisk()
      var record = record("1", state, durable: hasPart ? 2 : 0, size: 2)
      let old = folder.whole(try MediaFolder.Name(of: record.key), ending: "mp3")
      (record.path, record.ending) = ("\(old)", "flac")
      disk.put(old, [1, 2, 3])
      if hasPart { disk.put(try part(record), [4, 5]) }
      let found = try found(of: record, on: disk)
      #expect(found.whole == old && found.remains.hasOlder && !found.remains.isWhole, "\(state.name)")
      let restored = Download.restored(record, found.remains).download
      #expect(restored.record.path == record.path && restored.state != .completed, "\(state.name)")
      #expect(disk.bytes(old) == [1, 2, 3])
    }
  }

  @Test("the new version has its name, and the older one, which had another, goes")
  func newer() throws {
    let disk = MemoryDisk()
    var record = record("1", .downloading(.publishing), durable: 2, size: 2)
    let old = folder.whole(try MediaFolder.Name(of: record.key), ending: "mp3")
    (record.path, record.ending) = ("\(old)", "flac")
    disk.put(old, [7, 8])
    disk.put(try whole(record), [4, 5])
    let found = try found(of: record, on: disk)
    #expect(found.whole == (try whole(record)) && found.remains == Download.Remains(isWhole: true))
    #expect(disk.names == [try whole(record)])
    #expect(Download.restored(record, found.remains).download.state == .completed)
  }

  private func found(of record: DownloadRecord, on disk: MemoryDisk) throws -> Reconciler.Found {
    var reconciler = try Reconciler([record], in: folder, on: disk)
    var found: [Reconciler.Found] = []
    while let some = reconciler.next() { found += some }
    return try #require(found.first)
  }

  @Test("of a folder that cannot be listed nothing is known: what is whole stays so, and the others are looked at")
  func unlistable() throws {
    var (whole, grows, waits) = (
      record("1", .completed, durable: 3, size: 3), record("2", .downloading(.fetching), durable: 2, size: 3),
      record("3", .queued)
    )
    for record in [whole, grows, waits] { disk.put(try part(record), [1, 2]) }
    whole.path = "\(try self.whole(whole))"
    (grows.path, waits.state) = ("\(folder.path / "aa" / "old.mp3")", .failed)
    for record in [whole, grows] { disk.makeUnlistable(try part(record).folder) }
    let (found, counts, steps) = try reconcile([whole, grows, waits])
    #expect(steps == 256 && counts.unknown == 2 && counts.removed == 0 && counts.checked == 1)
    let remains = try [whole, grows, waits].map { try #require(found[$0.key]?.remains) }
    #expect(remains[0].isWhole && remains[1].hasOlder && remains[2].length == 2)
    #expect(Download.restored(whole, remains[0]).actions == [])
    let restored = Download.restored(grows, remains[1]).download.record
    #expect(restored.state == .queued && restored.durable == 0 && restored.path == grows.path)
    #expect(disk.names.count == 3)
  }

  @Test(
    "a whole file that its row does not know of is checked and taken, and never removed",
    arguments: [
      DownloadRecord.State.queued, .downloading(.fetching), .downloading(.verifying), .retrying, .failed, .completed,
      .paused,
    ])
  func unchecked(state: DownloadRecord.State) throws {
    for (hasHash, size, isTaken) in [(true, 3, true), (false, 3, false), (true, 4, false)] {
      let disk = MemoryDisk()
      var record = record("1", state, size: 3)
      (record.hash, record.waits) = (hasHash ? "0123" : nil, state == .queued ? .space : nil)
      if state == .completed { record.path = "/media/aa/another.mp3" }
      disk.put(try whole(record), [UInt8](repeating: 7, count: size))
      disk.put(try part(record), [1])
      let found = try found(of: record, on: disk)
      let (download, actions) = Download.restored(record, found.remains)
      #expect(disk.names == [try part(record)] && found.whole == nil, "\(state.name)")
      guard isTaken else {
        let bytes = disk.bytes(try part(record))
        #expect(download.record.durable == 0 && !found.remains.isUnchecked && bytes == [1])
        continue
      }
      #expect(disk.bytes(try part(record)) == [7, 7, 7] && download.record.durable == 3, "\(state.name)")
      #expect(download.state == (state == .paused ? .paused : .queued) && download.record.waits == nil)
      #expect(actions.contains(.store(download.record)))
      guard state != .paused else { continue }
      var (random, begun) = (SeededGenerator(seed: 1), download)
      // Nothing is asked of anybody.
      let next = begun.hear(.start, using: &random)
      #expect(next.contains(.verify(begun.ticket, size: 3, hash: "0123")), "\(state.name)")
    }
  }

  @Test("of two whole files the one that counts stays, and what was set aside before the power went is given back")
  func both() throws {
    var record = record("1", .completed, durable: 3, size: 3)
    (record.hash, record.path) = ("0123", "\(try whole(record))")
    disk.put(try whole(record), [1, 2, 3])
    disk.put(folder.whole(try MediaFolder.Name(of: record.key), ending: "mp3"), [4, 5, 6])
    let grows = self.record("2", .queued, durable: 2, size: 9)
    disk.put(try part(grows), [1, 2], allocated: 9)
    #expect(disk.setAside == 7)
    let (found, _, _) = try reconcile([record, grows])
    #expect(found[record.key]?.remains == Download.Remains(isWhole: true))
    #expect(disk.names == [try whole(record), try part(grows)])
    #expect(disk.setAside == 0 && found[grows.key]?.remains == Download.Remains(length: 2))
  }

  @Test("what was cancelled has no files")
  func cancelled() throws {
    let record = record("1", .cancelled)
    disk.put(try part(record), [1])
    disk.put(try whole(record), [1])
    #expect(try reconcile([record]).found[record.key]?.remains == Download.Remains())
    #expect(disk.names.isEmpty)
  }

  @Test("whichever call fails or cuts the power, a second time comes to the same end")
  func again() throws {
    var generator = SeededGenerator(seed: 2)
    let known = record("1", .queued, durable: 2)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.put(try part(known), [1, 2])
      disk.put(try part(record("2", .queued)), [1])
      disk.put(try whole(record("3", .queued)), [1])
      disk.fail(failing, .dies(afterwards: failing % 2 == 0))
      var isThrough = false
      do {
        var reconciler = try Reconciler([known], in: folder, on: disk)
        while reconciler.next() != nil {}
        isThrough = true
      } catch {}
      if isThrough, !disk.isDead { break }
      disk.restart(&generator)
      var reconciler = try Reconciler([known], in: folder, on: disk)
      while reconciler.next() != nil {}
      #expect(disk.names == [try part(known)], "call \(failing)")
      #expect(disk.bytes(try part(known)) == [1, 2])
      failing += 1
    }
    #expect(failing > 256)
  }
}
