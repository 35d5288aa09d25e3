import Glibc
import Runtime
import TestSupport

@testable import Library

/// A file of a test's own making, open for reading and gone with it.
final class MadeFile {
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws(Fault) {
    var template = Array("/tmp/layby-test-file-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw Fault.system("T-1", doing: "make a temporary file") }
    unlink(template)
    descriptor = number
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(number, $0.baseAddress?.advanced(by: written), bytes.count - written, off_t(written))
      }
      guard count > 0 else { throw Fault.system("T-2", doing: "write a temporary file") }
      written += count
    }
  }

  deinit { close(descriptor) }

  static func read(
    _ bytes: [UInt8], name: String = "made.mp3", size: Int64? = nil, encoding: TextEncoding? = nil
  ) throws(Fault) -> Metadata {
    let file = try MadeFile(bytes)
    var reader = MetadataReader()
    return try reader.read(
      file.descriptor, size: size ?? Int64(bytes.count), name: FilePath(name), encoding: encoding)
  }

  static func pictures(_ bytes: [UInt8], name: String = "made.mp3") throws(Fault) -> [[UInt8]] {
    let file = try MadeFile(bytes)
    var reader = MetadataReader()
    let found = try reader.read(file.descriptor, size: Int64(bytes.count), name: FilePath(name))
    var pictures: [[UInt8]] = []
    for place in found.art { pictures.append(try place.load(file.descriptor, name: FilePath(name))) }
    return pictures
  }
}

/// Tags put together by hand.
enum Bytes {
  static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  static func little(_ value: Int, _ count: Int = 4) -> [UInt8] { big(value, count).reversed() }

  static func syncSafe(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (7 * (3 - $0)) & 0x7F) } }

  static func wide(_ text: String, little: Bool = true, mark: Bool = true) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { little ? self.little(Int($0), 2) : big(Int($0), 2) }
  }

  /// A second of silence as MPEG: frames of 128 kbit/s at 44,100 Hz.
  static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)

  static func mpeg(_ count: Int = 8) -> [UInt8] { (0..<count).flatMap { _ in frame } }

  static func id3(
    _ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8], padding: Int = 10, length: Int? = nil
  ) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + syncSafe(length ?? frames.count + padding) + frames
      + [UInt8](repeating: 0, count: padding)
  }

  static func frame(_ version: UInt8, _ name: String, flags: UInt8 = 0, _ inside: [UInt8]) -> [UInt8] {
    let head = Array(name.utf8)
    switch version {
    case 2: return head + big(inside.count, 3) + inside
    case 3: return head + big(inside.count) + [0, flags] + inside
    default: return head + syncSafe(inside.count) + [0, flags] + inside
    }
  }

  static func text(_ version: UInt8, _ name: String, _ coding: UInt8, _ text: [UInt8]) -> [UInt8] {
    frame(version, name, [coding] + text)
  }

  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      escaped.append(byte)
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte == 0xFF && (next == 0 || next >= 0xE0) { escaped.append(0) }
    }
    return escaped
  }

  static func id3v1(title: [UInt8], artist: [UInt8], album: [UInt8] = [], track: UInt8 = 7, genre: UInt8 = 17)
    -> [UInt8]
  {
    func field(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
      Array((bytes + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field(album, 30) + Array("1999".utf8)
      + field([], 28) + [0, track, genre]
  }

  static func ape(_ items: [(String, UInt32, [UInt8])], hasHead: Bool = true) -> [UInt8] {
    var inside: [UInt8] = []
    for (key, flags, value) in items {
      inside += little(value.count)
      inside += little(Int(flags))
      inside += Array(key.utf8) + [0] + value
    }
    func mark(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + little(2_000) + little(inside.count + 32) + little(items.count) + little(flags)
        + [UInt8](repeating: 0, count: 8)
    }
    return (hasHead ? mark(0xA000_0000) : []) + inside + mark(hasHead ? 0x8000_0000 : 0)
  }

  static func atom(_ name: [UInt8], _ inside: [UInt8]) -> [UInt8] { big(inside.count + 8) + name + inside }
  static func atom(_ name: String, _ inside: [UInt8]) -> [UInt8] { atom(Array(name.utf8), inside) }
}
