import DecoderProtocol
import Runtime

// What the player and the process that decodes its pictures say to each other, in packets of `Envelope`. The player asks
// for one picture and sends the file's bytes behind it; the answer is a size and the pixels, or a fault.

/// The player's question.
struct PictureRequest: Equatable {
  var frame: PictureFrame
  var limits = PictureLimits()
  /// Of the file.
  var byteCount: Int
  /// For messages.
  var name: String

  static let kind: UInt32 = 41
  /// A packet with the next bytes of the file.
  static let bytesKind: UInt32 = 42
  /// A cover is never larger; a foreign file's is not read any further.
  static let mostBytes = 64 << 20
  private static let mostName = 1_000

  func write(to envelope: Envelope) {
    let (size, isFitting) =
      switch frame {
      case .filling(let size): (size, false)
      case .fitting(let size): (size, true)
      }
    let numbers = [Int64(limits.pixels), Int64(limits.memory), limits.work, Int64(byteCount)]
    envelope.close(
      .init(kind: Self.kind, count: isFitting ? 1 : 0, number: PictureReply.number(of: size)),
      numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } } + name.utf8.prefix(Self.mostName))
  }

  init(frame: PictureFrame, limits: PictureLimits, byteCount: Int, name: String) {
    (self.frame, self.limits, self.byteCount, self.name) = (frame, limits, byteCount, name)
  }

  init?(_ envelope: Envelope) {
    let content = envelope.content
    guard envelope.head.kind == Self.kind, content.count >= 32 else { return nil }
    func number(_ index: Int) -> Int64 { content.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self) }
    let size = PictureReply.size(of: envelope.head.number)
    frame = envelope.head.count == 1 ? .fitting(size) : .filling(size)
    limits.pixels = Int(number(0))
    limits.memory = Int(number(1))
    limits.work = number(2)
    byteCount = Int(number(3))
    name = String(decoding: content[32...], as: UTF8.self)
    guard (0...Self.mostBytes).contains(byteCount) else { return nil }
  }
}

/// The process's answer. It has looked at foreign bytes and may have been taken over by them: what does not fit is
/// nonsense, and ends it.
enum PictureReply: Equatable {
  /// Pixels follow, four bytes each, in packets of `pixelsKind`.
  case size(Size)
  case fault(Fault)

  static let pixelsKind: UInt32 = 52
  private static let mostText = 1_600
  private static let kinds: [Fault.Kind] = [.malformed, .unsupported]

  static func number(of size: Size) -> Int64 { Int64(size.width) << 32 | Int64(size.height) }

  static func size(of number: Int64) -> Size {
    Size(width: Int(number >> 32), height: Int(number & 0xFFFF_FFFF))
  }

  func write(to envelope: Envelope) {
    switch self {
    case .size(let size): envelope.close(.init(kind: 51, number: Self.number(of: size)))
    case .fault(let fault):
      let kind = Self.kinds.firstIndex(of: fault.kind) ?? 0
      envelope.close(
        .init(kind: 53, count: UInt32(kind), number: Int64(fault.code.utf8.count)),
        Array(fault.code.utf8) + fault.message.utf8.prefix(Self.mostText))
    }
  }

  /// Nil for nonsense.
  init?(_ envelope: Envelope) {
    let (head, content) = (envelope.head, envelope.content)
    switch head.kind {
    case 51:
      let size = Self.size(of: head.number)
      let sides = 1...PictureFrame.longestSide
      guard sides.contains(size.width), sides.contains(size.height) else { return nil }
      self = .size(size)
    case 53:
      let code = Int(clamping: head.number)
      guard Int(head.count) < Self.kinds.count, code == 5, content.count > code,
        content.count <= code + Self.mostText, content[..<2].elementsEqual("K-".utf8)
      else { return nil }
      self = .fault(
        Fault(
          Self.kinds[Int(head.count)], String(decoding: content[..<code], as: UTF8.self),
          shownPlain(String(decoding: content[code...], as: UTF8.self))))
    default: return nil
    }
  }
}
