import Canvas
import Runtime
import TestSupport
import Testing

@testable import Pictures

@Suite("Broken pictures")
struct BrokenPictureTests {
  private func fault(_ bytes: [UInt8], limits: PictureLimits = PictureLimits()) throws -> Fault {
    let fault = try faultOf { () throws in
      try Picture.decode(bytes, named: "Covers/böse.jpg", as: .square(100), limits: limits)
    }
    #expect(fault.message.contains("Covers/böse.jpg"))
    return fault
  }

  @Test("what is no picture is refused by its first bytes, whatever it is called")
  func unknown() throws {
    for bytes in [[], [0xFF], Array("GIF89a, and more of it".utf8), Array("<html>".utf8), [0xFF, 0xD8, 0x00]] {
      #expect(try fault(bytes).code == "K-140")
      #expect(PictureKind(bytes) == nil)
    }
  }

  /// The size that the head of a JPEG declares, overwritten.
  private func declaring(_ width: Int, _ height: Int, in jpeg: [UInt8]) -> [UInt8] {
    var bytes = jpeg
    for at in 0..<bytes.count - 9 where bytes[at] == 0xFF && [0xC0, 0xC2].contains(bytes[at + 1]) {
      bytes[at + 5..<at + 9] = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
      return bytes
    }
    return bytes
  }

  @Test("more than 64 megapixels are refused before anything is decoded")
  func tooLarge() throws {
    let made = MadePicture.slopes(16, 16)
    let bombs = [
      declaring(65_500, 65_500, in: made.jpeg()), declaring(10_000, 6_401, in: made.jpeg(progressive: true)),
      MadePNG(kind: .grey, depth: 1, declared: Size(width: 20_000, height: 20_000)).packed(made),
    ]
    for bytes in bombs {
      let fault = try fault(bytes)
      #expect(fault.code == "K-142" && fault.kind == .unsupported)
    }
    // Longer than any side may be.
    for size in [Size(width: 65_600, height: 1), Size(width: 1, height: 2_000_000_000)] {
      #expect(try fault(MadePNG(kind: .grey, declared: size).packed(made)).code == "K-141")
    }
  }

  @Test("what has to be kept in memory until the end is bounded")
  func memory() throws {
    let made = MadePicture.slopes(16, 16)
    var limits = PictureLimits()
    #expect(try fault(declaring(8_000, 7_900, in: made.jpeg(progressive: true, halved: false))).code == "K-143")
    #expect(
      try fault(MadePNG(isInterlaced: true, declared: Size(width: 7_000, height: 7_000)).packed(made)).code == "K-143")
    limits.memory = 100_000
    let larger = MadePicture.quarters(300, 300)
    for bytes in [
      larger.jpeg(progressive: true), larger.webp(lossless: true), MadePNG(isInterlaced: true).packed(larger),
    ] { #expect(try fault(bytes, limits: limits).code == "K-143") }
    // Those that go row by row need nothing of it.
    for bytes in [larger.jpeg(), MadePNG().packed(larger)] {
      #expect(throws: Never.self) { try Picture.decode(bytes, named: "a", as: .square(40), limits: limits) }
    }
  }

  /// The segments of a JPEG that begin with SOS, each with the sound of its scan.
  private func scans(_ bytes: [UInt8]) -> [Range<Int>] {
    var starts: [Int] = []
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0xD9 {
      starts.append(at)
      let isScan = bytes[at + 1] == 0xDA
      at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      while isScan, at + 1 < bytes.count, bytes[at] != 0xFF || bytes[at + 1] == 0 { at += 1 }
    }
    let ends = starts.dropFirst() + [at]
    return zip(starts, ends).map { $0..<$1 }.filter { bytes[$0.lowerBound + 1] == 0xDA }
  }

  @Test("a JPEG of thousands of scans is given up")
  func scans() throws {
    let jpeg = MadePicture.slopes(64, 64).jpeg(progressive: true)
    let all = scans(jpeg)
    #expect(all.count > 5)
    let first = try #require(all.first)
    func repeated(_ count: Int) -> [UInt8] {
      Array(jpeg[..<first.upperBound]) + Array(Array(repeating: jpeg[first], count: count).joined())
        + Array(jpeg[first.upperBound...])
    }
    let fault = try fault(repeated(5_000))
    #expect(fault.code == "K-144" && fault.message.contains("scans"), "\(fault)")
    #expect(throws: Never.self) { try Picture.decode(repeated(20), named: "a", as: .square(40)) }
  }

