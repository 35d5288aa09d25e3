import Compression
import Glibc
import Runtime

/// The picture's own bytes, from where they lie.
extension ArtPlace {
  /// What is longer than `limit` is refused before anything is read.
  package func load(_ file: Int32, name: FilePath, limit: Int = 32 << 20) throws(Fault) -> [UInt8] {
    guard length > 0, length <= limit, offset >= 0 else {
      throw Fault(.malformed, "L-204", "a picture in \(name) has \(length) bytes; up to \(limit) are read")
    }
    var raw: [UInt8]
    if let page {
      raw = try loadPages(file, name, from: page)
    } else {
      raw = [UInt8](repeating: 0, count: length)
      let got = try Self.read(file, name, into: &raw, at: offset)
      raw.removeLast(length - got)
    }
    switch coding {
    case .plain: break
    case .unsynchronised:
      let count = raw.withUnsafeMutableBufferPointer { Unsynchronised.undo($0) }
      raw.removeLast(raw.count - count)
    case .compressed: raw = try inflated(raw, name, limit)
    case .compressedUnsynchronised:
      let count = raw.withUnsafeMutableBufferPointer { Unsynchronised.undo($0) }
      raw = try inflated(Array(raw[..<count]), name, limit)
    case .base64:
      var plain: [UInt8] = []
      plain.reserveCapacity(raw.count / 4 * 3 + 3)
      raw.withUnsafeBufferPointer { Base64.append($0, to: &plain) }
      raw = plain
    }
    if skipped > 0 { raw.removeFirst(min(skipped, raw.count)) }
    return raw
  }

  /// Few bytes may become any number: what would become longer than `limit` is refused.
  private func inflated(_ bytes: [UInt8], _ name: FilePath, _ limit: Int) throws(Fault) -> [UInt8] {
    let most = limit + skipped + 1
    guard let plain = bytes.withUnsafeBufferPointer({ ZlibBytes.inflated($0, most: most) }), plain.count < most else {
      throw Fault(
        .malformed, "L-208", "a compressed picture in \(name) is broken, or has more than \(limit) bytes")
    }
    return plain
  }

  /// From page to page of an Ogg stream, without what lies between.
  private func loadPages(_ file: Int32, _ name: FilePath, from page: Int64) throws(Fault) -> [UInt8] {
    let bytes = FileBytes()
    try bytes.begin(file, size: .max, name: name)
    guard var packet = try OggPacket(page: page, in: bytes), packet.at <= offset else { return [] }
    try packet.move(to: offset)
    var all: [UInt8] = []
    while all.count < length {
      let piece = try packet.take(min(length - all.count, FileBytes.most))
      if piece.isEmpty { break }
      all.append(contentsOf: piece.buffer)
    }
    return all
  }

  private static func read(
    _ file: Int32, _ name: FilePath, into bytes: inout [UInt8], at offset: Int64
  ) throws(Fault) -> Int {
    var got = 0
    while got < bytes.count {
      let more = bytes.withUnsafeMutableBytes { space in
        pread(file, space.baseAddress?.advanced(by: got), space.count - got, off_t(offset) &+ off_t(got))
      }
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw Fault.system("L-205", doing: "read a picture of \(name)") }
      if more == 0 { break }
      got += more
    }
    return got
  }
}
