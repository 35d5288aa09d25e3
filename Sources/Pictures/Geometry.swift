package struct Size: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Whole pixels; x grows to the right, y downwards.
package struct Rect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package static let nothing = Rect(x: 0, y: 0, width: 0, height: 0)

  package var isEmpty: Bool { width <= 0 || height <= 0 }
  package var area: Int { isEmpty ? 0 : width * height }
  /// The first column to the right of it.
  package var right: Int { x + width }
  /// The first row below it.
  package var bottom: Int { y + height }
  package var columns: Range<Int> { x..<max(x, right) }
  package var rows: Range<Int> { y..<max(y, bottom) }

  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let common = Rect(
      x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    return isEmpty || other.isEmpty || common.isEmpty ? .nothing : common
  }

  /// The least rectangle that holds both.
  package func union(_ other: Rect) -> Rect {
    if isEmpty { return other.isEmpty ? .nothing : other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(
      x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
  }

  package func contains(x column: Int, y row: Int) -> Bool { columns.contains(column) && rows.contains(row) }

  package func contains(_ other: Rect) -> Bool { other.isEmpty || intersection(other) == other }

  package func inset(by margin: Int) -> Rect {
    Rect(x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
  }
}
