/// What is in a folder beside what is known of it, both in the order of their names: one look at each.
struct Comparison {
  private let files: [Listing.File]
  private let known: [Catalogue.KnownFolder.Entry]
  private var (file, entry) = (0, 0)
  /// Something that is known is there no more, under its name, as whatever. Only right at the end.
  private(set) var isSomeGone: Bool
  private let folders: [[UInt8]]

  init(_ listing: Listing, _ folder: Catalogue.KnownFolder) {
    files = listing.files
    known = folder.entries
    folders = listing.folders
    isSomeGone = false
    if folder.folders != listing.folders {
      let there = Set(listing.folders).union(listing.files.map(\.name))
      isSomeGone = folder.folders.contains { !there.contains($0) }
    }
  }

  /// The next file that is there, with what is known under its name.
  mutating func next() -> (file: Listing.File, known: Known?)? {
    guard file < files.count else {
      while entry < known.count { passOver() }
      return nil
    }
    let found = files[file]
    file += 1
    while entry < known.count, known[entry].name.lexicographicallyPrecedes(found.name) { passOver() }
    // A name may be known twice, as music and as a playlist; the playlist stands behind.
    var before: Known?
    while entry < known.count, known[entry].name == found.name {
      before = known[entry].known
      entry += 1
    }
    return (found, before)
  }

  private mutating func passOver() {
    if !isSomeGone { isSomeGone = !folders.contains(known[entry].name) }
    entry += 1
  }
}
