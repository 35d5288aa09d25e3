import CLinux
import Testing

@testable import Canvas

@Suite("Framebuffer claim")
struct FrameClaimTests {
  /// What the kernel's drivers fill in, each figure another.
  private func answers(
    _ change: (inout fb_var_screeninfo, inout fb_fix_screeninfo) -> Void = { _, _ in }
  ) -> FrameClaim {
    var variable = fb_var_screeninfo()
    (variable.xres, variable.yres) = (800, 480)
    (variable.xres_virtual, variable.yres_virtual) = (1_024, 960)
    (variable.xoffset, variable.yoffset) = (3, 5)
    variable.bits_per_pixel = 32
    variable.red = fb_bitfield(offset: 16, length: 8, msb_right: 0)
    variable.green = fb_bitfield(offset: 8, length: 7, msb_right: 0)
    variable.blue = fb_bitfield(offset: 0, length: 6, msb_right: 1)
    variable.transp = fb_bitfield(offset: 24, length: 5, msb_right: 0)
    var fixed = fb_fix_screeninfo()
    fixed.type = UInt32(FB_TYPE_PACKED_PIXELS)
    fixed.visual = UInt32(FB_VISUAL_TRUECOLOR)
    (fixed.smem_start, fixed.smem_len, fixed.line_length) = (0x1234_5678, 4_000_000, 4_096)
    change(&variable, &fixed)
    return FrameClaim(variable, fixed)
  }

  @Test("every figure of the kernel's comes to stand where it is meant")
  func figures() {
    #expect(
      answers()
        == FrameClaim(
          width: 800, height: 480, left: 3, top: 5, bitsPerPixel: 32,
          red: .init(offset: 16, length: 8), green: .init(offset: 8, length: 7),
          blue: .init(offset: 0, length: 6, isReversed: true), opacity: .init(offset: 24, length: 5),
          stride: 4_096, memory: 4_000_000, address: 0x1234_5678))
  }

  @Test("an OLED's points are on or off, though its driver takes colours; so are pixels of one bit")
  func ink() {
    func named(_ driver: String) -> FrameClaim {
      answers { _, fixed in
        withUnsafeMutableBytes(of: &fixed.id) { $0.copyBytes(from: driver.utf8.prefix(16)) }
      }
    }
    #expect(named("ssd130xdrmfb").isInk && named("ssd130xdrmfb").driver == "ssd130xdrmfb")
    #expect(named("panel-mipi-dbidrmfb").driver == "panel-mipi-dbidr" && !named("panel-mipi-dbidrmfb").isInk)
    #expect(!answers().isInk && answers { $1.visual = UInt32(FB_VISUAL_MONO10) }.isInk)
  }

  @Test("planes and palettes are no colours; greys, and black and white, are what they are")
  func looks() {
    func look(_ change: (inout fb_var_screeninfo, inout fb_fix_screeninfo) -> Void) -> FrameClaim.Look {
      answers(change).look
    }
    #expect(look { $1.type = UInt32(FB_TYPE_PLANES) } == .other)
    #expect(look { $1.visual = UInt32(FB_VISUAL_PSEUDOCOLOR) } == .other)
    #expect(look { $1.visual = UInt32(FB_VISUAL_DIRECTCOLOR) } == .other)
    #expect(look { variable, _ in variable.grayscale = 0x3231_564E } == .other)
    #expect(look { variable, _ in variable.grayscale = 1 } == .grey)
    #expect(look { $1.visual = UInt32(FB_VISUAL_MONO01) } == .monochrome(whiteIs: false))
    #expect(look { $1.visual = UInt32(FB_VISUAL_MONO10) } == .monochrome(whiteIs: true))
  }
}
