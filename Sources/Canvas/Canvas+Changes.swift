import Runtime

extension Canvas {
  /// The rectangles that hold every pixel that differs from the frame shown last, drawn tight around the
  /// differences; none when nothing differs.
  package func changes() -> [Rect] {
    guard knowsShown else { return [bounds] }
    finder.find()
    return finder.found
  }

  /// From now on `rects` count as shown.
  package func markShown(_ rects: [Rect]) {
    for rect in rects {
      let visible = rect.intersection(bounds)
      for y in visible.rows {
        let start = y * size.width + visible.x
        (shown + start).update(from: pixels + start, count: visible.width)
      }
      if visible == bounds { knowsShown = true }
    }
  }

  /// The screen lost its contents (it was off, or something else wrote to it).
  package func forgetShown() { knowsShown = false }

  /// Shows what changed. When the sink fails nothing counts as shown, and the next call tries it again.
  package func present<Target: Sink & ~Copyable>(to sink: inout Target) throws(Fault) {
    let changed = changes()
    if changed.isEmpty { return }
    try sink.show(self, changed: changed)
    markShown(changed)
  }
}
