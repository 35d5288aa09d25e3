import Glibc
import Runtime
import Seals

/// Reads one file after the other for an import: what it says of itself, and what its recording is known by. One
/// thread's at a time.
final class FileReader {
  /// One file to be read.
  struct Job: Sendable {
    var path: FilePath
    var facts: FileFacts
    /// What its undeclared texts are written in, where somebody said so.
    var encoding: TextEncoding?
    /// What the files beside it make likely for those of them that are doubtful.
    var neighbours = EncodingShares.usual
  }

  struct Reading: Sendable {
    var found: Found
    /// Texts that do not say how they are written; nil when there are none, or somebody said it.
    var undeclared: UndeclaredTexts?
  }

  private let disk: any ImportDisk
  private var metadata = MetadataReader()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentKey.part, alignment: 16)

  init(_ disk: any ImportDisk) { self.disk = disk }

  deinit { buffer.deallocate() }

  func read(_ job: Job) -> Reading {
    do throws(Fault) {
      return try open(job)
    } catch {
      var facts = job.facts
      // What the disk did not give today it may give tomorrow.
      if error.kind != .malformed && error.kind != .unsupported || error.code == Self.isForeign { facts.size = -1 }
      return Reading(found: Found(facts, .unreadable(error.message)))
    }
  }

  private func open(_ job: Job) throws(Fault) -> Reading {
    let file = try disk.open(job.path)
    var facts = job.facts
    (facts.size, facts.modified) = try Self.state(of: file.number, job.path)
    if let header = try SealHeader(Self.first(SealHeader.length, of: file.number, job.path), of: "\(job.path)") {
      return Reading(found: Found(facts, Self.sealed(header, job.path)))
    }
    var found = try metadata.read(
      file.number, size: facts.size, name: job.path, encoding: job.encoding, neighbours: job.neighbours)
    guard disk.withForeign || Self.ownCodecs.contains(found.codec) else {
      throw Fault(
        .unsupported, Self.isForeign,
        "\(job.path) holds \(found.codec), and the decoder that plays it is not installed")
    }
    found.audio = found.audio.clamped(to: 0..<max(0, facts.size))
    let key = try ContentKey(file.number, found.audio, job.path, buffer: buffer)
    let (size, modified) = try Self.state(of: file.number, job.path)
    // Somebody writes into it: it is read again next time.
    if (size, modified) != (facts.size, facts.modified) { facts.size = -1 }
    return Reading(found: Found(facts, .music(found, key)), undeclared: metadata.undeclared)
  }

  private static func first(_ count: Int, of file: Int32, _ path: FilePath) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(file, &bytes, count, 0)
    guard got >= 0 else { throw Fault.system("L-403", doing: "read \(path)") }
    return Array(bytes[..<got])
  }

  /// An import has no keys, so it reads nothing of a sealed file but its header. The source's index gives the names, the
  /// first playing gives the length, and the id of its key, which no other track has, tells which recording it is.
  private static func sealed(_ header: SealHeader, _ path: FilePath) -> Found.Outcome {
    var metadata = Metadata()
    metadata.codec = path.ending.uppercased()
    return .music(metadata, ContentKey(bytes: header.key.bytes))
  }

  /// It is read again with every import, since the decoder may have been installed meanwhile. Few have a name that
  /// promises another format.
  private static let isForeign = "L-207"
  private static let ownCodecs: Set<String> = ["FLAC", "MP1", "MP2", "MP3", "Vorbis", "Opus", "WAV", "AIFF"]

  static func state(of file: Int32, _ path: FilePath) throws(Fault) -> (size: Int64, modified: Int64) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Fault.system("L-403", doing: "look at \(path)") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(.malformed, "L-404", "\(path) is no file; expected music")
    }
    return (Int64(status.st_size), Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}
