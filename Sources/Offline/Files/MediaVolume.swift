import Files
import Runtime

/// A folder on a disk of its own on which all music can be kept, and its name for people. One is the board's own, which
/// may be mounted late; the others are the owner's, who makes their folders.
package struct MediaVolume: Equatable, Sendable {
  package static let board = "board"

  package var name: String
  package var path: FilePath

  package init(_ name: String, at path: FilePath) { (self.name, self.path) = (name, path) }

  package var folder: MediaFolder { MediaFolder(path) }
}

/// What a disk was given when it was first used, the board's own too, and what tells it from another in its place, or
/// from the empty folder that stays where it was.
///
/// While a volume is given a new one, the one before counts too. So neither a power cut nor a disk that takes no write
/// costs a volume that is away its mark.
package struct VolumeMark: Equatable, Sendable {
  package static let file = ".layby-volume"
  private static let longest = 100

  /// The volume's folder.
  let path: FilePath
  package let text: String
  /// While `text` may not lie there yet: the one that counted before, empty where there was none.
  let before: String?

  init(_ text: String, at path: FilePath, before: String? = nil) {
    (self.text, self.path, self.before) = (text, path, before)
  }

  /// Of a new one; the name says nothing to a program.
  static func made(for volume: MediaVolume, using generator: inout some RandomNumberGenerator) -> VolumeMark {
    let number = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
    return VolumeMark("\(volume.name) \(number)", at: volume.path)
  }

  /// As rows have it: the mark, and on a second line the one before.
  init(stored: String, at path: FilePath) {
    let lines = stored.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(String(lines[0]), at: path, before: lines.count > 1 ? String(lines[1]) : nil)
  }

  var stored: String { before.map { "\(text)\n\($0)" } ?? text }

  /// Nil where there is none.
  static func text(at path: FilePath, on disk: any MediaDisk) throws(Fault) -> String? {
    let file = path / Self.file
    guard let number = try disk.open(file, making: false) else { return nil }
    defer { disk.close(number) }
    return String(decoding: try disk.bytes(of: number, at: 0, most: Self.longest, code: "O-432", file), as: UTF8.self)
  }

  /// The one of both that counts where `found` lies; nil: nothing was ever kept there.
  func counting(_ found: String?) -> String? {
    guard let before, found != text else { return text }
    return before.isEmpty ? nil : before
  }

  func isThere(on disk: any MediaDisk) -> Bool {
    do throws(Fault) {
      guard let found = try Self.text(at: path, on: disk) else { return false }
      return counting(found) == found
    } catch { return false }
  }

  /// In a folder that is there: none is made.
  func make(on disk: any MediaDisk) throws(Fault) {
    try disk.replace(path / Self.file, with: Array(text.utf8))
  }

  static func anothers(_ path: FilePath) -> Fault {
    Fault(.denied, "O-424", "\(path) is marked as another device's; without its file \(file) it would be used")
  }

  static func away(_ path: FilePath) -> Fault {
    Fault(.missing, "O-307", "the disk of \(path) is not there, or another is in its place")
  }

  /// One that was used before.
  static func away(_ volume: MediaVolume) -> Fault {
    Fault(
      .missing, "O-307",
      "\(volume.path) is not the disk that was used there before; when it shall be from now on: "
        + "layby offline accept \(shownPlain(volume.name))")
  }
}
