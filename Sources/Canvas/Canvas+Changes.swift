import Glibc
import Runtime

extension Canvas {
  /// The unit in which differences are looked for. Small enough that a digit of the clock is few tiles.
  private static let tile = Size(width: 16, height: 8)
  /// Above this many rectangles one that holds them all is cheaper to handle than to choose among them.
  private static let manyRects = 32
  /// Two rectangles become one when that adds at most this many unchanged pixels: a write costs more than these.
  private static let worthOneWrite = 256

  /// The rectangles that hold every pixel that differs from the frame shown last, drawn tight around the
  /// differences; none when nothing differs.
  package func changes() -> [Rect] {
    guard knowsShown else { return [bounds] }
    var done: [Rect] = []
    var growing: [Rect] = []
    for top in stride(from: 0, to: size.height, by: Self.tile.height) {
      let height = min(Self.tile.height, size.height - top)
      var next: [Rect] = []
      for span in changedSpans(Rect(x: 0, y: top, width: size.width, height: height)) {
        if let above = growing.firstIndex(where: { $0.x == span.x && $0.width == span.width }) {
          next.append(growing.remove(at: above).union(span))
        } else {
          next.append(span)
        }
      }
      done += growing
      growing = next
    }
    return Self.joined((done + growing).map(tightened))
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

  /// Runs of tiles of one band in which something differs.
  private func changedSpans(_ band: Rect) -> [Rect] {
    let tileCount = (size.width + Self.tile.width - 1) / Self.tile.width
    var dirty = [Bool](repeating: false, count: tileCount)
    var any = false
    for y in band.rows where differs(Rect(x: 0, y: y, width: size.width, height: 1)) {
      any = true
      for tile in 0..<tileCount where !dirty[tile] {
        let x = tile * Self.tile.width
        dirty[tile] = differs(Rect(x: x, y: y, width: min(Self.tile.width, size.width - x), height: 1))
      }
    }
    guard any else { return [] }
    var spans: [Rect] = []
    var tile = 0
    while tile < tileCount {
      guard dirty[tile] else {
        tile += 1
        continue
      }
      let first = tile
      while tile < tileCount && dirty[tile] { tile += 1 }
      let x = first * Self.tile.width
      let width = min(tile * Self.tile.width, size.width) - x
      spans.append(Rect(x: x, y: band.y, width: width, height: band.height))
    }
    return spans
  }

  private func differs(_ rect: Rect) -> Bool {
    rect.rows.contains { y in
      let start = y * size.width + rect.x
      return memcmp(pixels + start, shown + start, rect.width * MemoryLayout<UInt32>.stride) != 0
    }
  }

  /// `rect` without the rows and columns at its edges in which nothing differs.
  private func tightened(_ rect: Rect) -> Rect {
    var tight = rect
    while !tight.isEmpty, !differs(Rect(x: tight.x, y: tight.y, width: tight.width, height: 1)) {
      tight.y += 1
      tight.height -= 1
    }
    while !tight.isEmpty, !differs(Rect(x: tight.x, y: tight.bottom - 1, width: tight.width, height: 1)) {
      tight.height -= 1
    }
    while !tight.isEmpty, !differs(Rect(x: tight.x, y: tight.y, width: 1, height: tight.height)) {
      tight.x += 1
      tight.width -= 1
    }
    while !tight.isEmpty, !differs(Rect(x: tight.right - 1, y: tight.y, width: 1, height: tight.height)) {
      tight.width -= 1
    }
    return tight
  }

  private static func joined(_ rects: [Rect]) -> [Rect] {
    guard rects.count <= manyRects else { return [rects.reduce(.nothing) { $0.union($1) }] }
    var joined: [Rect] = []
    for rect in rects {
      var grown = rect
      // A rectangle that grew may now be worth joining with one that was not before.
      while let other = joined.firstIndex(where: { isWorthJoining($0, grown) }) {
        grown = grown.union(joined.remove(at: other))
      }
      joined.append(grown)
    }
    return joined
  }

  private static func isWorthJoining(_ left: Rect, _ right: Rect) -> Bool {
    left.union(right).area <= left.area + right.area - left.intersection(right).area + worthOneWrite
  }
}
