/// Font files in the order in which they are asked for a glyph, with a bounded store of rendered glyphs.
package final class Typeface {
  static let phases = 4

  struct Key: Hashable {
    let file: UInt8
    let phase: UInt8
    let size: UInt16
    let glyph: UInt32
  }

  let files: [FontFile]
  private var glyphs = GlyphStore()

  /// `files` is not empty.
  init(_ files: [FontFile]) { self.files = files }

  /// At a height of `pixels`, kept between 4 and 400.
  package func at(_ pixels: Int) -> Face { Face(typeface: self, size: min(max(pixels, 4), 400)) }

  func glyph(_ key: Key) -> Glyph {
    if let stored = glyphs[key] { return stored }
    let made = files[Int(key.file)].render(key.glyph, size: Int(key.size), phase: Int(key.phase))
    glyphs.add(made, for: key)
    return made
  }

  /// The first file that has it; when none has, the first file's box for missing glyphs.
  func find(_ scalar: Unicode.Scalar) -> (file: Int, glyph: UInt32) {
    for (index, file) in files.enumerated() {
      if let glyph = file.glyph(of: scalar) { return (index, glyph) }
    }
    return (0, 0)
  }

  package var storedGlyphBytes: Int { glyphs.bytes }
}

/// Keeps what was used lately: when the young half is full it becomes the old half, and what is not asked for again
/// before the next change is gone.
struct GlyphStore {
  /// Of coverage and keys, in each half. A screen uses about 60 kB; a walk through a library in many scripts more.
  static let limit = 256 * 1024

  private var young: [Typeface.Key: Glyph] = [:]
  private var old: [Typeface.Key: Glyph] = [:]
  private var youngBytes = 0
  private var oldBytes = 0

  var bytes: Int { youngBytes + oldBytes }

  subscript(key: Typeface.Key) -> Glyph? {
    mutating get {
      if let glyph = young[key] { return glyph }
      guard let glyph = old[key] else { return nil }
      add(glyph, for: key)
      return glyph
    }
  }

  mutating func add(_ glyph: Glyph, for key: Typeface.Key) {
    let cost = glyph.coverage.count + 64
    if youngBytes + cost > Self.limit {
      (old, oldBytes) = (young, youngBytes)
      (young, youngBytes) = ([:], 0)
    }
    young[key] = glyph
    youngBytes += cost
  }
}
