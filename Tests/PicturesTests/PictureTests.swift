import Canvas
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Pictures

func distance(_ one: Pixel, _ other: Pixel) -> Int {
  [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)].map { abs(Int($0.0) - Int($0.1)) }.max() ?? 0
}

@Suite("Pictures")
struct PictureTests {
  /// Every way in which a picture may be packed, with how far a pixel may be from what was put in.
  static let ways: [(name: String, kind: PictureKind, off: Int, pack: @Sendable (MadePicture) -> [UInt8])] = [
    ("JPEG", .jpeg, 14, { $0.jpeg() }),
    ("JPEG without halved colours", .jpeg, 8, { $0.jpeg(halved: false) }),
    ("progressive JPEG", .jpeg, 14, { $0.jpeg(progressive: true) }),
    ("CMYK JPEG", .jpeg, 10, { $0.jpeg(.inks) }),
    ("Adobe's CMYK JPEG", .jpeg, 10, { $0.jpeg(.adobeInks) }),
    ("progressive CMYK JPEG", .jpeg, 10, { $0.jpeg(.adobeInks, progressive: true) }),
    ("PNG", .png, 0, { MadePNG(kind: .colours).packed($0) }),
    ("PNG with alpha", .png, 0, { MadePNG().packed($0) }),
    ("interlaced PNG", .png, 0, { MadePNG(isInterlaced: true).packed($0) }),
    ("PNG of 16 bits", .png, 0, { MadePNG(kind: .colours, depth: 16).packed($0) }),
    ("interlaced PNG of 16 bits with alpha", .png, 0, { MadePNG(depth: 16, isInterlaced: true).packed($0) }),
    ("PNG with a palette", .png, 85, { MadePNG(kind: .palette).packed($0) }),
    ("WebP", .webp, 16, { $0.webp(lossless: false) }),
    ("WebP without loss", .webp, 0, { $0.webp(lossless: true) }),
  ]

  @Test("at their own size they are what was packed", arguments: ways.indices)
  func ownSize(way: Int) throws {
    let (name, kind, off, pack) = Self.ways[way]
    for (width, height) in [(48, 32), (31, 47), (1, 1), (9, 1)] {
      let made = MadePicture.slopes(width, height)
      let bytes = pack(made)
      #expect(PictureKind(bytes) == kind)
      let picture = try Picture.decode(bytes, named: name, as: .fitting(made.size))
      #expect(picture.size == made.size)
      // A lossy picture of one pixel or one row says nothing of slopes.
      guard height > 1 else { continue }
      let worst = (0..<height).flatMap { y in (0..<width).map { x in distance(picture[x, y], made.pixel(x, y)) } }.max()
      #expect((worst ?? 0) <= off, "\(name), \(width) x \(height)")
    }
  }

