import Canvas

/// A part of the picture that can be touched, and what that means. Each is at least as large as what is drawn there.
struct TouchTarget {
  enum Meaning {
    case does([Controls.Meaning])
    /// By how far along it is touched, from 0 to 1.
    case slides((Double) -> [Controls.Meaning])
  }

  let rect: Rect
  let meaning: Meaning

  init(_ rect: Rect, _ meanings: Controls.Meaning...) { (self.rect, meaning) = (rect, .does(meanings)) }

  init(_ rect: Rect, slides: @escaping (Double) -> [Controls.Meaning]) {
    (self.rect, meaning) = (rect, .slides(slides))
  }

  func meanings(x: Int) -> [Controls.Meaning] {
    switch meaning {
    case .does(let meanings): meanings
    case .slides(let meanings): meanings(min(max(Double(x - rect.x) / Double(max(rect.width - 1, 1)), 0), 1))
    }
  }
}

extension [TouchTarget] {
  /// What lies there; of two the one that was named first.
  func meanings(x: Int, y: Int) -> [Controls.Meaning] {
    first { $0.rect.contains(x: x, y: y) }?.meanings(x: x) ?? []
  }
}
