import Files
import Glibc
import Runtime

/// What is not whole yet, in one hidden folder of the device's music: wishes, the file that grows for each, and a note
/// beside it of how much of it is durable. So whatever was broken off is found by listing one folder, and nothing that
/// is half stands among the music.
///
/// A note may be older than its file, or about another: it says what the hash of the first bytes is, and only bytes that
/// have it are gone on from. While a copy runs and has not come further yet, it stands there how often it began so: a
/// copy that ends the program does not do that for ever.
struct CopyJournal {
  /// How much of a growing file can be relied on.
  struct Note: Equatable {
    /// Of the source, from its root.
    var names: [[UInt8]]
    var size: Int64
    var modified: Int64
    var durable: Int64
    var key: FileHash.Value
    var hash: FileHash.Value

    func isOf(_ names: [[UInt8]], _ size: Int64, _ modified: Int64) -> Bool {
      self.names == names && self.size == size && self.modified == modified && durable <= size
    }
  }

  struct Left {
    /// In the order of asking.
    var wishes: [(number: Int, wish: CopyWish)] = []
    /// Each of them ended the program too often.
    var dropped: [CopyWish] = []
  }

  static let name = ".copying"
  /// Also where a disk takes both for one name.
  static func isName(_ name: [UInt8]) -> Bool {
    name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } == Array(Self.name.utf8)
  }

  static let mostAttempts: Int64 = 2
  private static let kinds = ["wish", "note", "part", "tries"]
  /// Names that are looked at when it is opened.
  private static let most = 10_000

  let folder: FilePath
  let disk: any CopyDisk
  var limit = CopyWish.limit

  init(in music: FilePath, disk: any CopyDisk) {
    folder = music / Self.name
    self.disk = disk
  }

  func part(_ number: Int) -> FilePath { folder / "\(number).part" }
  private func notes(_ number: Int) -> FilePath { folder / "\(number).note" }
  private func wish(_ number: Int) -> FilePath { folder / "\(number).wish" }
  private func tries(_ number: Int) -> FilePath { folder / "\(number).tries" }

  /// What was wanted and is not done. What of ours belongs to none of it is removed; what is not ours stays. A wish that
  /// cannot be read now is none that says nothing: its half file may be hours of copying.
  func open(in boot: [UInt8], tell: (Fault) -> Void) throws(Fault) -> Left {
    guard let names = try names() else { return Left() }
    var left = Left()
    for name in names where name.ending == "wish" {
      guard let number = Self.number(name) else { continue }
      let bytes = try AtomicFile.read(wish(number), limit: limit)
      do throws(Fault) {
        let json = try JSON(parsing: bytes, limits: .init(depth: 8, size: limit))
        guard let wish = CopyWish(json) else {
          throw Fault(.damaged, "L-430", "\(wish(number)) says nothing that could be copied")
        }
        if attempts(number, in: boot) < Self.mostAttempts {
          left.wishes.append((number, wish))
        } else {
          left.dropped.append(wish)
        }
      } catch { tell(error) }
    }
    let numbers = Set(left.wishes.map(\.number))
    for name in names where Self.isOurs(name) && !(Self.number(name).map { numbers.contains($0) } ?? false) {
      disk.remove(Importer.path(folder, name.bytes))
    }
    closeIfEmpty()
    left.wishes.sort { $0.number < $1.number }
    return left
  }

  /// Nil when there is no such folder. A link of that name leads to files that are not ours to remove.
  private func names() throws(Fault) -> [FilePath]? {
    let number = folder.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard number >= 0, let stream = fdopendir(number) else {
      let error = errno
      if number >= 0 { close(number) }
      if error == ENOENT { return nil }
      try checkFolder()
      throw Fault.system("L-434", doing: "list \(folder)", errno: error)
    }
    defer { closedir(stream) }
    var names: [FilePath] = []
    while names.count < Self.most {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Fault.system("L-434", doing: "list \(folder)") }
        break
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if let name = FilePath(bytes: name) { names.append(name) }
    }
    return names
  }

  private func checkFolder() throws(Fault) {
    var status = stat()
    guard folder.withCString({ lstat($0, &status) }) == 0 else { throw Fault.system("L-434", doing: "find \(folder)") }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Fault(
        .malformed, "L-434", "\(folder) is no folder; nothing is copied before it is taken away, and then it is made")
    }
  }

  /// `7.part`; nil for everything else.
  private static func number(_ name: FilePath) -> Int? {
    let parts = String(decoding: name.bytes, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, kinds.contains(String(parts[1])) else { return nil }
    return Int(parts[0]).flatMap { $0 > 0 && "\($0)" == parts[0] ? $0 : nil }
  }

  /// With what a crash left of writing one: `.7.wish.new`.
  private static func isOurs(_ name: FilePath) -> Bool {
    if number(name) != nil { return true }
    let (bytes, new) = (name.bytes, Array(".new".utf8))
    guard bytes.first == UInt8(ascii: "."), bytes.suffix(new.count).elementsEqual(new) else { return false }
    return FilePath(bytes: Array(bytes.dropFirst().dropLast(new.count))).flatMap { number($0) } != nil
  }

  func add(_ new: CopyWish, as number: Int) throws(Fault) {
    let bytes = new.json.bytes
    guard bytes.count <= limit else {
      throw Fault(.full, "L-437", "so much cannot be wished for in one copy: its names are \(bytes.count) bytes long")
    }
    try disk.makeFolder(folder)
    try checkFolder()
    try disk.replace(wish(number), with: bytes)
  }

  // MARK: Copies that end the program

  /// From now on, should the program end, it was this copy; not where the machine itself was started anew since.
  func begin(_ number: Int, _ boot: [UInt8]) {
    guard !boot.isEmpty else { return }
    let json: JSON = ["count": JSON(attempts(number, in: boot) + 1), "boot": JSON(textBytes: boot)]
    do throws(Fault) { try disk.replace(tries(number), with: json.bytes) } catch {
      Log("copy").info("a copy's attempts are not counted", ["reason": error.message])
    }
  }

  /// It has come further than the time before, or ended with the program still there.
  func clearAttempts(_ number: Int) { disk.remove(tries(number)) }

  /// A count that cannot be read is none: the copy is tried again, as often as a new one.
  private func attempts(_ number: Int, in boot: [UInt8]) -> Int64 {
    guard !boot.isEmpty, let bytes = try? AtomicFile.read(tries(number), limit: 4_096),
      let json = try? JSON(parsing: bytes), json["boot"]?.path?.bytes == boot
    else { return 0 }
    return max(0, min(json["count"]?.whole ?? 0, Self.mostAttempts))
  }

  /// The wish goes last: what a power cut leaves of the rest is found by it.
  func remove(_ number: Int) {
    forget(number)
    disk.remove(tries(number))
    disk.remove(wish(number))
    closeIfEmpty()
  }

  /// The growing file begins anew.
  func forget(_ number: Int) {
    disk.remove(part(number))
    disk.remove(notes(number))
  }

  private func closeIfEmpty() { _ = folder.withCString { rmdir($0) } }

  func note(_ number: Int, _ note: Note) throws(Fault) {
    func shown(_ value: FileHash.Value) -> JSON {
      [JSON(Int64(bitPattern: value.upper)), JSON(Int64(bitPattern: value.lower))]
    }
    let json: JSON = [
      "names": .list(note.names.map { JSON(textBytes: $0) }), "size": JSON(note.size),
      "modified": JSON(note.modified), "durable": JSON(note.durable), "key": shown(note.key), "hash": shown(note.hash),
    ]
    try disk.replace(notes(number), with: json.bytes)
  }

  /// Nil when there is none, or none that can be read: then the file begins anew.
  func note(_ number: Int) -> Note? {
    func value(_ json: JSON?) -> FileHash.Value? {
      let halves = json?.items?.compactMap(\.whole) ?? []
      guard halves.count == 2 else { return nil }
      return .init(upper: UInt64(bitPattern: halves[0]), lower: UInt64(bitPattern: halves[1]))
    }
    do throws(Fault) {
      let json = try JSON(parsing: try AtomicFile.read(notes(number), limit: 1 << 20))
      guard let names = CopyWish.names(json["names"]), let size = json["size"]?.whole,
        let modified = json["modified"]?.whole, let durable = json["durable"]?.whole, durable >= 0,
        let key = value(json["key"]), let hash = value(json["hash"])
      else { return nil }
      return Note(names: names, size: size, modified: modified, durable: durable, key: key, hash: hash)
    } catch { return nil }
  }
}
