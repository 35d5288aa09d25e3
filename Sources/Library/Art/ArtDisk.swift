import Glibc
import Pictures
import Runtime

/// The second tier: scaled pictures in a folder, within a budget of bytes; what was not asked for longest goes first.
/// All of it can be lost: what is damaged or not ours is thrown away and made again.
///
/// A file gets its name when it is written, so that a crash leaves no half one under it. It is not waited for until it
/// is durable, since a card would hold up others for what can be made again: what a power cut leaves of it is found out
/// by its sum. Belongs to one thread.
struct ArtDisk {
  private struct Entry {
    var length: Int
    var used: UInt64
  }

  private let folder: FilePath
  private let budget: Int
  private(set) var bytes = 0
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0
  private var isOpen = false
  private static let ending = ".art"
  private let log = Log("art")

  init(in folder: FilePath, budget: Int) {
    self.folder = folder
    self.budget = budget
  }

  var count: Int { entries.count }

  static func name(of key: ArtKey) -> String {
    let (wanted, sign) = ArtRecord.shape(of: key.frame)
    return "\(key.identity.text)-\(sign == 0 ? "c" : "f")\(wanted.width)x\(wanted.height)\(ending)"
  }

  /// Looks through the folder once; later only what is asked for is looked at.
  private mutating func open() throws(Fault) {
    guard !isOpen else { return }
    try Folder.make(folder)
    var found: [(name: String, length: Int, modified: Int64)] = []
    for name in try Folder.names(in: folder) {
      let text = String(decoding: name.bytes, as: UTF8.self)
      guard let path = FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name.bytes) else { continue }
      if Self.isOurs(text), let size = ArtFile.isFile(path), let stamp = ArtFile.stamp(of: path) {
        found.append((text, Int(size), stamp.modified))
      } else {
        // A folder stays: it cannot be ours, and what is in it is nothing to throw away unseen.
        _ = path.withCString { unlink($0) }
      }
    }
    for file in found.sorted(by: { $0.modified < $1.modified }) {
      clock += 1
      entries[file.name] = Entry(length: file.length, used: clock)
      bytes += file.length
    }
    isOpen = true
    makeRoom(for: 0)
  }

  private static func isOurs(_ name: String) -> Bool {
    name.hasSuffix(ending) && name.utf8.count > 33 && ArtIdentity(text: name.prefix(32)) != nil
  }

  mutating func picture(_ key: ArtKey) -> Picture? {
    do throws(Fault) {
      try open()
      let name = Self.name(of: key)
      guard let entry = entries[name] else { return nil }
      clock += 1
      entries[name]?.used = clock
      let file = try ArtFile(folder / name, isPlain: true)
      if let picture = ArtRecord.picture(from: try file.readAll(limit: max(entry.length, 1)), of: key) {
        return picture
      }
      log.info("a stored picture is not whole, it is made again", ["file": name])
      drop(name)
    } catch {
      log.info("a stored picture cannot be read", ["reason": error.message])
      if isOpen { drop(Self.name(of: key)) }
    }
    return nil
  }

  /// What cannot be kept is done without.
  mutating func keep(_ picture: Picture, as key: ArtKey) {
    let bytes = ArtRecord.bytes(of: picture, as: key)
    guard bytes.count <= budget else { return }
    do throws(Fault) {
      try open()
      let name = Self.name(of: key)
      drop(name)
      makeRoom(for: bytes.count)
      try write(bytes, name)
      clock += 1
      entries[name] = Entry(length: bytes.count, used: clock)
      self.bytes += bytes.count
    } catch {
      log.info("a picture is not stored", ["reason": error.message])
    }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws(Fault) {
    let path = folder / name
    let growing = path.hiddenSibling(ending: ".new")
    _ = growing.withCString { unlink($0) }
    let doing = "write \(path)"
    do throws(Fault) {
      let file = try Descriptor.open(growing, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, code: "L-505")
      try file.writeAll(bytes, code: "L-505", doing: doing)
    } catch {
      _ = growing.withCString { unlink($0) }
      throw error
    }
    guard growing.withCString({ from in path.withCString { rename(from, $0) } }) == 0 else {
      let fault = Fault.system("L-505", doing: doing)
      _ = growing.withCString { unlink($0) }
      throw fault
    }
  }

  private mutating func makeRoom(for length: Int) {
    guard bytes + length > budget else { return }
    // A little more than needed, so that not every new picture looks through all.
    let goal = max(0, budget - budget / 16 - length)
    for name in entries.sorted(by: { $0.value.used < $1.value.used }).map(\.key) where bytes > goal { drop(name) }
  }

  private mutating func drop(_ name: String) {
    guard let gone = entries.removeValue(forKey: name) else { return }
    bytes -= gone.length
    _ = (folder / name).withCString { unlink($0) }
  }
}
