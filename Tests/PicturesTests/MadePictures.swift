import CJPEG
import CWebP
import CZ
import Canvas
import Glibc
import TestSupport

@testable import Pictures

extension SeededGenerator {
  mutating func colour() -> Pixel { Pixel(UInt32(truncatingIfNeeded: next())) }
}

/// A picture to be packed: red, green, blue and alpha of each pixel.
struct MadePicture {
  var size: Size
  var bytes: [UInt8]

  init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt32, alpha: (Int, Int) -> UInt8 = { _, _ in 255 }) {
    size = Size(width: width, height: height)
    bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let value = Pixel(pixel(x, y))
        bytes += [value.red, value.green, value.blue, alpha(x, y)]
      }
    }
  }

  /// Slow changes of all three colours: lossy encoders keep them.
  static func slopes(_ width: Int, _ height: Int) -> MadePicture {
    MadePicture(
      width, height,
      { x, y in
        UInt32(x * 255 / max(1, width - 1)) << 16 | UInt32(y * 255 / max(1, height - 1)) << 8
          | UInt32(255 - x * 255 / max(1, width - 1))
      })
  }

  /// Red, green, blue and white, each a quarter.
  static func quarters(_ width: Int, _ height: Int) -> MadePicture {
    MadePicture(
      width, height,
      { x, y in
        switch (x * 2 < width, y * 2 < height) {
        case (true, true): 0xE01010
        case (false, true): 0x10C020
        case (true, false): 0x2030D0
        case (false, false): 0xF0F0F0
        }
      })
  }

  func pixel(_ x: Int, _ y: Int) -> Pixel {
    let at = (y * size.width + x) * 4
    return Pixel(red: bytes[at], green: bytes[at + 1], blue: bytes[at + 2])
  }
}

// MARK: JPEG

extension MadePicture {
  enum Inks { case colours, grey, inks, adobeInks }

  func jpeg(_ inks: Inks = .colours, progressive: Bool = false, quality: Int32 = 95, halved: Bool = true) -> [UInt8] {
    var encoder = jpeg_compress_struct()
    var errors = jpeg_error_mgr()
    encoder.err = jpeg_std_error(&errors)
    jpeg_CreateCompress(&encoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.stride)
    defer { jpeg_destroy_compress(&encoder) }
    var out: UnsafeMutablePointer<UInt8>?
    var length: UInt = 0
    jpeg_mem_dest(&encoder, &out, &length)
    defer { free(out) }
    encoder.image_width = JDIMENSION(size.width)
    encoder.image_height = JDIMENSION(size.height)
    let parts: Int
    switch inks {
    case .colours: (parts, encoder.in_color_space) = (3, JCS_RGB)
    case .grey: (parts, encoder.in_color_space) = (1, JCS_GRAYSCALE)
    case .inks, .adobeInks: (parts, encoder.in_color_space) = (4, JCS_CMYK)
    }
    encoder.input_components = Int32(parts)
    jpeg_set_defaults(&encoder)
    jpeg_set_quality(&encoder, quality, 1)
    if inks == .colours && !halved { encoder.comp_info[0].h_samp_factor = 1 }
    if inks == .colours && !halved { encoder.comp_info[0].v_samp_factor = 1 }
    if inks == .inks { encoder.write_Adobe_marker = 0 }
    if progressive { jpeg_simple_progression(&encoder) }
    jpeg_start_compress(&encoder, 1)
    for y in 0..<size.height {
      var row = (0..<size.width).flatMap { x in packed(x, y, inks) }
      row.withUnsafeMutableBufferPointer { row in
        var rows: [JSAMPROW?] = [row.baseAddress]
        _ = jpeg_write_scanlines(&encoder, &rows, 1)
      }
    }
    jpeg_finish_compress(&encoder)
    return Array(UnsafeBufferPointer(start: out, count: Int(length)))
  }

  private func packed(_ x: Int, _ y: Int, _ inks: Inks) -> [UInt8] {
    let pixel = pixel(x, y)
    let parts = [pixel.red, pixel.green, pixel.blue]
    switch inks {
    case .colours: return parts
    case .grey: return [pixel.green]
    case .adobeInks: return parts + [255]
    case .inks: return parts.map { 255 - $0 } + [0]
    }
  }
}

