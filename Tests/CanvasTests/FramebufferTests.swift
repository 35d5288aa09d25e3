import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Canvas

extension FrameClaim {
  /// As virtio-gpu has it: red above green above blue, rows without a gap.
  static func plain(_ width: UInt32, _ height: UInt32) -> FrameClaim {
    FrameClaim(
      width: width, height: height, bitsPerPixel: 32, red: Field(offset: 16, length: 8),
      green: Field(offset: 8, length: 8), blue: Field(offset: 0, length: 8), stride: width * 4,
      memory: width * height * 4)
  }

  func with(_ change: (inout FrameClaim) -> Void) -> FrameClaim {
    var changed = self
    change(&changed)
    return changed
  }

  mutating func order(red: UInt32, green: UInt32, blue: UInt32) {
    (self.red.offset, self.green.offset, self.blue.offset) = (red, green, blue)
  }
}

private let panel = FilePath("/dev/fb9")

/// A panel's memory in plain memory, with untouchable bytes around it.
func drawnBytes(_ canvas: Canvas, _ changed: [Rect], on claim: FrameClaim, turn: Turn = .none) throws -> [UInt8] {
  let layout = try FrameLayout(claim, of: panel, turn: turn)
  let guarding = 64
  let end = guarding + layout.length
  var words = [UInt32](repeating: untouched, count: (end + guarding + 3) / 4)
  return words.withUnsafeMutableBytes { bytes in
    if let start = bytes.baseAddress { layout.write(canvas, changed: changed, to: start + guarding) }
    func isUntouched(_ range: Range<Int>) -> Bool {
      range.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: untouched >> (8 * UInt32($0 % 4))) }
    }
    #expect(isUntouched(0..<guarding), "written before the begin")
    #expect(isUntouched(end..<bytes.count), "written behind the end")
    return Array(bytes[guarding..<end])
  }
}

private func drawn(_ canvas: Canvas, _ changed: [Rect], on claim: FrameClaim) throws -> [UInt32] {
  let bytes = try drawnBytes(canvas, changed, on: claim)
  return (0..<bytes.count / 4).map { word in
    (0..<4).reduce(0) { $0 | UInt32(bytes[word * 4 + $1]) << (8 * UInt32($1)) }
  }
}

let untouched: UInt32 = 0xDEAD_BEEF

@Suite("Framebuffer layout")
struct FrameLayoutTests {
  @Test(
    "colours stand where the driver wants them",
    arguments: [
      (16, 8, 0, 0, 0x0011_2233), (0, 8, 16, 0, 0x0033_2211), (24, 16, 8, 0, 0x1122_3300), (8, 16, 24, 0, 0x3322_1100),
      (16, 8, 0, 8, 0xFF11_2233), (8, 16, 24, 8, 0x3322_11FF),
    ] as [(UInt32, UInt32, UInt32, UInt32, UInt32)])
  func order(red: UInt32, green: UInt32, blue: UInt32, opacity: UInt32, value: UInt32) throws {
    let canvas = Canvas(size: Size(width: 3, height: 2))
    canvas.fill(canvas.bounds, Pixel(0x112233))
    let claim = FrameClaim.plain(3, 2).with {
      $0.order(red: red, green: green, blue: blue)
      $0.opacity.length = opacity
    }
    #expect(try drawn(canvas, [canvas.bounds], on: claim) == Array(repeating: value, count: 6))
  }

