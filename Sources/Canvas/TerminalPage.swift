/// What a terminal shall show and what it was told to show: a picture of half blocks and a line of text below it.
/// `difference` gives the bytes that lead from the one to the other. A value: no descriptor, no waiting.
struct TerminalPage {
  let size: Size
  let colours: TerminalColours
  private var blocks: HalfBlocks?
  private var wanted: [HalfBlocks.Cell] = []
  private var written: [HalfBlocks.Cell] = []
  private var wantedCaption: [UInt8] = []
  private var writtenCaption: [UInt8] = []
  private var isCleared = false
  /// The colours that stand selected in the terminal.
  private var pen = HalfBlocks.Cell.unknown

  /// A side is at least 1 and at most 1,000 cells, whatever the terminal says of itself.
  init(size asked: Size, colours: TerminalColours) {
    size = Size(width: min(max(asked.width, 1), 1_000), height: min(max(asked.height, 1), 1_000))
    self.colours = colours
  }

  /// Another screen, the keyboard's echo off the picture: no cursor, and no scrolling when the last cell is written.
  static let begin = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)
  static let end = Array("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// In a window of two lines or less the line of text matters more than a picture of nothing.
  private var pictureRoom: Size { Size(width: size.width, height: size.height - 1) }
  private var hasPicture: Bool { size.height >= 3 }

  mutating func want(_ canvas: Canvas, changed: [Rect]) {
    guard hasPicture else { return }
    var rects = changed
    var blocks = self.blocks ?? HalfBlocks(canvas: canvas.size, fitting: pictureRoom)
    if self.blocks == nil || blocks.canvas != canvas.size {
      blocks = HalfBlocks(canvas: canvas.size, fitting: pictureRoom)
      wanted = Array(repeating: .unknown, count: blocks.columns * blocks.rows)
      written = wanted
      isCleared = false
      rects = [canvas.bounds]
    }
    self.blocks = blocks
    for rect in rects {
      let cells = blocks.cells(showing: rect.intersection(canvas.bounds))
      for row in cells.rows {
        for column in cells.columns {
          wanted[row * blocks.columns + column] = blocks.cell(column, row, of: canvas, colours)
        }
      }
    }
  }

  mutating func want(caption: String) {
    wantedCaption = CellText.clipped(caption, columns: size.width)
  }

  var isBehind: Bool { !isCleared || wanted != written || wantedCaption != writtenCaption }

  /// The bytes that make the terminal show what is wanted. Once they are given out they count as written, so all of
  /// them must reach the terminal before the next.
  mutating func difference() -> [UInt8] {
    guard isBehind else { return [] }
    var out: [UInt8] = []
    if !isCleared {
      out += "\u{1B}[0m\u{1B}[2J".utf8
      writtenCaption = []
      isCleared = true
      pen = .unknown
    }
    writePicture(&out)
    if wantedCaption != writtenCaption {
      out += "\u{1B}[\(size.height);1H\u{1B}[0m".utf8
      out += wantedCaption
      // Behind a full line the cursor stands on its last cell, which must stay.
      if CellText.width(of: String(decoding: wantedCaption, as: UTF8.self)) < size.width { out += "\u{1B}[K".utf8 }
      writtenCaption = wantedCaption
      pen = .unknown
    }
    return out
  }

  private mutating func writePicture(_ out: inout [UInt8]) {
    guard let blocks else { return }
    let left = (size.width - blocks.columns) / 2
    let top = (pictureRoom.height - blocks.rows) / 2
    for row in 0..<blocks.rows {
      // The cell the cursor stands on; nothing is known of it at a row's start.
      var cursor = -1
      for column in 0..<blocks.columns {
        let index = row * blocks.columns + column
        let cell = wanted[index]
        if cell == written[index] { continue }
        if cursor < 0 {
          out += "\u{1B}[\(top + row + 1);\(left + column + 1)H".utf8
        } else if cursor < column {
          out += "\u{1B}[\(column - cursor)C".utf8
        }
        write(cell, &out)
        written[index] = cell
        cursor = column + 1
      }
    }
  }

  /// A space needs only the ground's colour.
  private mutating func write(_ cell: HalfBlocks.Cell, _ out: inout [UInt8]) {
    var parameters: [String] = []
    let isPlain = cell.top == cell.bottom
    if !isPlain && pen.top != cell.top {
      parameters.append(colours.select(cell.top, layer: 38))
      pen.top = cell.top
    }
    if pen.bottom != cell.bottom {
      parameters.append(colours.select(cell.bottom, layer: 48))
      pen.bottom = cell.bottom
    }
    if !parameters.isEmpty { out += "\u{1B}[\(parameters.joined(separator: ";"))m".utf8 }
    out += isPlain ? " ".utf8 : "▀".utf8
  }
}
