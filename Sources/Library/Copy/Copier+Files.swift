import Files
import Glibc
import Runtime

/// One file's way: grow, be read back, get its name.
extension Copier {
  static let changed = "L-425"
  static let readBack = "L-426"

  /// False when it was there already.
  func bring(
    _ file: Listing.File, at path: FilePath, in names: [[UInt8]], _ number: Int, _ run: inout CopyRun
  ) async throws(Fault) -> Bool {
    // Never a link, and never waiting for whoever would write into a pipe.
    let source = try CopyFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, code: Self.reading)
    posix_fadvise(source.number, 0, 0, POSIX_FADV_SEQUENTIAL)
    for isLast in [false, true] {
      let state = try FileReader.state(of: source.number, path)
      try Self.check(state.size, path)
      if case .taken = try await free(file.name, in: names, like: source, state, path, &run) { return false }
      if run.progress.began == nil { run.progress.began = loop.now }
      let note = CopyJournal.Note(
        names: names + [file.name], size: state.size, modified: state.modified, durable: 0, key: newKey(),
        hash: .init(upper: 0, lower: 0))
      let hash = try await grow(from: source, note, path, number, &run)
      guard hash != nil, try FileReader.state(of: source.number, path) == state else {
        journal.forget(number)
        guard isLast else { continue }
        throw Fault(.passing, Self.changed, "\(path) was changed while it was copied, twice")
      }
      guard try await isWritten(hash?.value, under: hash?.key, state.size, number, run) else {
        journal.forget(number)
        guard isLast else { continue }
        throw Fault(
          .damaged, Self.readBack, "the copy of \(path) reads otherwise than it was written; is the disk well?")
      }
      return try await name(file.name, in: names, like: source, state, path, number, &run)
    }
    return false
  }

  /// What the file's bytes must hash to, and by which key. Nil when the source has more or fewer than it said.
  private func grow(
    from source: CopyFile, _ new: CopyJournal.Note, _ path: FilePath, _ number: Int, _ run: inout CopyRun
  ) async throws(Fault) -> (value: FileHash.Value, key: FileHash.Value)? {
    let part = journal.part(number)
    let file = try CopyFile(part, O_RDWR | O_CREAT | O_NOFOLLOW, code: KernelDisk.code)
    var (note, hash) = try await takeUp(file, from: source, path, new, number, run)
    let before = run.progress.bytes
    let space = try disk.space(at: music)
    guard space.fits(DiskSpace.taken(by: new.size - note.durable)) else {
      throw Self.tooLarge(run.progress, new.size - note.durable, space)
    }
    try disk.cut(file.number, to: note.durable, part)
    var (at, written, noted) = (note.durable, note.durable, note.durable)
    let buffer = SliceBuffer(grain.slice)
    do throws(Fault) {
      while true {
        let got = try disk.read(source.number, at: at, into: buffer.bytes, code: Self.reading, path)
        if got == 0 || at + Int64(got) > new.size { break }
        disk.drop(source.number, at..<at + Int64(got))
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<got])
        hash.add(bytes)
        try disk.write(file.number, at: at, bytes, part)
        at += Int64(got)
        if at - written >= grain.unwritten {
          try disk.sync(file.number, part)
          disk.drop(file.number, written..<at)
          written = at
          if at - noted >= grain.unnoted {
            (note.durable, note.hash) = (at, hash.value)
            try mark(number, note)
            noted = at
          }
        }
        run.progress.bytes = before.adding(at)
        run.tell(at: loop.now)
        try run.checkStop()
        await loop.nextRound()
      }
    } catch {
      keep(file, &note, at, hash, number)
      throw error
    }
    guard at == new.size else { return nil }
    let date = timespec(tv_sec: Int(new.modified / 1_000_000_000), tv_nsec: Int(new.modified % 1_000_000_000))
    // By its date it is told sooner that it is the same; a disk that keeps none costs a comparison.
    _ = futimens(file.number, [date, date])
    try disk.sync(file.number, part)
    return (hash.value, note.key)
  }

  /// Where an earlier try came to, as far as its bytes prove it and the source still begins with them; else the
  /// beginning. Two files may have one name, size and date: half of each would agree with its own hash.
  private func takeUp(
    _ file: CopyFile, from source: CopyFile, _ path: FilePath, _ new: CopyJournal.Note, _ number: Int, _ run: CopyRun
  ) async throws(Fault) -> (note: CopyJournal.Note, hash: FileHash) {
    guard let known = journal.note(number), known.isOf(new.names, new.size, new.modified) else {
      return (new, FileHash(new.key))
    }
    let (length, part) = (known.durable, journal.part(number))
    // What cannot be read again, or is not what was noted, is begun anew.
    guard let hash = try? await hash(of: file, length, by: known.key, KernelDisk.code, part, run),
      hash.value == known.hash
    else {
      try run.checkStop()
      return (new, FileHash(new.key))
    }
    let there = try await self.hash(of: source, length, by: known.key, Self.reading, path, run)
    return there.value == known.hash ? (known, hash) : (new, FileHash(new.key))
  }

  private func mark(_ number: Int, _ note: CopyJournal.Note) throws(Fault) {
    try Self.onDisk { () throws(Fault) in try journal.note(number, note) }
    journal.clearAttempts(number)
  }

  /// Broken off: what is there is not begun anew. Where that cannot be noted it goes on from the note before.
  private func keep(_ file: CopyFile, _ note: inout CopyJournal.Note, _ at: Int64, _ hash: FileHash, _ number: Int) {
    guard at > note.durable else { return }
    do throws(Fault) {
      try disk.sync(file.number, journal.part(number))
      (note.durable, note.hash) = (at, hash.value)
      try mark(number, note)
    } catch { log(error) }
  }

  private nonisolated func log(_ fault: Fault) {
    Log("copy").info("a half file is not noted", ["reason": fault.message])
  }

  /// The first `length` bytes.
  private func hash(
    of file: CopyFile, _ length: Int64, by key: FileHash.Value, _ code: String, _ path: FilePath, _ run: CopyRun
  ) async throws(Fault) -> FileHash {
    var hash = FileHash(key)
    let buffer = SliceBuffer(grain.slice)
    var at: Int64 = 0
    while at < length {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(min(Int64(grain.slice), length - at))])
      let got = try disk.read(file.number, at: at, into: wanted, code: code, path)
      if got == 0 { break }
      hash.add(UnsafeRawBufferPointer(rebasing: wanted[..<got]))
      disk.drop(file.number, at..<at + Int64(got))
      at += Int64(got)
      try run.checkStop()
      await loop.nextRound()
    }
    return hash
  }

  /// Reads back what was written, from the disk and not from memory.
  private func isWritten(
    _ value: FileHash.Value?, under key: FileHash.Value?, _ size: Int64, _ number: Int, _ run: CopyRun
  ) async throws(Fault) -> Bool {
    guard let value, let key else { return false }
    let part = journal.part(number)
    let file = try CopyFile(part, O_RDONLY | O_NOFOLLOW, code: KernelDisk.code)
    disk.drop(file.number, 0..<size)
    return try await hash(of: file, size, by: key, KernelDisk.code, part, run).value == value
  }

  /// False when the same bytes have the name by now.
  private func name(
    _ name: [UInt8], in names: [[UInt8]], like source: CopyFile, _ state: (size: Int64, modified: Int64),
    _ path: FilePath, _ number: Int, _ run: inout CopyRun
  ) async throws(Fault) -> Bool {
    _ = try folder(names, making: true, run.rule)
    // Whoever else puts files there: a name that was free is taken now.
    for _ in 0..<10 {
      guard case .free(let place?) = try await free(name, in: names, like: source, state, path, &run) else {
        journal.forget(number)
        return false
      }
      if try Self.onDisk({ () throws(Fault) in try disk.place(journal.part(number), as: place) }) {
        journal.forget(number)
        journal.clearAttempts(number)
        return true
      }
    }
    throw Fault(.busy, "L-427", "somebody else writes into \(music)")
  }
}

/// Memory for one slice.
final class SliceBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ count: Int) { bytes = .allocate(byteCount: count, alignment: 4_096) }

  deinit { bytes.deallocate() }
}
