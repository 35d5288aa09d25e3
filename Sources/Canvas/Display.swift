import Runtime

/// A panel of the board's own, while it is open. After a fault it is of no more use, and must be opened again. It
/// closes its descriptors when the last reference to it goes.
///
/// Lives on the main loop: a frame is copied, never waited for.
package protocol Display: Sink, AnyObject {
  /// In pixels, as people see it: upright, however the panel is built in.
  var size: Size { get }
  /// Its points are on or off, whatever its memory holds: a screen has to be drawn without greys.
  var isInk: Bool { get }
  func show(_ canvas: Canvas, changed: [Rect]) throws(Fault)
  /// Whether the last frame could not be shown yet. Call `catchUp` when the descriptor `number` is readable.
  var isBehind: Bool { get }
  var number: Int32 { get }
  func catchUp() throws(Fault)
}
