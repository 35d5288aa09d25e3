internal import CFreeType
import Runtime

/// Owns one open font file and closes it exactly once. FreeType keeps the last size and glyph inside it, so it is
/// used on one thread only, the main loop.
final class FontFile {
  private let library: TypeLibrary
  private let face: FT_Face
  private var pixels = 0
  private let path: FilePath
  /// Opened with the first text that needs it.
  private(set) lazy var shaped = ShapedFont(path)

  init(_ path: FilePath, in library: TypeLibrary) throws(Fault) {
    var opened: FT_Face?
    let status = path.withCString { FT_New_Face(library.freeType, $0, 0, &opened) }
    guard status == 0, let opened else {
      let isMissing = status == FT_Err_Cannot_Open_Resource
      let reason = isMissing ? "it is not there, or not readable, or empty" : "it is no font (error \(status))"
      throw Fault(isMissing ? .missing : .malformed, "K-102", "cannot open the font \(path): \(reason)")
    }
    guard opened.pointee.face_flags & 1 != 0, opened.pointee.charmap != nil else {
      FT_Done_Face(opened)
      throw Fault(.unsupported, "K-103", "cannot use the font \(path): it has no outlines, or no Unicode table")
    }
    self.library = library
    self.path = path
    face = opened
  }

  deinit { FT_Done_Face(face) }

  /// Nil when the font has none.
  func glyph(of scalar: Unicode.Scalar) -> UInt32? {
    let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
    return index == 0 ? nil : UInt32(index)
  }

  /// To the next letter, in parts of an em.
  func advance(of glyph: UInt32) -> Int32 {
    var units: FT_Fixed = 0
    guard FT_Get_Advance(face, glyph, Int32(FT_LOAD_NO_SCALE), &units) == 0 else { return 0 }
    return Em.parts(of: Int(units), perEm: unitsPerEm)
  }

  /// How much nearer together two letters stand; in parts of an em.
  func kerning(_ left: UInt32, _ right: UInt32) -> Int32 {
    guard face.pointee.face_flags & 1 << 6 != 0 else { return 0 }
    var vector = FT_Vector()
    guard FT_Get_Kerning(face, left, right, FT_KERNING_UNSCALED.rawValue, &vector) == 0 else { return 0 }
    return Em.parts(of: Int(vector.x), perEm: unitsPerEm)
  }

  private var unitsPerEm: Int { Int(face.pointee.units_per_EM) }

  /// Pixels above and below the base line.
  func height(size: Int) -> (ascent: Int, descent: Int) {
    guard use(size) else { return (size, 0) }
    let metrics = face.pointee.size.pointee.metrics
    return (Int(metrics.ascender + 63) / 64, Int(-metrics.descender + 63) / 64)
  }

  /// `phase` shifts it to the right by quarters of a pixel, so that letters keep their distances at small sizes. A
  /// glyph that cannot be drawn, or is larger than any letter, is blank.
  func render(_ glyph: UInt32, size: Int, phase: Int) -> Glyph {
    guard use(size) else { return Glyph() }
    var shift = FT_Vector(x: phase * 64 / Typeface.phases, y: 0)
    FT_Set_Transform(face, nil, &shift)
    // Light hinting: letters stand on whole rows, but keep their widths.
    let lightHinting = Int32(FT_RENDER_MODE_LIGHT.rawValue) << 16
    guard FT_Load_Glyph(face, glyph, Int32(FT_LOAD_NO_BITMAP) | lightHinting) == 0, let slot = face.pointee.glyph,
      slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return Glyph() }
    // A broken font's outlines may lie anywhere: memory is taken only for what is a letter's size.
    var box = FT_BBox()
    FT_Outline_Get_CBox(&slot.pointee.outline, &box)
    let most = Self.mostEms * size * 64
    guard box.xMin >= -most, box.xMax <= most, box.yMin >= -most, box.yMax <= most,
      ((box.xMax - box.xMin) / 64 + 2) * ((box.yMax - box.yMin) / 64 + 2) <= Self.mostPixels,
      FT_Render_Glyph(slot, FT_RENDER_MODE_LIGHT) == 0
    else { return Glyph() }
    var result = Glyph()
    let bitmap = slot.pointee.bitmap
    let isGrey = UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_GRAY.rawValue
    guard isGrey, let buffer = bitmap.buffer, bitmap.pitch > 0, Int(bitmap.pitch) >= Int(bitmap.width) else {
      return result
    }
    result.width = Int(bitmap.width)
    result.height = Int(bitmap.rows)
    result.left = Int(slot.pointee.bitmap_left)
    result.top = Int(slot.pointee.bitmap_top)
    result.coverage.reserveCapacity(result.width * result.height)
    for row in 0..<result.height {
      let start = buffer + row * Int(bitmap.pitch)
      result.coverage += UnsafeBufferPointer(start: start, count: result.width)
    }
    return result
  }

  /// The widest letters of Arabic are twelve ems.
  private static let mostEms = 16
  private static let mostPixels = 1 << 20

  private func use(_ size: Int) -> Bool {
    if size == pixels { return true }
    guard FT_Set_Pixel_Sizes(face, 0, FT_UInt(size)) == 0 else { return false }
    pixels = size
    return true
  }
}

/// How much of each pixel a glyph covers.
struct Glyph {
  var coverage: [UInt8] = []
  var width = 0
  var height = 0
  /// From the pen to the first column.
  var left = 0
  /// From the base line up to the first row.
  var top = 0
}
