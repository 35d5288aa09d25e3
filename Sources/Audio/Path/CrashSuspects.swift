import Formats
import Glibc
import Runtime
import Synchronization

/// Files that were being opened or measured when the program died, so that one file cannot kill it for ever: after two
/// deaths it is passed over until it changes or the board is started again.
///
/// Before a job touches a file, the file's identity is written to `opening` in the run folder; when the job is done it
/// is taken out again. That folder is in memory and outlives the program: what still stands there at the next start was
/// at hand when the program died, whatever killed it. `suspects` beside it counts such deaths for each file.
///
/// May be called from any thread. Each job is done by one thread at a time.
package final class CrashSuspects: Sendable {
  package enum Job: Int, CaseIterable, Sendable { case opening, measuring }

  /// A file that was at hand at so many deaths is passed over.
  package static let limit = 2
  /// Deaths by more files than this in one boot have another cause.
  private static let most = 32
  /// An identity has a path and two numbers; a slot has its length in front.
  private static let slotSize = 4 + FilePath.limit + 64

  /// What a path leads to: another size or another time of change is another file.
  private struct Identity: Hashable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(of path: FilePath) {
      let file = MusicPart(address: path)?.file ?? path
      var status = stat()
      let isThere = file.withCString { stat($0, &status) } == 0
      let time = isThere ? "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) " : "- - "
      bytes = Array((Array(time.utf8) + file.bytes).prefix(CrashSuspects.slotSize - 4))
    }
  }

  /// Number -1 when nothing can be kept; then nothing is suspected.
  private let marks: Descriptor
  private let deaths: [Identity: Int]

  /// Suspects nothing: for tests, tools, and a second process on the same run folder.
  package init() {
    marks = Descriptor(taking: -1)
    deaths = [:]
  }

  /// `afterDeath`: the last run in `folder` did not end by itself, so what it left at hand counts.
  package init(in folder: FilePath, afterDeath: Bool) {
    let log = Log("suspects")
    do throws(Fault) {
      let marks = try Descriptor.open(folder / "opening", O_RDWR | O_CREAT, code: "A-112")
      var deaths = try Self.read(folder / "suspects")
      let left = afterDeath ? Job.allCases.compactMap { Self.mark(of: $0, in: marks.number) } : []
      for identity in Set(left) where deaths.count < Self.most || deaths[identity] != nil {
        deaths[identity, default: 0] += 1
        let times = deaths[identity] ?? 0
        log.warning("died", ["deaths": times, "file": shownPlain(String(decoding: identity.bytes, as: UTF8.self))])
      }
      if !left.isEmpty { try AtomicFile.replace(folder / "suspects", with: Self.bytes(of: deaths)) }
      _ = ftruncate(marks.number, 0)
      self.deaths = deaths
      self.marks = marks
    } catch {
      log.warning("not kept", ["reason": error.message])
      deaths = [:]
      marks = Descriptor(taking: -1)
    }
  }

  /// Does `work` with the file at hand, or refuses to.
  package func with<Result>(
    _ path: FilePath, _ job: Job, _ work: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    guard marks.number >= 0 else { return try work() }
    let identity = Identity(of: path)
    if let times = deaths[identity], times >= Self.limit {
      throw Fault(
        .unsupported, "A-113",
        "\(path) is passed over, because the player died \(times) times while it was opening or measuring it; it is"
          + " tried again when the file has changed, or after the next start of the board")
    }
    write(identity.bytes, for: job)
    defer { write([], for: job) }
    Steps.reach(job == .opening ? "file.opening" : "file.measuring")
    return try work()
  }

  /// A slot that cannot be written costs its suspicion and nothing else: the folder is in memory.
  private func write(_ identity: [UInt8], for job: Job) {
    let size = UInt32(identity.count)
    let slot = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + identity
    _ = pwrite(marks.number, slot, slot.count, off_t(job.rawValue * Self.slotSize))
  }

  private static func mark(of job: Job, in marks: Int32) -> Identity? {
    var slot = [UInt8](repeating: 0, count: slotSize)
    let count = pread(marks, &slot, slotSize, off_t(job.rawValue * slotSize))
    guard count > 4 else { return nil }
    let size = (0..<4).reduce(0) { $0 | Int(slot[$1]) << (8 * $1) }
    return size > 0 && size <= count - 4 ? Identity(bytes: Array(slot[4..<4 + size])) : nil
  }

  // MARK: The counts as a file: for each a byte with the deaths, a slot, one after the other

  private static func bytes(of deaths: [Identity: Int]) -> [UInt8] {
    deaths.flatMap { identity, count in
      [UInt8(clamping: count), UInt8(identity.bytes.count & 0xFF), UInt8(identity.bytes.count >> 8)] + identity.bytes
    }
  }

  private static func read(_ path: FilePath) throws(Fault) -> [Identity: Int] {
    var rest: ArraySlice<UInt8>
    do throws(Fault) { rest = try AtomicFile.read(path, limit: most * slotSize)[...] } catch {
      if error.kind == .missing { return [:] }
      throw error
    }
    var deaths: [Identity: Int] = [:]
    while rest.count > 3 {
      let start = rest.startIndex
      let size = Int(rest[start + 1]) | Int(rest[start + 2]) << 8
      guard size <= rest.count - 3 else { break }
      deaths[Identity(bytes: Array(rest[start + 3..<start + 3 + size]))] = Int(rest[start])
      rest = rest[(start + 3 + size)...]
    }
    return deaths
  }
}