  @Test("rows that are longer than what is seen keep their ends, and so does what lies left of and above the window")
  func stride() throws {
    let canvas = Canvas(size: Size(width: 2, height: 2))
    canvas.fill(canvas.bounds, .white)
    let claim = FrameClaim.plain(2, 2).with {
      $0.stride = 16
      $0.left = 1
      $0.top = 1
      $0.memory = 48
    }
    let (none, white) = (untouched, UInt32(0xFF_FFFF))
    #expect(
      try drawn(canvas, [canvas.bounds], on: claim) == [
        none, none, none, none, none, white, white, none, none, white, white,
      ])
  }

  @Test("a memory that begins inside a page is found there")
  func inPage() throws {
    let canvas = Canvas(size: Size(width: 1, height: 1))
    let claim = FrameClaim.plain(1, 1).with { $0.address = 0xFD00_0008 }
    #expect(try drawn(canvas, [canvas.bounds], on: claim) == [untouched, untouched, 0])
  }

  @Test("whatever is said to have changed, of it exactly what both canvas and panel have is written", arguments: 1...20)
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let size = Size(width: .random(in: 1...40, using: &random), height: .random(in: 1...30, using: &random))
      let canvas = Canvas(size: size)
      for _ in 0..<4 { canvas.scribble(&random) }
      let width = Int.random(in: 1...50, using: &random)
      let height = Int.random(in: 1...40, using: &random)
      let stride = width + Int.random(in: 0...9, using: &random)
      let claim = FrameClaim.plain(UInt32(width), UInt32(height)).with {
        $0.stride = UInt32(stride * 4)
        $0.memory = UInt32(stride * height * 4)
        if Bool.random(using: &random) { $0.order(red: 0, green: 8, blue: 16) }
      }
      let rects = (0..<3).map { _ in random.rect(in: Size(width: 60, height: 50)) }
      let memory = try drawn(canvas, rects, on: claim)
      for y in 0..<height {
        for x in 0..<stride where y * stride + x < memory.count {
          let pixel = canvas[x, y]
          let isSeen = x < width && canvas.bounds.contains(x: x, y: y) && rects.contains { $0.contains(x: x, y: y) }
          let colour = claim.red.offset == 16 ? pixel : Pixel(red: pixel.blue, green: pixel.green, blue: pixel.red)
          let wanted = isSeen ? colour.value : untouched
          guard memory[y * stride + x] == wanted else {
            Issue.record("seed \(seed): (\(x), \(y)) of \(claim), \(rects)")
            return
          }
        }
      }
    }
  }

  @Test("figures that cannot be are refused, each with its own words")
  func refused() throws {
    let good = FrameClaim.plain(320, 240)
    let bad: [(String, String, (inout FrameClaim) -> Void)] = [
      ("K-132", "it has 15 bits a pixel, and 1, 8, 16, 24 or 32 are expected", { $0.bitsPerPixel = 15 }),
      ("K-132", "0 bits", { $0.bitsPerPixel = 0 }),
      ("K-132", "4294967295 bits", { $0.bitsPerPixel = .max }),
      ("K-133", "its pixels of 16 bits are not red, green and blue", { $0.bitsPerPixel = 16 }),
      ("K-133", "256 greys", { $0.bitsPerPixel = 8 }),
      ("K-133", "black and white", { $0.bitsPerPixel = 1 }),
      ("K-133", "red, green and blue", { $0.look = .grey }),
      ("K-133", "red, green and blue", { $0.look = .monochrome(whiteIs: true) }),
      ("K-133", "red, green and blue", { $0.red.length = 0 }),
      ("K-133", "red, green and blue", { $0.red.length = 11 }),
      ("K-133", "red, green and blue", { $0.red.length = .max }),
      ("K-133", "red, green and blue", { $0.red.offset = 25 }),
      ("K-133", "red, green and blue", { $0.red.offset = .max }),
      ("K-133", "red, green and blue", { $0.green.offset = 12 }),
      ("K-133", "red, green and blue", { $0.blue.isReversed = true }),
      ("K-133", "red, green and blue", { $0.look = .other }),
      ("K-134", "0 x 240", { $0.width = 0 }),
      ("K-134", "320 x 4294967295", { $0.height = .max }),
      ("K-135", "1279 bytes", { $0.stride = 1_279 }),
      ("K-135", "4294967292 bytes", { $0.stride = .max - 3 }),
      ("K-135", "307199 bytes", { $0.memory -= 1 }),
      ("K-135", "in 0 bytes", { $0.memory = 0 }),
      ("K-135", "bytes", { $0.left = 1 }),
      ("K-135", "bytes", { $0.top = 1 }),
      ("K-135", "bytes", { $0.top = .max }),
      ("K-135", "bytes", { $0.left = .max }),
    ]
    _ = try FrameLayout(good, of: panel)
    for (index, (code, words, change)) in bad.enumerated() {
      let fault = try faultOf { try FrameLayout(good.with(change), of: panel) }
      #expect(fault.code == code && fault.message.contains(words), "\(index): \(fault)")
      #expect(fault.message.contains("/dev/fb9"))
    }
  }

  @Test("no claim at all makes it write outside of what it asks to be mapped", arguments: 1...20)
  func claims(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let canvas = Canvas(size: Size(width: 64, height: 64))
    let figures: [UInt32] = [0, 1, 2, 3, 4, 8, 15, 16, 24, 32, 33, 63, 64, 100, 128, 256, 400, 4_096, 65_536, .max]
    var accepted = 0
    for _ in 0..<3_000 {
      var claim = FrameClaim.plain(64, 64)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let figure = figures.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<11, using: &random) {
        case 8: claim.bitsPerPixel = figure
        case 9: claim.look = [.grey, .monochrome(whiteIs: true), .other].randomElement(using: &random) ?? .other
        case 10:
          (claim.red, claim.green) = (.init(offset: 11, length: 5), .init(offset: 5, length: 6))
          claim.blue = .init(offset: 0, length: 5)
          claim.bitsPerPixel = 16
        case 0: claim.width = figure
        case 1: claim.height = figure
        case 2: claim.left = figure
        case 3: claim.top = figure
        case 4: claim.stride = figure
        case 5: claim.memory = figure
        case 6: claim.red.offset = figure
        default: claim.address = UInt64(figure)
        }
      }
      let turn = Turn.allCases.randomElement(using: &random) ?? .none
      guard let layout = try? FrameLayout(claim, of: panel), layout.length < 1_000_000 else { continue }
      accepted += 1
      #expect(layout.length <= Int(claim.memory) + 4_096, "seed \(seed): \(claim)")
      _ = try drawnBytes(canvas, [Rect(x: -5, y: -5, width: 10_000, height: 10_000)], on: claim, turn: turn)
    }
    #expect(accepted > 20, "seed \(seed)")
  }
}