  @Test("made small in one go, each part has its colour", arguments: ways.indices)
  func small(way: Int) throws {
    let (name, _, off, pack) = Self.ways[way]
    let bytes = pack(MadePicture.quarters(304, 304))
    for side in [8, 60, 152] {
      let picture = try Picture.decode(bytes, named: name, as: .square(side))
      #expect(picture.size == Size(width: side, height: side))
      for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)] {
        let made = MadePicture.quarters(4, 4).pixel(x, y)
        #expect(distance(picture[x * side / 4, y * side / 4], made) <= max(off, 2), "\(name) at \(side)")
      }
    }
  }

  @Test("grey ones are grey, of every depth")
  func grey() throws {
    let made = MadePicture.slopes(40, 40)
    let ways: [(String, [UInt8], Int)] = [
      ("JPEG", made.jpeg(.grey), 6), ("progressive JPEG", made.jpeg(.grey, progressive: true), 6),
      ("PNG of 16 bits", MadePNG(kind: .grey, depth: 16).packed(made), 0),
      ("PNG of 8 bits and alpha", MadePNG(kind: .greyAlpha).packed(made), 0),
      ("PNG of 4 bits", MadePNG(kind: .grey, depth: 4).packed(made), 17),
      ("PNG of 2 bits", MadePNG(kind: .grey, depth: 2, isInterlaced: true).packed(made), 85),
      ("PNG of 1 bit", MadePNG(kind: .grey, depth: 1).packed(made), 128),
    ]
    for (name, bytes, off) in ways {
      let picture = try Picture.decode(bytes, named: name, as: .fitting(made.size))
      for y in 0..<40 {
        let pixel = picture[20, y]
        #expect(pixel.red == pixel.green && pixel.green == pixel.blue, "\(name)")
        #expect(abs(Int(pixel.green) - Int(made.pixel(20, y).green)) <= off, "\(name)")
      }
    }
  }

  @Test("what is transparent lies over black, mixed as light")
  func alpha() throws {
    let made = MadePicture(3, 1, { _, _ in 0xFFFFFF }, alpha: { x, _ in [0, 128, 255][x] })
    for bytes in [MadePNG().packed(made), MadePNG(isInterlaced: true).packed(made), made.webp(lossless: true)] {
      let picture = try Picture.decode(bytes, named: "a", as: .fitting(made.size))
      #expect(picture[0, 0] == .black)
      #expect(distance(picture[1, 0], Pixel(0xBCBCBC)) <= 1)
      #expect(picture[2, 0] == .white)
    }
  }

  @Test("filling shows the middle, fitting shows all")
  func frames() throws {
    // Blue at both ends, red in the middle third.
    let made = MadePicture(300, 100, { x, _ in 100..<200 ~= x ? 0xFF0000 : 0x0000FF })
    let bytes = MadePNG(kind: .colours).packed(made)
    let square = try Picture.decode(bytes, named: "a", as: .square(50))
    #expect(square.pixels.allSatisfy { $0 == 0xFF0000 })
    let whole = try Picture.decode(bytes, named: "a", as: .fitting(Size(width: 60, height: 60)))
    #expect(whole.size == Size(width: 60, height: 20))
    #expect(whole[0, 10] == Pixel(0x0000FF) && whole[30, 10] == Pixel(0xFF0000) && whole[59, 10] == Pixel(0x0000FF))
    let tall = MadePNG(kind: .colours).packed(MadePicture(10, 300, { _, y in 100..<200 ~= y ? 0x00FF00 : 0 }))
    #expect(try Picture.decode(tall, named: "a", as: .fitting(Size(width: 60, height: 60))).size.width == 2)
    #expect(try Picture.decode(tall, named: "a", as: .square(10)).pixels.allSatisfy { $0 == 0x00FF00 })
  }

  @Test("however thin a picture and its space are, there is at least a pixel of it", arguments: 1...3)
  func thin(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      func side() -> Int { [1, 2, 3, .random(in: 1...70, using: &random)].randomElement(using: &random) ?? 1 }
      let (size, space) = (Size(width: side(), height: side()), Size(width: side(), height: side()))
      for frame in [PictureFrame.filling(space), .fitting(space)] {
        let part = frame.part(of: size)
        #expect(
          !part.isEmpty && Rect(x: 0, y: 0, width: size.width, height: size.height).contains(part), "seed \(seed)")
        let result = frame.result(of: size)
        #expect(result.width >= 1 && result.height >= 1)
        #expect(result.width <= space.width && result.height <= space.height, "\(size) in \(space), seed \(seed)")
      }
    }
    let made = MadePNG(kind: .grey).packed(MadePicture(700, 1, { _, _ in 0x808080 }))
    #expect(try Picture.decode(made, named: "a", as: .fitting(Size(width: 50, height: 50))).size.height == 1)
  }

  @Test("drawn on a canvas it stands where it was put, and nowhere else")
  func drawn() throws {
    let picture = try #require(Picture(size: Size(width: 3, height: 2), pixels: [1, 2, 3, 4, 5, 6]))
    #expect(Picture(size: Size(width: 3, height: 2), pixels: [1]) == nil)
    for (x, y) in [(0, 0), (2, 1), (-1, -1), (4, 4), (-3, 0), (9, 9)] {
      let canvas = Canvas(size: Size(width: 5, height: 5))
      canvas.draw(picture, x: x, y: y)
      for row in 0..<5 {
        for column in 0..<5 {
          let isInside = 0..<3 ~= column - x && 0..<2 ~= row - y
          #expect(canvas[column, row] == (isInside ? picture[column - x, row - y] : .black))
        }
      }
    }
  }
}
