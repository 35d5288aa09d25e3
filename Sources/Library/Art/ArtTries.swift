import Glibc
import Runtime

/// Which pictures ended the program. A decoder for foreign bytes may have a fault that ends it: a file is there while a
/// picture is decoded, and one that was decoded twice when the program ended is not tried again, in no life of it.
///
/// It does not have to be durable: where the machine itself was started anew it was not the picture, and what was
/// counted before says nothing.
struct ArtTries {
  static let most = 2
  static let ending = ".tries"
  /// A card that is full of them belongs to somebody who makes them.
  private static let mostKept = 1_000

  private let folder: FilePath
  /// Which start of the machine this is; empty when nobody knows, and then nothing is counted.
  private let boot: [UInt8]
  private var isTidy = false
  private let log = Log("art")

  init(in folder: FilePath, boot: [UInt8]) {
    self.folder = folder
    self.boot = boot
  }

  /// Nil for what is not one of these.
  static func identity(_ name: String) -> ArtIdentity? {
    name.hasSuffix(ending) ? ArtIdentity(text: name.dropLast(ending.utf8.count)) : nil
  }

  /// False for one that shall not be decoded. Otherwise it is counted until `end`.
  mutating func begin(_ identity: ArtIdentity) -> Bool {
    guard !boot.isEmpty else { return true }
    tidy()
    let tried = count(identity)
    if tried >= Self.most { return false }
    do throws(Fault) {
      try Folder.make(folder)
      let file = try Descriptor.open(path(identity), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, code: "L-506")
      try file.writeAll([UInt8(tried + 1)] + boot, code: "L-506", doing: "write \(path(identity))")
    } catch { log.info("tries of a picture are not counted", ["reason": error.message]) }
    return true
  }

  /// The program is still there.
  func end(_ identity: ArtIdentity) { _ = path(identity).withCString { unlink($0) } }

  /// What an earlier start of the machine has left counts no more, but for those that are given up.
  private mutating func tidy() {
    if isTidy { return }
    isTidy = true
    // A folder that is not there holds none.
    guard let names = try? Folder.names(in: folder) else { return }
    var kept = 0
    for name in names {
      guard let identity = Self.identity(String(decoding: name.bytes, as: UTF8.self)) else { continue }
      kept += 1
      if count(identity) == 0 || kept > Self.mostKept { end(identity) }
    }
  }

  private func count(_ identity: ArtIdentity) -> Int {
    guard let bytes = try? AtomicFile.read(path(identity), limit: 256), let first = bytes.first else { return 0 }
    if first >= Self.most { return Self.most }
    return bytes.dropFirst().elementsEqual(boot) ? Int(first) : 0
  }

  private func path(_ identity: ArtIdentity) -> FilePath { folder / "\(identity.text)\(Self.ending)" }
}
