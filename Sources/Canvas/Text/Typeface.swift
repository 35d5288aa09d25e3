import Runtime

/// Font files in the order in which they are asked for a glyph, with bounded stores of rendered glyphs and of texts
/// that were laid out. Each fall-back is opened for the first letter that all files before it lack, so most boards never
/// open most of them. Lives on the main loop, or on one test's thread.
package final class Typeface {
  static let phases = 4

  struct Key: Hashable {
    let file: UInt8
    let phase: UInt8
    let size: UInt16
    let glyph: UInt32
  }

  /// Those that are open; what `find` gave is one of them.
  private(set) var files: [FontFile]
  private var fallbacks: ArraySlice<FilePath>
  private let library: TypeLibrary
  private var glyphs = TwoGenerationCache<Key, Glyph>(limit: Typeface.glyphBytes)
  private var heights: [Int: (ascent: Int, descent: Int)] = [:]
  var texts = TextStore()
  /// How often HarfBuzz was asked, and how many glyphs were rendered: what a text costs the first time.
  var shapings = 0
  private(set) var renderings = 0

  /// How many bytes of drawn letters, with their keys, one generation of the cache holds. A screen uses about 60 kB, a
  /// walk through a library in many scripts more.
  static let glyphBytes = 256 * 1_024

  init(_ first: FontFile, fallbacks: ArraySlice<FilePath>, in library: TypeLibrary) {
    (files, self.fallbacks, self.library) = ([first], fallbacks, library)
  }

  /// At a height of `pixels`, kept between 4 and 400.
  package func at(_ pixels: Int) -> Face { Face(typeface: self, size: min(max(pixels, 4), 400)) }

  func glyph(_ key: Key) -> Glyph {
    if let stored = glyphs[key] { return stored }
    renderings += 1
    let made = files[Int(key.file)].render(key.glyph, size: Int(key.size), phase: Int(key.phase))
    glyphs.add(made, for: key, bytes: made.coverage.count + 64)
    return made
  }

  /// The first file that has it; when none has, the first file's box for missing glyphs.
  func find(_ scalar: Unicode.Scalar) -> (file: Int, glyph: UInt32) {
    var index = 0
    while index < files.count || openFallback() {
      if let glyph = files[index].glyph(of: scalar) { return (index, glyph) }
      index += 1
    }
    return (0, 0)
  }

  /// The next that can be opened; false when none is left. One that is missing or broken is logged and done without:
  /// text must be readable with what is there.
  private func openFallback() -> Bool {
    while let path = fallbacks.popFirst() {
      do throws(Fault) {
        files.append(try FontFile(path, in: library))
        return true
      } catch {
        Log("canvas").info("done without a fall-back font", ["reason": error.description])
      }
    }
    return false
  }

  /// A line has at least one row, and no more than letters of its size can need, whatever a font says of itself.
  func height(size: Int) -> (ascent: Int, descent: Int) {
    if let known = heights[size] { return known }
    let (ascent, descent) = files[0].height(size: size)
    let height = (ascent: min(max(ascent, 1), 4 * size), descent: min(max(descent, 0), 4 * size))
    heights[size] = height
    return height
  }

  package var storedGlyphBytes: Int { glyphs.bytes }
  package var storedTextBytes: Int { texts.bytes }
}
