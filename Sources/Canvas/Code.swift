internal import CCode

/// Text as squares that a telephone's camera reads (a QR code).
package struct Code: Equatable, Sendable {
  package let text: String
  /// Of a side.
  package let width: Int
  /// Row after row, true for dark.
  package let squares: [Bool]

  /// Around it nothing may be drawn, so many squares wide, or no camera finds it.
  package static let margin = 4

  /// Version 40 has so many a side.
  private static let most = 177

  /// Nil when the text is too long, or what makes codes is not installed.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count < 3_000 else { return nil }
    var squares = [UInt8](repeating: 0, count: Self.most * Self.most)
    let width = Int(layby_code(bytes, Int32(bytes.count), &squares, Int32(squares.count)))
    guard width > 0 else { return nil }
    self.text = text
    self.width = width
    self.squares = squares[..<(width * width)].map { $0 == 1 }
  }
}
