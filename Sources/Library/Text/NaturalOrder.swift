/// The order of files and folders as people expect it: 1, 2, 10, whatever the case and the accents of their letters.
/// Folders that are browsed, albums without numbers, and folders that are put into the queue all have this one.
enum NaturalOrder {
  /// Keys compare byte by byte. A name of the kernel's has 255 bytes, and its number may stand at its end.
  static func key(_ name: [UInt8]) -> [UInt8] {
    Array(Folding.sortKey(String(decoding: name, as: UTF8.self)).prefix(longest))
  }

  private static let longest = 255

  /// Names that have the same key stay in the order of their bytes.
  static func sorted<Element>(_ all: [Element], by name: (Element) -> [UInt8]) -> [Element] {
    all.map { (element: $0, name: name($0), key: key(name($0))) }.sorted { one, other in
      one.key == other.key
        ? one.name.lexicographicallyPrecedes(other.name) : one.key.lexicographicallyPrecedes(other.key)
    }.map(\.element)
  }
}
