internal import CFreeType
import Runtime

/// Owns FreeType's memory; every font file opened by it keeps it alive and is closed first.
package final class TypeLibrary {
  let freeType: FT_Library

  package init() throws(Fault) {
    var made: FT_Library?
    let status = FT_Init_FreeType(&made)
    guard status == 0, let made else { throw Fault(.unsupported, "K-101", "cannot start FreeType (error \(status))") }
    freeType = made
  }

  deinit { FT_Done_FreeType(freeType) }

  /// The font in `path`; what it has no glyph for comes from the first of `fallbacks` that has one.
  package func typeface(_ path: FilePath, fallbacks: [FilePath] = []) throws(Fault) -> Typeface {
    Typeface(try FontFile(path, in: self), fallbacks: fallbacks.prefix(15), in: self)
  }
}

/// Where Debian's fonts-dejavu-core puts its files.
package enum DejaVu {
  package static let regular = FilePath("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
  package static let bold = FilePath("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")
}

/// Where Debian's fonts-inter puts the two weights that screens are drawn with.
package enum Inter {
  package static let regular = FilePath("/usr/share/fonts/opentype/inter/Inter-Regular.otf")
  package static let semiBold = FilePath("/usr/share/fonts/opentype/inter/Inter-SemiBold.otf")
}
