internal import CLinux
import Glibc
import Runtime

/// What a framebuffer's driver says of itself: foreign figures, none of them checked yet.
struct FrameClaim: Equatable, Sendable {
  /// Where a colour's bits stand in a pixel.
  struct Field: Equatable, Sendable {
    var offset: UInt32
    var length: UInt32
    /// The highest bit stands lowest.
    var isReversed = false
  }

  /// What a pixel's value means.
  enum Look: Equatable, Sendable {
    /// Its three colours, each in its place.
    case colours
    /// How bright it is.
    case grey
    case monochrome(whiteIs: Bool)
    /// Planes, a palette, a video's colours.
    case other
  }

  var width: UInt32
  var height: UInt32
  /// The first visible column and row, where the memory holds more than the panel shows.
  var left: UInt32 = 0
  var top: UInt32 = 0
  var bitsPerPixel: UInt32
  var red: Field
  var green: Field
  var blue: Field
  var opacity = Field(offset: 0, length: 0)
  var look = Look.colours
  /// From one row to the next, in bytes.
  var stride: UInt32
  /// Of the whole memory, in bytes.
  var memory: UInt32
  /// Where the memory begins, as the processor's bus counts; zero where the driver keeps that for itself.
  var address: UInt64 = 0
  /// What the driver calls itself.
  var driver = ""
}

extension FrameClaim {
  /// Asked of the driver: ENODEV once the panel is gone.
  init(of descriptor: Int32, named device: FilePath) throws(Fault) {
    var variable = fb_var_screeninfo()
    var fixed = fb_fix_screeninfo()
    guard ioctl(descriptor, UInt(FBIOGET_VSCREENINFO), &variable) == 0,
      ioctl(descriptor, UInt(FBIOGET_FSCREENINFO), &fixed) == 0
    else { throw Fault.system("K-131", doing: "ask \(device) how large it is") }
    self.init(variable, fixed)
  }

  init(_ variable: fb_var_screeninfo, _ fixed: fb_fix_screeninfo) {
    func field(_ bits: fb_bitfield) -> Field {
      Field(offset: bits.offset, length: bits.length, isReversed: bits.msb_right != 0)
    }
    width = variable.xres
    height = variable.yres
    left = variable.xoffset
    top = variable.yoffset
    bitsPerPixel = variable.bits_per_pixel
    red = field(variable.red)
    green = field(variable.green)
    blue = field(variable.blue)
    opacity = field(variable.transp)
    look = Look(variable, fixed)
    stride = fixed.line_length
    memory = fixed.smem_len
    address = UInt64(fixed.smem_start)
    var name = fixed.id
    driver = withUnsafeBytes(of: &name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// OLEDs of an SSD1306 and its like have points that are on or off, but their driver takes colours, and makes a point of
  /// all that is brighter than the middle. Of the same driver, an SSD1322's greys and an SSD1331's colours are not used.
  var isInk: Bool {
    if case .monochrome = look { true } else { driver.hasPrefix("ssd130x") }
  }
}

extension FrameClaim.Look {
  init(_ variable: fb_var_screeninfo, _ fixed: fb_fix_screeninfo) {
    guard fixed.type == UInt32(FB_TYPE_PACKED_PIXELS), variable.grayscale <= 1 else {
      self = .other
      return
    }
    let isGrey = variable.grayscale == 1
    self =
      switch Int32(bitPattern: fixed.visual) {
      case FB_VISUAL_MONO01: .monochrome(whiteIs: false)
      case FB_VISUAL_MONO10: .monochrome(whiteIs: true)
      case FB_VISUAL_TRUECOLOR: isGrey ? .grey : .colours
      case FB_VISUAL_STATIC_PSEUDOCOLOR: isGrey ? .grey : .other
      default: .other
      }
  }
}
