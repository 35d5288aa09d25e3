import Kit
import Runtime
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
    while let some = try reconciler.next() {
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
        while try reconciler.next() != nil {}
        isThrough = true
      } catch {}
      if isThrough, !disk.isDead { break }
      disk.restart(&generator)
      var reconciler = try Reconciler([known], in: folder, on: disk)
      while try reconciler.next() != nil {}
      #expect(disk.names == [try part(known)], "call \(failing)")
      #expect(disk.bytes(try part(known)) == [1, 2])
      failing += 1
    }
    #expect(failing > 256)
  }
}
