import Glibc
import Runtime

/// Where a file goes: as on its source, and never in the place of another.
extension Copier {
  enum Place {
    /// Nil when the folder is not made yet.
    case free(FilePath?)
    /// The same bytes are there.
    case taken
  }

  /// Of files with the same size and date these three parts are compared.
  private static let sample = 65_536
  /// FAT counts in steps of two seconds.
  private static let sameDate: Int64 = 2_000_000_000

  private enum Standing { case nothing, folder, file(size: Int64, modified: Int64), other }

  private func standing(at path: FilePath) throws(Fault) -> Standing {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else {
      if errno == ENOENT { return .nothing }
      throw Fault.system(KernelDisk.code, doing: "look at \(path)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG:
      let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
      return .file(size: Int64(status.st_size), modified: modified)
    default: return .other
    }
  }

  /// For a plan, which need not be certain.
  func isThere(_ path: FilePath, size: Int64) -> Bool {
    if case .file(size, _)? = try? standing(at: path) { true } else { false }
  }

  /// The folder for the names; nil when it is not there and is not to be made. One whose name something else has gets
  /// a number.
  func folder(_ names: [[UInt8]], making: Bool, _ rule: TargetNames.Rule) throws(Fault) -> FilePath? {
    var path = music
    for name in names {
      let safe = TargetNames.name(name, rule)
      var found: FilePath?
      for number in 1...TargetNames.mostAlike where found == nil {
        let candidate = Importer.path(path, TargetNames.numbered(safe, number))
        switch try standing(at: candidate) {
        case .folder: found = candidate
        case .nothing:
          guard making else { return nil }
          try disk.makeFolder(candidate)
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
    _ path: FilePath, _ run: CopyRun
  ) async throws(Fault) -> Place {
    guard let folder = try folder(names, making: false, run.rule) else { return .free(nil) }
    let safe = TargetNames.name(name, run.rule)
    for number in 1...TargetNames.mostAlike {
      let candidate = Importer.path(folder, TargetNames.numbered(safe, number))
      switch try standing(at: candidate) {
      case .nothing: return .free(candidate)
      case .folder, .other: break
      case .file(let size, let modified) where size == state.size:
        let isNear = abs(modified &- state.modified) <= Self.sameDate
        if try await isSame(candidate, source, size, sampled: isNear, path, run) { return .taken }
      case .file: break
      }
    }
    throw Self.tooMany(folder, safe)
  }

  private func isSame(
    _ candidate: FilePath, _ source: CopyFile, _ size: Int64, sampled: Bool, _ path: FilePath, _ run: CopyRun
  ) async throws(Fault) -> Bool {
    let other = try CopyFile(candidate, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, code: KernelDisk.code)
    let (step, sample) = (Int64(max(grain.slice, Self.sample)), Int64(Self.sample))
    let isLong = sampled && size > 3 * sample
    let starts = isLong ? [0, (size - sample) / 2, size - sample] : Array(stride(from: 0, to: size, by: Int(step)))
    let (one, two) = (SliceBuffer(Int(step)), SliceBuffer(Int(step)))
    for start in starts {
      let count = Int(min(isLong ? sample : step, size - start))
      let (first, second) = (one.first(count), two.first(count))
      let got = try disk.read(source.number, at: start, into: first, code: Self.reading, path)
      let there = try disk.read(other.number, at: start, into: second, code: KernelDisk.code, candidate)
      disk.drop(other.number, start..<start + Int64(count))
      disk.drop(source.number, start..<start + Int64(count))
      guard got == count, there == count, first.elementsEqual(second) else { return false }
      try run.checkStop()
      await loop.nextRound()
    }
    return true
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
