import Glibc
import TestSupport
import Testing

@testable import Library

@Suite("TextEncoding")
struct TextEncodingTests {
  @Test(
    "each says its own texts",
    arguments: [
      (TextEncoding.utf8, [0xD0, 0x9A, 0xD0, 0xB8, 0xD0, 0xBD, 0xD0, 0xBE], "Кино"),
      (.cp1251, [0xCA, 0xE8, 0xED, 0xEE], "Кино"),
      (.koi8r, [0xEB, 0xC9, 0xCE, 0xCF], "Кино"),
      (.koi8r, [0xA7, 0xA4, 0xB6, 0xAD], "їєІґ"),
      (.latin1, [0x42, 0x6A, 0xF6, 0x72, 0x6B], "Björk"),
      (.cp1252, [0x44, 0x6F, 0x6E, 0x92, 0x74, 0x20, 0x80], "Don’t €"),
      (.shiftJIS, [0x83, 0x5C, 0x83, 0x6A, 0x81, 0x5B, 0x20, 0xB1, 0xB2], "ソニー ｱｲ"),
      (.gbk, [0xB0, 0xAE, 0xC7, 0xE9, 0x20, 0x80], "爱情 €"),
      (.big5, [0xB7, 0x52, 0xB1, 0xA1], "愛情"),
      (.big5, [0xA5, 0xF2], "仲"),
      (.eucKR, [0xBB, 0xE7, 0xB6, 0xFB, 0x8C, 0x63], "사랑똠"),
      (.utf16, [0xFF, 0xFE, 0x41, 0x00, 0x1A, 0x04], "AК"),
      (.utf16, [0xFE, 0xFF, 0x00, 0x41, 0x04, 0x1A], "AК"),
      (.utf16, [0x41, 0x00, 0x1A, 0x04], "AК"),
      (.utf16, [0x00, 0x41, 0x04, 0x1A], "AК"),
      (.utf16, [0xFF, 0xFE, 0x3D, 0xD8, 0x00, 0xDE, 0x00], "😀"),
      (.utf8, [0xEF, 0xBB, 0xBF, 0x41, 0x00, 0x0A, 0x42, 0xC2, 0x85, 0x7F], "A B"),
    ] as [(TextEncoding, [UInt8], String)])
  func says(_ encoding: TextEncoding, _ bytes: [UInt8], _ text: String) {
    #expect(encoding.text(bytes) == text)
    #expect(encoding.text(bytes.lazy.map { $0 }) == text)
  }

  @Test(
    "what makes no sense is no text",
    arguments: [
      (TextEncoding.utf8, [0xC3]), (.utf8, [0xC0, 0x80]), (.utf8, [0xED, 0xA0, 0x80]), (.utf8, [0xFF]),
      (.cp1251, [0x98]), (.cp1252, [0x81]), (.shiftJIS, [0x83]), (.shiftJIS, [0x83, 0x20]), (.shiftJIS, [0x80, 0x80]),
      (.gbk, [0xB0]), (.gbk, [0xB0, 0x7F]), (.gbk, [0xFF, 0xFF]), (.big5, [0xB7, 0x80]), (.eucKR, [0xBB, 0x20]),
      (.utf16, [0x41, 0x00, 0x42]), (.utf16, [0xD8, 0x00, 0x00, 0x41]), (.utf16, [0xFE, 0xFF, 0xDC, 0x00]),
    ] as [(TextEncoding, [UInt8])])
  func senseless(_ encoding: TextEncoding, _ bytes: [UInt8]) { #expect(encoding.text(bytes) == nil) }

  @Test(
    "a text cut off in a character keeps what is whole, where that may be",
    arguments: [
      (TextEncoding.utf8, "Ночь", 7, "Ноч"), (.shiftJIS, "さくら", 5, "さく"), (.gbk, "爱情", 3, "爱"), (.big5, "愛情", 3, "愛"),
      (.eucKR, "사랑", 3, "사"),
    ] as [(TextEncoding, String, Int, String)])
  func cut(_ encoding: TextEncoding, _ text: String, _ length: Int, _ whole: String) throws {
    let all = encoding == .utf8 ? Array(text.utf8) : try #require(Encoder.of(encoding).bytes(of: text))
    #expect(encoding.text(all) == text)
    #expect(encoding.text(all.prefix(length)) == nil)
    #expect(encoding.text(all.prefix(length), cut: true) == whole)
  }

  @Test("no bytes break it, and no text has a control character")
  func anything() {
    var dice = SeededGenerator(seed: 11)
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...50, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      for encoding in TextEncoding.allCases {
        for cut in [false, true] {
          guard let text = encoding.text(bytes, cut: cut) else { continue }
          let isVisible = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
          #expect(isVisible, "\(encoding) \(bytes)")
        }
      }
    }
  }

  /// The system's converters know the same standards; where it has none of them there is nothing to compare with. Of
  /// Hong Kong's supplement we leave out what is not in the first plane.
  @Test(
    "every pair of bytes is what the system's converter says",
    arguments: [
      (TextEncoding.cp1251, "CP1251", 0), (.cp1252, "CP1252", 0), (.koi8r, "KOI8-U", 0), (.shiftJIS, "CP932", 0),
      (.gbk, "CP936", 0), (.big5, "BIG5-HKSCS", 2_020), (.big5, "CP950", 0), (.eucKR, "UHC", 1),
    ] as [(TextEncoding, String, Int)])
  func converter(_ encoding: TextEncoding, _ name: String, _ mostOthers: Int) {
    let converter = iconv_open("UTF-8", name)
    guard converter != iconv_t(bitPattern: -1) else { return print("no converter for \(name) here") }
    defer { iconv_close(converter) }
    var others: [String] = []
    var same = 0
    for first in UInt8(0x80)...0xFF {
      let alone = Self.convert([first], converter)
      for bytes in alone == nil ? (UInt8(0x40)...0xFE).map({ [first, $0] }) : [[first]] {
        guard let theirs = Self.convert(bytes, converter) else { continue }
        let control = theirs.unicodeScalars.contains {
          $0.properties.generalCategory == .control || $0.properties.generalCategory == .privateUse
        }
        if control { continue }
        let ours = encoding.text(bytes)
        if ours.map({ Array($0.utf8) }) == Array(theirs.utf8) {
          same += 1
        } else {
          others.append("\(bytes) \(ours ?? "-") \(theirs)")
        }
      }
    }
    print("\(name): \(same) alike, \(others.count) not: \(others.prefix(8))")
    #expect(same > 60 && others.count <= mostOthers)
  }

  private static func convert(_ bytes: [UInt8], _ converter: iconv_t?) -> String? {
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let result = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        return iconv(converter, &from, &inputLeft, &to, &outputLeft)
      }
    }
    if result == Int.max || result == -1 || inputLeft > 0 {
      iconv(converter, nil, nil, nil, nil)
      return nil
    }
    // Some hold a character back in case a mark follows.
    output.withUnsafeMutableBufferPointer { output in
      var to = output.baseAddress.map { $0 + (output.count - outputLeft) }
      _ = iconv(converter, nil, nil, &to, &outputLeft)
    }
    return String(decoding: output.prefix(16 - outputLeft).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
