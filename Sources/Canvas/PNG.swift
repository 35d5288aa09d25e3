import Compression
import Runtime

/// Pictures of the canvas as PNG: 8-bit RGB, one stream, no chunk but the three that must be there.
package enum PNG {
  package static func encode(_ canvas: Canvas) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = bigEndian(UInt32(canvas.size.width)) + bigEndian(UInt32(canvas.size.height)) + [8, 2, 0, 0, 0]
    append("IHDR", header, to: &bytes)
    append("IDAT", try compressed(filtered(canvas)), to: &bytes)
    append("IEND", [], to: &bytes)
    return bytes
  }

  private static func append(_ name: String, _ data: [UInt8], to bytes: inout [UInt8]) {
    let body = Array(name.utf8) + data
    bytes += bigEndian(UInt32(data.count)) + body
    bytes += bigEndian(ZlibBytes.sum(body))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func compressed(_ rows: [UInt8]) throws(Fault) -> [UInt8] {
    do throws(ZlibBytes.Refusal) {
      return try ZlibBytes.deflated(rows)
    } catch {
      throw Fault(.passing, "K-110", "cannot compress a picture (zlib: \(error.status))")
    }
  }

  /// Each row as it is, or as its difference from its left neighbours or from the row above, whichever has the
  /// smallest numbers: screens are mostly flat, and the row above is mostly the same.
  private static func filtered(_ canvas: Canvas) -> [UInt8] {
    let stride = canvas.size.width * 3
    var all: [UInt8] = []
    all.reserveCapacity((stride + 1) * canvas.size.height)
    var above = [UInt8](repeating: 0, count: stride)
    for y in 0..<canvas.size.height {
      var row: [UInt8] = []
      row.reserveCapacity(stride)
      for x in 0..<canvas.size.width {
        let pixel = Pixel(canvas.row(y)[x])
        row += [pixel.red, pixel.green, pixel.blue]
      }
      var left = row
      var up = row
      for index in 0..<stride {
        up[index] &-= above[index]
        if index >= 3 { left[index] &-= row[index - 3] }
      }
      let choices = [row, left, up]
      let best = choices.indices.min { weight(choices[$0]) < weight(choices[$1]) } ?? 0
      all.append(UInt8(best))
      all += choices[best]
      above = row
    }
    return all
  }

  private static func weight(_ row: [UInt8]) -> Int {
    row.reduce(0) { $0 + abs(Int(Int8(bitPattern: $1))) }
  }
}
