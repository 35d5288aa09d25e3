internal import CLinux
import Glibc
import Runtime

/// A display at a graphics card, by the kernel's mode setting. It has two frames: one is shown while the other is
/// drawn, and they change places between two pictures of the display, so that nobody sees half of a change. What was
/// shown before it came is given back when it goes.
///
/// Nothing waits for a change of places: what comes meanwhile is kept, and goes with the next.
package final class CardDisplay: Display {
  private let card: Card
  private let choice: CardOutputs.Choice
  private let before: layby_kms_crtc?
  private let turn: Turn
  private let now: () -> Moment
  /// Empty in the very end only.
  private var frames: [CardFrame]
  /// The one that is shown, or will be at once.
  private var front = 0
  /// Since when the card has not told that the last change of places is done.
  private var flipping: Moment?
  private var tag: UInt64 = 0
  private var canvas: Canvas?
  /// Drivers that cannot change places show the one frame that there is, and are told what is new on it.
  private var flips = true

  /// Where a card has no framebuffer; with one, that is taken first.
  package var isInk: Bool { false }

  /// A display makes at least 20 pictures a second; a driver that told nothing for so long will not.
  private static let longestFlip: Duration = .seconds(1)

  /// `wanted` is as it is seen; without such a mode the display's own counts.
  package convenience init(opening device: FilePath, turn: Turn = .none, wanted: Size? = nil) throws(Fault) {
    try self.init(Card(kernel: try OpenCard(device), device: device), turn: turn, wanted: wanted, now: { .now })
  }

  init(_ card: Card, turn: Turn, wanted: Size?, now: @escaping () -> Moment) throws(Fault) {
    try card.take()
    let outputs = try card.outputs()
    guard let choice = outputs.choice(wanted: wanted.map { turn.turned($0) }) else {
      guard outputs.connectors.contains(where: \.mayBeThere) else { throw card.nothingThere }
      throw Fault(.passing, "K-154", "what is plugged in at \(card.device) has no size or no way to be fed")
    }
    let size = Size(width: Int(choice.mode.width), height: Int(choice.mode.height))
    let frames = [
      try CardFrame.make(size, turn: turn, on: card), try CardFrame.make(size, turn: turn, on: card),
    ]
    before = card.shown(on: choice.crtc)
    try card.show(frames[0].id, choice)
    self.card = card
    self.choice = choice
    self.turn = turn
    self.now = now
    self.frames = frames
  }

  deinit {
    // What cannot be given back any more is nobody's by now.
    if let before { do throws(Fault) { try card.show(before, on: choice.connector) } catch {} }
    frames = []
    card.giveBack()
  }

  package var size: Size { frames[front].size }
  package var number: Int32 { card.kernel.number }
  package var isBehind: Bool { !frames[front].lacks.isEmpty }

  package func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    self.canvas = canvas
    for frame in frames { frame.lack(changed) }
    try catchUp()
  }

  package func catchUp() throws(Fault) {
    try card.expectConnected(choice.connector)
    if card.doneFlips().contains(tag) { flipping = nil }
    guard isBehind, let canvas else { return }
    if let since = flipping {
      guard now() - since >= Self.longestFlip else { return }
      (flips, flipping) = (false, nil)
      try card.show(frames[front].id, choice)
    }
    if flips { try flip(canvas) }
    if !flips { try redraw(canvas) }
  }

  private func flip(_ canvas: Canvas) throws(Fault) {
    let back = 1 - front
    _ = frames[back].catchUp(canvas, turn: turn)
    let number = card.flip(choice.crtc, to: frames[back].id, tag: tag + 1)
    switch number {
    case 0:
      tag += 1
      front = back
      flipping = now()
    // Somebody's last change of places is still going on: this one goes with the next frame.
    case EBUSY: return
    case EINVAL, ENOSYS, EOPNOTSUPP, ENOTTY: flips = false
    default: throw card.flipFault(number)
    }
  }

  private func redraw(_ canvas: Canvas) throws(Fault) {
    let drawn = frames[front].catchUp(canvas, turn: turn)
    let number = card.markDirty(frames[front].id, drawn)
    switch number {
    // Many show what is in memory by themselves, and know of nothing to be told.
    case 0, ENOSYS, EOPNOTSUPP, ENOTTY, EINVAL: return
    default: throw card.flipFault(number)
    }
  }
}
