import Runtime

/// A panel of its own, as long as it is there. A fault says that it is of no more use, and to be opened anew. What it
/// owns is given back once, when the last one lets go of it.
///
/// Lives on the main loop: a frame is copied, never waited for.
package protocol Display: Sink, AnyObject {
  /// As it is seen: upright.
  var size: Size { get }
  func show(_ canvas: Canvas, changed: [Rect]) throws(Fault)
  /// The last frame is not on it yet: `catchUp` once `number` can be read.
  var isBehind: Bool { get }
  var number: Int32 { get }
  func catchUp() throws(Fault)
}