  @Test("a budget of work ends what is gone through too often")
  func work() throws {
    var limits = PictureLimits()
    let made = MadePicture.quarters(200, 200)
    for bytes in [made.jpeg(progressive: true), MadePNG(isInterlaced: true).packed(made), MadePNG().packed(made)] {
      limits.work = 20_000
      #expect(try fault(bytes, limits: limits).code == "K-145")
      limits.work = 4_000_000
      #expect(throws: Never.self) { try Picture.decode(bytes, named: "a", as: .square(40), limits: limits) }
    }
  }

  @Test("what is cut off shows what is there, or is refused with a sentence", arguments: PictureTests.ways.indices)
  func cut(way: Int) throws {
    let made = MadePicture.slopes(120, 120)
    let bytes = PictureTests.ways[way].pack(made)
    var shown = 0
    for cut in 0..<40 {
      let part = Array(bytes[..<(bytes.count * cut / 40)])
      do throws(Fault) {
        let picture = try Picture.decode(part, named: "a", as: .square(40))
        #expect(picture.size == Size(width: 40, height: 40))
        shown += 1
      } catch {
        #expect(["K-140", "K-141", "K-144", "K-147"].contains(error.code))
        #expect(error.message.contains("a"))
      }
    }
    // A large part of it is something to look at.
    let (name, kind, _, _) = PictureTests.ways[way]
    if kind != .webp && bytes.count > 2_000 { #expect(shown > 0, "\(name)") }
  }

  @Test("half of a PNG is its upper half, and black below")
  func half() throws {
    var random = SeededGenerator(seed: 4)
    let made = MadePicture(100, 100, { _, _ in random.colour().value | 0x404040 })
    let bytes = MadePNG(kind: .colours).packed(made)
    let picture = try Picture.decode(Array(bytes[..<(bytes.count / 2)]), named: "a", as: .fitting(made.size))
    for x in 0..<100 {
      #expect(picture[x, 20] == made.pixel(x, 20))
      #expect(picture[x, 80] == .black)
    }
  }

  @Test("bytes that were changed at random break nothing", arguments: PictureTests.ways.indices)
  func flipped(way: Int) {
    var random = SeededGenerator(seed: UInt64(way) + 77)
    let bytes = PictureTests.ways[way].pack(MadePicture.slopes(61, 45))
    for round in 0..<150 {
      var changed = bytes
      for _ in 0...round % 8 {
        changed[.random(in: 0..<changed.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let picture = try? Picture.decode(changed, named: "a", as: .square(20)) else { continue }
      #expect(picture.pixels.count == 400)
    }
  }

  @Test("words, profiles and bombs of words beside the pixels cost nothing")
  func words() throws {
    let made = MadePicture.slopes(20, 20)
    var png = MadePNG()
    let bomb = MadePNG.squeezed(Array(repeating: 65, count: 20_000_000))
    png.between = [
      ("zTXt", Array("Comment".utf8) + [0, 0] + bomb), ("iCCP", Array("p".utf8) + [0, 0] + bomb),
      ("tEXt", Array(repeating: 66, count: 100_000)), ("abCd", Array(repeating: 7, count: 3_000_000)),
    ]
    let picture = try Picture.decode(png.packed(made), named: "a", as: .fitting(made.size))
    #expect(picture[3, 4] == made.pixel(3, 4))
  }

  @Test("what is no longer wanted is given up soon, at every step")
  func unwanted() throws {
    let made = MadePicture.quarters(300, 300)
    for way in PictureTests.ways {
      let bytes = way.pack(made)
      var asked = 0
      _ = try Picture.decode(bytes, named: "a", as: .square(100)) {
        asked += 1
        return true
      }
      #expect(asked > 5, "\(way.name)")
      for end in 0..<asked {
        var left = end
        let fault = try faultOf { () throws in
          try Picture.decode(bytes, named: "a", as: .square(100)) {
            left -= 1
            return left >= 0
          }
        }
        #expect(fault.code == "K-146" && fault.kind == .passing)
        #expect(left == -1, "it asked again after it was told")
      }
    }
  }
}
