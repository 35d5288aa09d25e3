import Glibc

/// Finds the rectangles in which two frames differ. It keeps its lists from one time to the next: a second that passes
/// asks the heap for nothing.
struct ChangeFinder {
  /// The unit in which differences are looked for. Small enough that a digit of the clock is few tiles.
  private static let tile = Size(width: 16, height: 8)
  /// Above this many rectangles one that holds them all is cheaper to handle than to choose among them.
  private static let manyRects = 32
  /// Two rectangles become one when that adds at most this many unchanged pixels: a write costs more than these.
  private static let worthOneWrite = 256

  /// Both as large, row after row.
  let size: Size
  let pixels: UnsafePointer<UInt32>
  let shown: UnsafePointer<UInt32>
  private var dirty: [Bool]
  /// Those that a band below may add to, those that none can, and those of the band that is looked at.
  private var growing: [Rect] = []
  private var done: [Rect] = []
  private var next: [Rect] = []
  private(set) var found: [Rect] = []

  init(size: Size, pixels: UnsafePointer<UInt32>, shown: UnsafePointer<UInt32>) {
    (self.size, self.pixels, self.shown) = (size, pixels, shown)
    dirty = [Bool](repeating: false, count: (size.width + Self.tile.width - 1) / Self.tile.width)
  }

  /// Afterwards `found` holds every pixel that differs, drawn tight around the differences; none when nothing differs.
  mutating func find() {
    growing.removeAll(keepingCapacity: true)
    done.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
    for top in stride(from: 0, to: size.height, by: Self.tile.height) {
      next.removeAll(keepingCapacity: true)
      search(Rect(x: 0, y: top, width: size.width, height: min(Self.tile.height, size.height - top)))
      done.append(contentsOf: growing)
      swap(&growing, &next)
    }
    done.append(contentsOf: growing)
    for index in done.indices { done[index] = tightened(done[index]) }
    join()
  }

  /// Runs of tiles of one band in which something differs; those that go on below a run of the band above are one with
  /// it.
  private mutating func search(_ band: Rect) {
    for tile in dirty.indices { dirty[tile] = false }
    var any = false
    for y in band.rows where differs(Rect(x: 0, y: y, width: size.width, height: 1)) {
      any = true
      for tile in dirty.indices where !dirty[tile] {
        let x = tile * Self.tile.width
        dirty[tile] = differs(Rect(x: x, y: y, width: min(Self.tile.width, size.width - x), height: 1))
      }
    }
    guard any else { return }
    var tile = 0
    while tile < dirty.count {
      guard dirty[tile] else {
        tile += 1
        continue
      }
      let first = tile
      while tile < dirty.count && dirty[tile] { tile += 1 }
      let x = first * Self.tile.width
      let span = Rect(x: x, y: band.y, width: min(tile * Self.tile.width, size.width) - x, height: band.height)
      if let above = growing.firstIndex(where: { $0.x == span.x && $0.width == span.width }) {
        next.append(growing.remove(at: above).union(span))
      } else {
        next.append(span)
      }
    }
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

  private mutating func join() {
    guard done.count <= Self.manyRects else {
      var all = Rect.nothing
      for rect in done { all = all.union(rect) }
      return found.append(all)
    }
    for rect in done {
      var grown = rect
      // A rectangle that grew may now be worth joining with one that was not before.
      while let other = found.firstIndex(where: { Self.isWorthJoining($0, grown) }) {
        grown = grown.union(found.remove(at: other))
      }
      found.append(grown)
    }
  }

  private static func isWorthJoining(_ left: Rect, _ right: Rect) -> Bool {
    left.union(right).area <= left.area + right.area - left.intersection(right).area + worthOneWrite
  }
}