// MARK: WebP

extension MadePicture {
  func webp(lossless: Bool, quality: Float = 95) -> [UInt8] {
    var out: UnsafeMutablePointer<UInt8>?
    let stride = Int32(size.width * 4)
    let (width, height) = (Int32(size.width), Int32(size.height))
    let length =
      lossless
      ? WebPEncodeLosslessRGBA(bytes, width, height, stride, &out)
      : WebPEncodeRGBA(bytes, width, height, stride, quality, &out)
    defer { WebPFree(out) }
    return Array(UnsafeBufferPointer(start: out, count: length))
  }
}

// MARK: PNG

/// Writes PNG of any kind by the format's own text, with zlib alone.
struct MadePNG {
  enum Kind: UInt8 { case grey = 0, colours = 2, palette = 3, greyAlpha = 4, coloursAlpha = 6 }

  var kind = Kind.coloursAlpha
  var depth = 8
  var isInterlaced = false
  /// Declares another size than it has.
  var declared: Size?
  /// What stands between head and pixels.
  var between: [(String, [UInt8])] = []

  func packed(_ picture: MadePicture) -> [UInt8] {
    let size = declared ?? picture.size
    let head = Self.number(size.width) + Self.number(size.height)
    var bytes: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    bytes += Self.chunk("IHDR", head + [UInt8(depth), kind.rawValue, 0, 0, isInterlaced ? 1 : 0])
    for (name, body) in between { bytes += Self.chunk(name, body) }
    if kind == .palette { bytes += Self.chunk("PLTE", Self.cube(1 << depth)) }
    bytes += Self.chunk("IDAT", Self.squeezed(rows(picture)))
    return bytes + Self.chunk("IEND", [])
  }

  private func rows(_ picture: MadePicture) -> [UInt8] {
    let passes: [(x: Int, y: Int, stepX: Int, stepY: Int)] =
      isInterlaced
      ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
      : [(0, 0, 1, 1)]
    var all: [UInt8] = []
    for pass in passes where pass.x < picture.size.width {
      for y in stride(from: pass.y, to: picture.size.height, by: pass.stepY) {
        let values = stride(from: pass.x, to: picture.size.width, by: pass.stepX).flatMap { samples(picture, $0, y) }
        all += [0] + bits(values)
      }
    }
    return all
  }

  /// As numbers of `depth` bits.
  private func samples(_ picture: MadePicture, _ x: Int, _ y: Int) -> [Int] {
    let at = (y * picture.size.width + x) * 4
    let parts = picture.bytes[at..<at + 4].map(Int.init)
    func deep(_ value: Int) -> Int { depth == 16 ? value * 257 : value >> (8 - depth) }
    switch kind {
    case .grey: return [deep(parts[1])]
    case .greyAlpha: return [deep(parts[1]), deep(parts[3])]
    case .colours: return parts[..<3].map(deep)
    case .coloursAlpha: return parts.map(deep)
    case .palette: return [(parts[0] >> 5) << 5 | (parts[1] >> 5) << 2 | parts[2] >> 6]
    }
  }

  private func bits(_ values: [Int]) -> [UInt8] {
    if depth == 16 { return values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    if depth == 8 { return values.map { UInt8($0) } }
    var bytes = [UInt8](repeating: 0, count: (values.count * depth + 7) / 8)
    for (index, value) in values.enumerated() {
      bytes[index * depth / 8] |= UInt8(value) << UInt8(8 - depth - index * depth % 8)
    }
    return bytes
  }

  /// A palette of colours in steps: three bits red, three green, two blue.
  private static func cube(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in 0..<count {
      bytes.append(UInt8(entry >> 5 & 7) * 36)
      bytes.append(UInt8(entry >> 2 & 7) * 36)
      bytes.append(UInt8(entry & 3) * 85)
    }
    return bytes
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return number(data.count) + body + number(Int(crc32(0, body, uInt(body.count))))
  }

  static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  static func squeezed(_ raw: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(raw.count))
    var packed = [UInt8](repeating: 0, count: Int(length))
    _ = compress2(&packed, &length, raw, uLong(raw.count), 6)
    return Array(packed[..<Int(length)])
  }
}