@Suite("Framebuffer")
struct FramebufferTests {
  /// A device in a file: the driver's answers are the test's.
  private final class FileDevice: Sendable {
    let folder = TempFolder()
    let answer: Mutex<Result<FrameClaim, Fault>>
    var path: FilePath { folder.path / "fb0" }

    init(_ claim: FrameClaim) throws {
      answer = Mutex(.success(claim))
      try AtomicFile.replace(path, with: Array(repeating: 0xEE, count: Int(claim.memory)))
    }

    func open() throws -> Framebuffer {
      try Framebuffer(taking: try Descriptor.open(path, O_RDWR, code: "T-1"), named: path) { _, _ throws(Fault) in
        try self.answer.withLock { $0 }.get()
      }
    }

    var bytes: [UInt8] { get throws { try AtomicFile.read(path, limit: 1_000_000) } }
  }

  private func openDescriptors() -> Int { (try? Folder.names(in: FilePath("/proc/self/fd")).count) ?? 0 }

  @Test("what a canvas shows stands in the device's memory, and only what changed is written again")
  func shows() throws {
    let device = try FileDevice(.plain(8, 4))
    var framebuffer = try device.open()
    #expect(framebuffer.size == Size(width: 8, height: 4))
    let canvas = Canvas(size: framebuffer.size)
    canvas.fill(canvas.bounds, Pixel(0x010203))
    try canvas.present(to: &framebuffer)
    #expect(try device.bytes == Array(repeating: [3, 2, 1, 0] as [UInt8], count: 32).flatMap { $0 })

    // Somebody scribbles over it: only what changes is repaired.
    try AtomicFile.overwrite(device.path, with: Array(repeating: 0x77, count: 128))
    canvas[2, 1] = .white
    try canvas.present(to: &framebuffer)
    let expected = (0..<32).flatMap { $0 == 10 ? [0xFF, 0xFF, 0xFF, 0] : [0x77, 0x77, 0x77, 0x77] as [UInt8] }
    #expect(try device.bytes == expected)
  }

  @Test("a panel that vanished is told as missing, one whose mode changed as passing; nothing is written then")
  func vanished() throws {
    let device = try FileDevice(.plain(8, 4))
    let framebuffer = try device.open()
    let canvas = Canvas(size: framebuffer.size)
    let gone = Fault.system("K-131", doing: "ask", errno: ENODEV)
    device.answer.withLock { $0 = .failure(gone) }
    #expect(try faultOf { try framebuffer.show(canvas, changed: [canvas.bounds]) }.kind == .missing)
    device.answer.withLock { $0 = .success(.plain(4, 8)) }
    let fault = try faultOf { try framebuffer.show(canvas, changed: [canvas.bounds]) }
    #expect(fault.code == "K-137" && fault.kind == .passing)
    #expect(try device.bytes.allSatisfy { $0 == 0xEE })
  }

  @Test("what is no framebuffer is a fault that names it, and nothing stays open")
  func noFramebuffer() throws {
    let folder = TempFolder()
    let file = folder.path / "fb0"
    #expect(
      try faultOf { try Framebuffer(opening: file) } == Fault.system("K-130", doing: "open \(file)", errno: ENOENT))
    try AtomicFile.replace(file, with: [1, 2, 3])
    let before = openDescriptors()
    for _ in 0..<50 {
      #expect(try faultOf { try Framebuffer(opening: file) }.code == "K-131")
      #expect(try faultOf { try Framebuffer(opening: FilePath("/dev/null")) }.code == "K-131")
    }
    #expect(openDescriptors() < before + 50)
  }

  @Test("memory and device are given back when it goes")
  func givenBack() throws {
    let device = try FileDevice(.plain(100, 100))
    func mappings() throws -> Int {
      let maps = try AtomicFile.read(FilePath("/proc/self/maps"), limit: 10_000_000)
      return String(decoding: maps, as: UTF8.self).split(separator: "\n").filter {
        $0.contains(device.folder.path.description)
      }.count
    }
    var framebuffer: Framebuffer? = try device.open()
    #expect(try mappings() == 1)
    let canvas = Canvas(size: Size(width: 100, height: 100))
    try framebuffer?.show(canvas, changed: [canvas.bounds])
    framebuffer = nil
    #expect(try mappings() == 0)
    // A driver whose memory cannot be mapped.
    let pipe = FilePath("/dev/null")
    let fault = try faultOf {
      try Framebuffer(taking: try Descriptor.open(pipe, O_RDWR, code: "T-1"), named: pipe) { _, _ in .plain(8, 8) }
    }
    #expect(fault.code == "K-136")
  }
}

extension AtomicFile {
  /// In place: the file stays the one that is mapped.
  static func overwrite(_ path: FilePath, with bytes: [UInt8]) throws(Fault) {
    try Descriptor.open(path, O_WRONLY, code: "T-1").writeAll(bytes, code: "T-1", doing: "overwrite \(path)")
  }
}
