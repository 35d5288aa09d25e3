import Glibc
import Runtime

/// The file of what a source has given: lines of JSON, a `LicenceBundle` each, the newest last. What comes is put behind
/// what is there, so that 10,000 licences which are renewed by fifty are not written 200 times each; once a third of the
/// file counts no longer, it is written anew. A line that a power cut has left half-written counts for nothing.
struct LicenceFile: Sendable {
  let path: FilePath
  /// Known when its end is the end of a line, so that another one may follow.
  private var length: Int?

  /// A file is written anew when its replaced lines take more bytes than this and half of what counts.
  private static let slack = 256 << 10
  private static let longestFile = 2 * HeldLicences.mostBytes
  private static let longestLine = 2 * LicenceBundle.longest
  private static let mostLines = 20_000
  /// When more lines than this make no sense, the rest is not read either.
  private static let mostDamage = 100

  init(_ path: FilePath) { self.path = path }

  /// Gives each line's bundles, the newest line first, and holds one line at a time. It returns why lines were left out;
  /// nil when none was, and where there is no file.
  mutating func read(_ take: (LicenceBundle) -> Void) throws(Fault) -> Fault? {
    length = nil
    var facts = stat()
    guard path.withCString({ lstat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, code: "E-176")
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longestFile else {
      return Fault(.malformed, "E-176", "\(path) is longer than \(Self.longestFile) bytes")
    }
    let size = Int(facts.st_size)
    var (left, rest) = (size, [UInt8]())
    var (lines, damages, damage, endsWell) = (0, 0, Fault?.none, size == 0)
    while left > 0 {
      var block = [UInt8](repeating: 0, count: min(left, 256 << 10))
      left -= block.count
      let wanted = block.count
      guard lseek(file.number, off_t(left), SEEK_SET) >= 0, Glibc.read(file.number, &block, wanted) == wanted else {
        throw Fault.system("E-176", doing: "read \(path)")
      }
      if rest.isEmpty, !endsWell { endsWell = block.last == UInt8(ascii: "\n") }
      rest = block + rest
      while let line = Self.lastLine(of: &rest, isFirst: left == 0) {
        lines += 1
        do throws(Fault) { for bundle in try LicenceBundle.all(parsing: line) { take(bundle) } } catch {
          (damages, damage) = (damages + 1, damage ?? error)
        }
        guard lines <= Self.mostLines, damages <= Self.mostDamage else {
          return damage ?? Fault(.malformed, "E-176", "\(path) has more than \(Self.mostLines) lines")
        }
      }
      guard rest.count <= Self.longestLine else {
        return Fault(.malformed, "E-176", "a line of \(path) has more than \(Self.longestLine) bytes")
      }
    }
    if damage == nil, endsWell { length = size }
    return damage
  }

  /// Takes the last line off; nil when its beginning is not read yet, or when nothing is left.
  private static func lastLine(of bytes: inout [UInt8], isFirst: Bool) -> [UInt8]? {
    while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      guard isFirst else { return nil }
      defer { bytes = [] }
      return bytes
    }
    let line = Array(bytes[(end + 1)...])
    bytes.removeLast(line.count)
    return line
  }

  /// Puts a line behind the others, or writes the file anew. `counting`: how many bytes count in it by then.
  mutating func add(_ bundle: LicenceBundle, counting: Int, all: () -> [LicenceBundle]) throws(Fault) {
    let line = bundle.fileBytes
    guard let length, length + line.count <= counting + counting / 2 + Self.slack, try append(line, at: length) else {
      return try replace(with: all())
    }
    self.length = length + line.count
  }

  mutating func replace(with bundles: [LicenceBundle]) throws(Fault) {
    length = nil
    var count = 0
    try AtomicFile.replace(path) { file, doing throws(Fault) in
      for bundle in bundles {
        let line = bundle.fileBytes
        try file.writeAll(line, code: "E-175", doing: doing)
        count += line.count
      }
    }
    length = count
  }

  /// False when the file is not as it was left: another one, or one that a write which failed has made longer.
  private func append(_ line: [UInt8], at end: Int) throws(Fault) -> Bool {
    let file: Descriptor
    do throws(Fault) {
      file = try Descriptor.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, code: "E-175")
    } catch { return false }
    var facts = stat()
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) == end else {
      return false
    }
    try file.writeAll(line, code: "E-175", doing: "write \(path)")
    Steps.reach("licences.added")
    guard fsync(file.number) == 0 else { throw Fault.system("E-175", doing: "write \(path)") }
    return true
  }
}
