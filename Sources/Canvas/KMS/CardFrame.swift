internal import CLinux
import Runtime

/// One of the pictures that a card can show: its memory, the mapping of it, and its name as a frame. All are given back
/// once, when the last one lets go of it.
final class CardFrame {
  private let card: Card
  private let handle: UInt32
  private let memory: UnsafeMutableRawPointer
  private let layout: FrameLayout
  let id: UInt32
  /// What of the canvas this one does not show yet.
  private(set) var lacks: [Rect] = []
  private static let mostRects = 32

  /// Of 24 bits, which nearly all cards show, or else of 16.
  static func make(_ size: Size, turn: Turn, on card: Card) throws(Fault) -> CardFrame {
    do throws(Fault) { return try CardFrame(size, bits: 32, turn: turn, on: card) } catch {
      guard error.kind == .passing else { throw error }
      return try CardFrame(size, bits: 16, turn: turn, on: card)
    }
  }

  private init(_ size: Size, bits: UInt32, turn: Turn, on card: Card) throws(Fault) {
    let made = try card.makeMemory(size, bitsPerPixel: bits)
    var frame: UInt32?
    do throws(Fault) {
      let layout = try FrameLayout(FrameClaim(made), of: card.device, turn: turn)
      let id = try card.addFrame(made, depth: bits == 32 ? 24 : 16)
      frame = id
      memory = try card.map(made.handle, length: layout.length)
      self.layout = layout
      self.id = id
    } catch {
      if let frame { card.removeFrame(frame) }
      card.freeMemory(made.handle)
      throw error
    }
    self.card = card
    handle = made.handle
  }

  deinit {
    card.kernel.unmap(memory, length: layout.length)
    card.removeFrame(id)
    card.freeMemory(handle)
  }

  /// As it is seen: upright.
  var size: Size { layout.size }

  func lack(_ rects: [Rect]) {
    lacks += rects.filter { rect in !lacks.contains { $0.contains(rect) } }
    if lacks.count > Self.mostRects { lacks = [lacks.reduce(.nothing) { $0.union($1) }] }
  }

  /// What was drawn, as the panel has it.
  func catchUp(_ canvas: Canvas, turn: Turn) -> [Rect] {
    layout.write(canvas, changed: lacks, to: memory)
    defer { lacks = [] }
    let all = Rect(x: 0, y: 0, width: size.width, height: size.height)
    return lacks.map { turn.turned($0.intersection(all), of: size) }.filter { !$0.isEmpty }
  }
}

extension FrameClaim {
  /// The card's word for its memory, to be checked like any driver's.
  init(_ memory: layby_kms_new_memory) {
    let isWide = memory.bits_per_pixel == 32
    self.init(
      width: memory.width, height: memory.height, bitsPerPixel: memory.bits_per_pixel,
      red: isWide ? Field(offset: 16, length: 8) : Field(offset: 11, length: 5),
      green: isWide ? Field(offset: 8, length: 8) : Field(offset: 5, length: 6),
      blue: Field(offset: 0, length: isWide ? 8 : 5), stride: memory.stride, memory: UInt32(clamping: memory.size))
  }
}
