import Glibc
import Runtime

/// What is not whole yet, in one hidden folder of the device's music: wishes, the file that grows for each, and a note
/// beside it of how much of it is durable. So whatever was broken off is found by listing one folder, and nothing that
/// is half stands among the music.
///
/// A note may be older than its file, or about another: it says what the hash of the first bytes is, and only bytes that
/// have it are gone on from.
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

  static let name = ".copying"
  /// Names that are looked at when it is opened.
  private static let most = 10_000

  let folder: FilePath
  let disk: any CopyDisk

  init(in music: FilePath, disk: any CopyDisk) {
    folder = music / Self.name
    self.disk = disk
  }

  func part(_ number: Int) -> FilePath { folder / "\(number).part" }
  private func notes(_ number: Int) -> FilePath { folder / "\(number).note" }
  private func wish(_ number: Int) -> FilePath { folder / "\(number).wish" }

  /// What was wanted and is not done, in the order of asking. Everything that belongs to none of it is removed.
  func open(tell: (Fault) -> Void) throws(Fault) -> [(number: Int, wish: CopyWish)] {
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: folder, limit: Self.most) } catch {
      if error.kind == .missing { return [] }
      throw error
    }
    var found: [(number: Int, wish: CopyWish)] = []
    for name in names where name.ending == "wish" {
      guard let number = Self.number(name) else { continue }
      do throws(Fault) {
        let bytes = try AtomicFile.read(wish(number), limit: CopyWish.limit)
        let json = try JSON(parsing: bytes, limits: .init(depth: 8, size: CopyWish.limit))
        guard let wish = CopyWish(json) else {
          throw Fault(.damaged, "L-430", "\(wish(number)) says nothing that could be copied")
        }
        found.append((number, wish))
      } catch { tell(error) }
    }
    let numbers = Set(found.map(\.number))
    for name in names where !(Self.number(name).map { numbers.contains($0) } ?? false) {
      disk.remove(Importer.path(folder, name.bytes))
    }
    closeIfEmpty()
    return found.sorted { $0.number < $1.number }
  }

  /// `7.part`; nil for what is none of ours, and for what a crash left of writing one.
  private static func number(_ name: FilePath) -> Int? {
    let parts = String(decoding: name.bytes, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, ["wish", "note", "part"].contains(parts[1]) else { return nil }
    return Int(parts[0]).flatMap { $0 > 0 && "\($0)" == parts[0] ? $0 : nil }
  }

  func add(_ new: CopyWish, as number: Int) throws(Fault) {
    try disk.makeFolder(folder)
    try disk.replace(wish(number), with: new.json.bytes)
  }

  /// The wish goes last: what a power cut leaves of the rest is found by it.
  func remove(_ number: Int) {
    forget(number)
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
