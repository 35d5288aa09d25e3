import Canvas
import Runtime

/// How large a panel is from corner to corner, in tenths of a millimetre. With it, what is touched is as large as a
/// finger on that very panel.
package struct PanelDiagonal: Equatable, Sendable {
  let tenths: Int

  static let range = 250...20_000
  private static let inch = 254

  /// Nil when `tenths` is outside `range`: there is no panel of that size.
  init?(tenths: Int) {
    guard Self.range.contains(tenths) else { return nil }
    self.tenths = tenths
  }

  /// `3.5in` or `89mm`, with at most one digit behind the point.
  init?(_ text: String) {
    for (unit, scale) in [("mm", 10), ("in", Self.inch)] where text.hasSuffix(unit) {
      let parts = text.dropLast(unit.count).split(separator: ".", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }),
        parts.count == 1 || parts[1].count == 1, let whole = wholeNumber(parts[0]), whole < 10_000,
        let part = wholeNumber(parts.count == 2 ? parts[1] : "0")
      else { return nil }
      self.init(tenths: (whole * 10 + part) * scale / 10)
      return
    }
    return nil
  }

  var words: String { tenths % 10 == 0 ? "\(tenths / 10)mm" : "\(tenths / 10).\(tenths % 10)mm" }

  /// How many pixels are at least `length` tenths of a millimetre, on a panel that has `size` pixels.
  func pixels(_ length: Int, on size: Size) -> Int {
    let corners = Double(size.width * size.width + size.height * size.height).squareRoot()
    return Int((Double(length) * corners / Double(tenths)).rounded(.up))
  }
}

extension SettingType<PanelDiagonal?> {
  static var diagonal: Self {
    SettingType(
      expected: "auto, or a length from 25mm to 2000mm, such as 3.5in or 89mm", choices: ["auto"],
      form: ["type": "diagonal", "choices": ["auto"]],
      parse: { text in
        if text == "auto" { return .some(nil) }
        return PanelDiagonal(text).map { .some($0) }
      },
      format: { $0?.words ?? "auto" }, example: "7in")
  }
}

extension PanelStyle {
  /// How high and wide in pixels what is touched is at least; 0 where nothing is touched, or the panel's size is not
  /// known: then the figures of the class are as large as a finger on the panels that they were drawn for. A panel that
  /// is tiny for a finger still shows three things.
  func finger(on size: Size) -> Int {
    guard isTouched, let diagonal, ScreenClass(size) != .tiny else { return 0 }
    return min(diagonal.pixels(isForCars ? 120 : 90, on: size), min(size.width, size.height) / 4)
  }
}
