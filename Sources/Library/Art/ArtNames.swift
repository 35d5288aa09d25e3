import Runtime

/// What a picture beside music is called. Names only; what is in it is found out when it is decoded.
enum ArtNames {
  private static let stems: Set = ["cover", "folder", "front", "album"]
  private static let endings: Set = ["jpg", "jpeg", "png", "webp"]

  /// Hidden files and those that a Mac puts beside each ("._cover.jpg") begin with a dot, and so are none.
  static func isCover(_ name: FilePath) -> Bool {
    guard endings.contains(name.ending), name.bytes.first != UInt8(ascii: ".") else { return false }
    return stems.contains(String(decoding: name.nameWithoutEnding.bytes, as: UTF8.self).lowercased())
  }
}
