/// A terminal that knows only what Layby writes, and stops at all else.
struct TerminalModel: Equatable {
  struct Cell: Equatable {
    var character: Unicode.Scalar = " "
    var top = ""
    var ground = ""

    /// What the eye sees of it: a space has no colour but its ground's.
    var seen: Cell { character == " " ? Cell(character: " ", top: "", ground: ground) : self }
  }

  enum Mistake: Error { case unknown(String), outside(Int, Int) }

  let columns: Int
  let rows: Int
  var cells: [Cell]
  var isOtherScreen = false
  var isCursorShown = true
  var wraps = true
  private var column = 0
  private var row = 0
  private var pen = Cell()
  private var waiting: [UInt8] = []
  /// Characters written since the start.
  var written = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  var seen: [Cell] { cells.map(\.seen) }

  func text(row: Int) -> String {
    String(String.UnicodeScalarView(cells[row * columns..<(row + 1) * columns].map(\.character)))
  }

  /// Bytes may come in any pieces; what is not whole waits for the rest.
  mutating func take(_ bytes: some Sequence<UInt8>) throws {
    waiting += bytes
    while let length = wholeLength() {
      let scalars = Array(String(decoding: waiting[..<length], as: UTF8.self).unicodeScalars)
      waiting.removeFirst(length)
      if scalars[0] == "\u{1B}" {
        try obey(String(String.UnicodeScalarView(scalars.dropFirst())))
      } else {
        try put(scalars[0])
      }
    }
  }

  var isWhole: Bool { waiting.isEmpty }

  private func wholeLength() -> Int? {
    guard let first = waiting.first else { return nil }
    if first == 0x1B {
      return waiting.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return waiting.count >= length ? length : nil
  }

  private mutating func put(_ scalar: Unicode.Scalar) throws {
    guard column < columns, row < rows, scalar.value >= 0x20 else { throw Mistake.outside(column, row) }
    cells[row * columns + column] = Cell(character: scalar, top: pen.top, ground: pen.ground)
    written += 1
    column += 1
  }

  private mutating func obey(_ command: String) throws {
    let name = command.last ?? " "
    let body = String(command.dropFirst().dropLast())
    let numbers = body.split(separator: ";").compactMap { Int($0) }
    switch (name, body) {
    case ("h", "?1049"), ("l", "?1049"): isOtherScreen = name == "h"
    case ("h", "?25"), ("l", "?25"): isCursorShown = name == "h"
    case ("h", "?7"), ("l", "?7"): wraps = name == "h"
    case ("H", _) where numbers.count == 2:
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case ("C", _) where numbers.count == 1: column += numbers[0]
    case ("J", "2"): cells = cells.map { _ in Cell(ground: pen.ground) }
    case ("K", ""): for place in column..<columns { cells[row * columns + place] = Cell(ground: pen.ground) }
    case ("m", _): try select(numbers)
    default: throw Mistake.unknown(command)
    }
    guard (0..<rows).contains(row), (0...columns).contains(column) else { throw Mistake.outside(column, row) }
  }

  private mutating func select(_ numbers: [Int]) throws {
    var rest = numbers[...]
    while let first = rest.popFirst() {
      if first == 0 {
        (pen.top, pen.ground) = ("", "")
        continue
      }
      guard first == 38 || first == 48, let kind = rest.popFirst() else { throw Mistake.unknown("m \(numbers)") }
      let count = kind == 2 ? 3 : 1
      let colour = "\(kind):\(rest.prefix(count).map(String.init).joined(separator: ","))"
      rest = rest.dropFirst(count)
      if first == 38 { pen.top = colour } else { pen.ground = colour }
    }
  }
}
