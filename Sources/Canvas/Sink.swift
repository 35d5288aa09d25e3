import Runtime

/// A place where frames become visible: a framebuffer, a terminal, a file.
package protocol Sink: ~Copyable {
  /// Shows `changed` of the canvas; all else stands there already. A sink that is slow drops the frame and catches up
  /// by itself: it never keeps the main loop waiting.
  mutating func show(_ canvas: Canvas, changed: [Rect]) throws(Fault)
}
