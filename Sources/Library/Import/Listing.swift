import Glibc
import Runtime

/// What of a folder an import has business with, as it stands on the disk.
package struct Listing: Equatable, Sendable {
  package struct File: Equatable, Sendable {
    package var name: [UInt8]
    package var `class`: FileNames.Class
    package var size: Int64
    package var modified: Int64
  }

  /// In the order of their bytes, as everything here.
  package var folders: [[UInt8]] = []
  package var files: [File] = []
  /// Links, pipes, devices: what is named like music and is none.
  package var oddities = 0
  /// Music of formats that nothing here plays.
  package var unplayable = 0
  /// How many more there are than are taken. So many are counted at most.
  package var left = 0
  package static let mostCounted = 1_000_000

  package var isCut: Bool { left > 0 }

  package var isEmpty: Bool { folders.isEmpty && files.isEmpty && oddities == 0 && unplayable == 0 }

  /// More than this in one folder are left out, and that is told: an import holds one folder in memory.
  package static let most = 100_000

  private let withPictures: Bool
  private let withForeign: Bool

  /// - Parameters:
  ///   - followingLink: `folder` may be a link only when it is what the owner named.
  ///   - withForeign: whether the decoder of foreign formats is installed. Otherwise their files are counted as
  ///     `unplayable`, and are no music.
  package init(
    of folder: FilePath, followingLink: Bool = false, withPictures: Bool = false, withForeign: Bool = true,
    most: Int = Listing.most
  ) throws(Fault) {
    self.withPictures = withPictures
    self.withForeign = withForeign
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLink ? 0 : O_NOFOLLOW)
    let number = folder.withCString { Glibc.open($0, flags) }
    guard number >= 0, let stream = fdopendir(number) else {
      let fault = Fault.system("L-401", doing: "list \(folder)")
      if number >= 0 { close(number) }
      throw fault
    }
    defer { closedir(stream) }
    while left < Self.mostCounted {
      errno = 0
      guard let entry = readdir(stream) else {
        // Half a folder must not look like a whole one: what was not seen would be forgotten.
        if errno != 0 { throw Fault.system("L-401", doing: "list \(folder)") }
        break
      }
      if folders.count + files.count < most {
        try take(entry, in: number, folder)
      } else if isWanted(entry) {
        left += 1
      }
    }
    folders.sort { $0.lexicographicallyPrecedes($1) }
    files.sort { $0.name.lexicographicallyPrecedes($1.name) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }

  /// By its name alone, since a file that is only counted is not looked at.
  private func isWanted(_ entry: UnsafeMutablePointer<dirent>) -> Bool {
    let name = Self.name(of: entry)
    if FileNames.isJunk(name) { return false }
    return entry.pointee.d_type == UInt8(DT_DIR) || FileNames.class(of: name, withPictures: withPictures) != nil
  }

  private mutating func take(
    _ entry: UnsafeMutablePointer<dirent>, in folder: Int32, _ path: FilePath
  ) throws(Fault) {
    let name = Self.name(of: entry)
    let kind = UInt32(entry.pointee.d_type)
    if FileNames.isJunk(name) { return }
    let known = FileNames.class(of: name, withPictures: withPictures)
    if known == nil && kind != UInt32(DT_DIR) && kind != UInt32(DT_UNKNOWN) { return }
    if kind == UInt32(DT_DIR) { return folders.append(name) }
    var status = stat()
    guard
      (name + [0]).withUnsafeBufferPointer({ bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
          text.baseAddress.map { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? -1
        }
      }) == 0
    else {
      // It went in this moment, or the disk does not answer; then nobody knows what is here.
      if errno == ENOENT { return }
      throw Fault.system("L-401", doing: "look at what is in \(path)")
    }
    // A file system that does not say what an entry is says it here.
    switch status.st_mode & S_IFMT {
    case S_IFDIR: folders.append(name)
    case S_IFREG:
      guard let known else { return }
      if known == .music, !withForeign, FileNames.isForeign(name) {
        unplayable += 1
        return
      }
      let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
      files.append(File(name: name, class: known, size: Int64(status.st_size), modified: modified))
    default: if known != nil { oddities += 1 }
    }
  }
}
