import Glibc
import Runtime

/// The file of what a source has given: lines of JSON, a `LicenceBundle` each, the newest last. What comes is put behind
/// what is there, so that 10,000 licences which are renewed by fifty are not written 200 times each; once more than half
/// of the file counts no longer, it is written anew. A line that a power cut has left half-written counts for nothing.
struct LicenceFile: Sendable {
  let path: FilePath
  /// Known when its end is the end of a line, so that another one may follow.
  private var length: Int?

  /// Of one source.
  static let mostLicences = 12_000
  /// Of one source, in bytes, with the lists of keys that vouch for its licences.
  static let longest = 16 << 20
  /// What a short file may have that does not count.
  private static let slack = 256 << 10
  static let longestFile = 3 * longest

  init(_ path: FilePath) { self.path = path }

  /// Its lines, and why some are left out. An empty list for no file.
  mutating func read() throws(Fault) -> (bundles: [LicenceBundle], damage: Fault?) {
    length = nil
    guard let bytes = try PlainFile.read(path, limit: Self.longestFile, code: "E-176") else { return ([], nil) }
    var (bundles, damage) = ([LicenceBundle](), Fault?.none)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      do throws(Fault) { bundles += try LicenceBundle.all(parsing: Array(line)) } catch { damage = damage ?? error }
    }
    if damage == nil, bytes.last ?? UInt8(ascii: "\n") == UInt8(ascii: "\n") { length = bytes.count }
    return (bundles, damage)
  }

  /// Puts a line behind the others, or writes the file anew. `counting`: the bytes of what counts in it by then.
  mutating func add(_ bundle: LicenceBundle, counting: Int, all: () -> [LicenceBundle]) throws(Fault) {
    let line = bundle.fileBytes
    guard let length, length + line.count <= 2 * counting + Self.slack, try append(line, at: length) else {
      return try replace(with: all())
    }
    self.length = length + line.count
  }

  mutating func replace(with bundles: [LicenceBundle]) throws(Fault) {
    length = nil
    let bytes = bundles.flatMap(\.fileBytes)
    try AtomicFile.replace(path, with: bytes)
    length = bytes.count
  }

  /// False when the file is another one than was read.
  private mutating func append(_ line: [UInt8], at end: Int) throws(Fault) -> Bool {
    let file: Descriptor
    do throws(Fault) {
      file = try Descriptor.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, code: "E-175")
    } catch { return false }
    var facts = stat()
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) == end else {
      return false
    }
    do throws(Fault) {
      try file.writeAll(line, code: "E-175", doing: "write \(path)")
      Steps.reach("licences.added")
      guard fsync(file.number) == 0 else { throw Fault.system("E-175", doing: "write \(path)") }
    } catch {
      // It may end in half a line, so it is written anew next time.
      length = nil
      throw error
    }
    return true
  }
}
