import Files
import Glibc
import Runtime

/// Where a file goes: as on its source, and never in the place of another.
extension Copier {
  enum Destination {
    /// Nil when the folder is not made yet.
    case free(FilePath?)
    /// The same bytes are there.
    case taken
  }

  private enum Existing { case nothing, folder, file(size: Int64), other }

  private func existing(at path: FilePath) throws(Fault) -> Existing {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else {
      if errno == ENOENT { return .nothing }
      throw Fault.system(KernelDisk.code, doing: "look at \(path)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file(size: Int64(status.st_size))
    default: return .other
    }
  }

  /// For a plan, which need not be certain.
  func isThere(_ path: FilePath, size: Int64) -> Bool {
    if case .file(size)? = try? existing(at: path) { true } else { false }
  }

  /// The folder for the names; nil when it is not there and is not to be made. One whose name something else has gets
  /// a number.
  func folder(_ names: [[UInt8]], making: Bool, _ rule: TargetNames.Rule) throws(Fault) -> FilePath? {
    var path = music
    for name in names {
      let safe = TargetNames.name(name, rule)
      guard path != music || !CopyJournal.isName(safe) else {
        throw Fault(
          .malformed, "L-435", "\(CopyJournal.name) in \(music) is the program's own; nothing is copied into it")
      }
      var found: FilePath?
      for number in 1...TargetNames.mostAlike where found == nil {
        let candidate = Importer.path(path, TargetNames.numbered(safe, number))
        switch try existing(at: candidate) {
        case .folder: found = candidate
        case .nothing:
          guard making else { return nil }
          try Self.onDisk { () throws(Fault) in try disk.makeFolder(candidate) }
          found = candidate
        case .file, .other: break
        }
      }
      guard let found else { throw Self.tooMany(path, safe) }
      path = found
    }
    return path
  }

  func free(
    _ name: [UInt8], in names: [[UInt8]], like source: CopyFile, _ state: (size: Int64, modified: Int64),
    _ path: FilePath, _ run: inout CopyRun
  ) async throws(Fault) -> Destination {
    guard let folder = try folder(names, making: false, run.rule) else { return .free(nil) }
    let safe = TargetNames.name(name, run.rule)
    for number in 1...TargetNames.mostAlike {
      let candidate = Importer.path(folder, TargetNames.numbered(safe, number))
      switch try existing(at: candidate) {
      case .nothing: return .free(candidate)
      case .folder, .other: break
      case .file(let size) where size == state.size:
        if try await isSame(candidate, source, size, path, &run) { return .taken }
      case .file: break
      }
    }
    throw Self.tooMany(folder, safe)
  }

  /// All bytes are compared: a file is told to be there only when it is.
  private func isSame(
    _ candidate: FilePath, _ source: CopyFile, _ size: Int64, _ path: FilePath, _ run: inout CopyRun
  ) async throws(Fault) -> Bool {
    let (bytes, there) = (run.progress.bytes, run.progress.thereBytes)
    defer { (run.progress.bytes, run.progress.thereBytes) = (bytes, there) }
    let other = try CopyFile(candidate, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, code: KernelDisk.code)
    let (one, two) = (SliceBuffer(grain.slice), SliceBuffer(grain.slice))
    for start in stride(from: 0, to: size, by: grain.slice) {
      let count = Int(min(Int64(grain.slice), size - start))
      let (first, second) = (one.first(count), two.first(count))
      let got = try disk.read(source.number, at: start, into: first, code: Self.reading, path)
      let found = try disk.read(other.number, at: start, into: second, code: KernelDisk.code, candidate)
      disk.drop(other.number, start..<start + Int64(count))
      disk.drop(source.number, start..<start + Int64(count))
      guard got == count, found == count, Self.areSame(first, second) else { return false }
      (run.progress.bytes, run.progress.thereBytes) = (bytes.adding(start), there.adding(start))
      run.tell(at: loop.now)
      try run.checkStop()
      await loop.nextRound()
    }
    return true
  }

  private static func areSame(_ one: UnsafeMutableRawBufferPointer, _ two: UnsafeMutableRawBufferPointer) -> Bool {
    guard let first = one.baseAddress, let second = two.baseAddress else { return one.isEmpty && two.isEmpty }
    return one.count == two.count && memcmp(first, second, one.count) == 0
  }

  private static func tooMany(_ folder: FilePath, _ name: [UInt8]) -> Fault {
    Fault(
      .malformed, "L-427",
      "\(TargetNames.mostAlike) others in \(folder) are called \(FilePath(bytes: name)?.description ?? "?") already")
  }
}

extension SliceBuffer {
  func first(_ count: Int) -> UnsafeMutableRawBufferPointer { .init(rebasing: bytes[..<count]) }
}
