import Runtime

/// What a name tells of a file before it is opened: whether an import has any business with it.
package enum FileNames {
  package enum Class: Equatable, Sendable {
    case music
    case playlist(PlaylistFile.Kind)
    /// A cover that lies beside music; only for whoever takes it along.
    case picture
  }

  /// Nil: nothing of ours.
  package static func `class`(of name: some BidirectionalCollection<UInt8>, withPictures: Bool = false) -> Class? {
    if withPictures, let path = FilePath(bytes: name), ArtNames.isCover(path) { return .picture }
    guard !isJunk(name), let text = ending(of: name) else { return nil }
    if ownMusic.contains(text) || foreignMusic.contains(text) { return .music }
    return PlaylistFile.Kind(rawValue: text).map { .playlist($0) }
  }

  /// What systems leave on a stick: hidden files, the second halves of Mac files, bins and indexes.
  package static func isJunk(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first else { return true }
    return first == UInt8(ascii: ".") || junk.contains(Array(name))
  }

  /// Whether music of this name is played by the decoder of foreign formats only, which need not be installed.
  package static func isForeign(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    ending(of: name).map { foreignMusic.contains($0) } ?? false
  }

  private static func ending(of name: some BidirectionalCollection<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    guard (2...5).contains(ending.count) else { return nil }
    return String(decoding: ending.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static let ownMusic: Set<String> = [
    "flac", "mp3", "mp2", "ogg", "oga", "opus", "wav", "wave", "rf64", "aif", "aiff", "aifc",
  ]

  private static let foreignMusic: Set<String> = [
    "m4a", "m4b", "mp4", "aac", "alac", "wma", "asf", "ape", "wv", "mpc", "mka", "tta", "tak", "dsf", "dff", "caf",
    "ac3", "dts", "spx", "au", "w64", "3gp",
  ]

  private static let junk: Set<[UInt8]> = Set(
    [
      "System Volume Information", "$RECYCLE.BIN", "$Recycle.Bin", "RECYCLER", "RECYCLED", "lost+found", "FOUND.000",
      "Thumbs.db", "desktop.ini", "Desktop.ini", "LOST.DIR", "__MACOSX", "Network Trash Folder", "Temporary Items",
    ].map { Array($0.utf8) })
}
