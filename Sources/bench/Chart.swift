import Glibc
import Runtime

/// The ratios to peers as one picture, as SVG. A line is a bench, a unit and a peer; on it a dot for each row, on a scale
/// on which twice as much and half as much are equally far from the line where both are alike.
///
/// It has no fonts or files of its own, and colours for light and for dark pages. A dot's title says which row it is.
struct Chart {
  /// Rows of one bench that count the same beside the same peer.
  private struct Line {
    let bench: String
    let unit: Unit
    let peer: String
    var dots: [Comparison]

    /// The least and the greatest ratio.
    var words: String {
      let ratios = dots.map(\.ratio).sorted()
      guard let least = ratios.first, let greatest = ratios.last else { return "" }
      let range = least == greatest ? Chart.shown(least) : "\(Chart.shown(least)) to \(Chart.shown(greatest))"
      return "\(range) of \(peer)"
    }
  }

  private var lines: [Line] = []
  private let note: String

  /// `note` says below the picture where the figures are from.
  init(_ rows: [Comparison], note: String) {
    self.note = note
    for row in rows {
      let line = lines.firstIndex { $0.bench == row.bench && $0.unit == row.unit && $0.peer == row.peer }
      if let line {
        lines[line].dots.append(row)
      } else {
        lines.append(Line(bench: row.bench, unit: row.unit, peer: row.peer, dots: [row]))
      }
    }
  }

  /// In pixels: the picture's width, what stands left and right of the scale, and what stands above and below the lines.
  private static let (width, left, right) = (800.0, 220.0, 230.0)
  private static let (pitch, head, foot) = (19.0, 86.0, 34.0)
  /// What the scale reaches at least.
  private static let (least, greatest) = (0.01, 10.0)
  private static let ticks = [(0.01, "1/100"), (0.1, "1/10"), (1, "the same"), (10, "10 times")]

  private var ratios: [Double] { lines.flatMap(\.dots).map(\.ratio) }
  /// A ratio that was rounded to nothing has its place at the left end.
  private var low: Double { max(min(Self.least, ratios.min() ?? 1), 0.001) }
  private var high: Double { max(Self.greatest, ratios.max() ?? 1) }
  private var height: Double { Self.head + Double(lines.count) * Self.pitch + Self.foot }

  /// Where a ratio stands, from the left.
  func place(of ratio: Double) -> Double {
    let space = Self.width - Self.left - Self.right
    return Self.left + space * (log(max(ratio, low)) - log(low)) / (log(high) - log(low))
  }

  var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.pixels(Self.width))" height="\(Self.pixels(height))" \
      font-family="sans-serif" font-size="12">
      <style>
      .ground { fill: #fff } text { fill: #222 } .small { fill: #666 } line { stroke: #ddd } .same { stroke: #666 }
      circle { fill: #2a7f62; fill-opacity: .75 } .worse { fill: #c4572a }
      @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117 } text { fill: #ddd } .small { fill: #999 } line { stroke: #333 } .same { stroke: #999 }
      circle { fill: #4fc49a } .worse { fill: #f08a5c }
      }
      </style>
      <rect class="ground" width="100%" height="100%"/>
      <text x="16" y="24" font-size="15" font-weight="bold">What Layby needs, divided by what another program needs for the same</text>
      <text x="16" y="43" class="small">A dot is a row of a table. Green: no more than the peer, or in Mbit/s no \
      slower.</text>

      """
    for (ratio, words) in Self.ticks {
      let (x, bottom) = (Self.pixels(place(of: ratio)), Self.pixels(height - Self.foot))
      text += """
        <line\(ratio == 1 ? " class=\"same\"" : "") x1="\(x)" y1="\(Self.pixels(Self.head - 10))" x2="\(x)" \
        y2="\(bottom)"/>
        <text x="\(x)" y="\(Self.pixels(Self.head - 16))" class="small" text-anchor="middle">\(words)</text>

        """
    }
    for (number, line) in lines.enumerated() { text += drawn(line, y: Self.head + (Double(number) + 0.5) * Self.pitch) }
    return text + """
      <text x="16" y="\(Self.pixels(height - 12))" class="small">\(escapedForHTML(note))</text>
      </svg>

      """
  }

  private func drawn(_ line: Line, y: Double) -> String {
    let middle = Self.pixels(y)
    let dots = line.dots.map { dot in
      """
      <circle\(dot.isGood ? "" : " class=\"worse\"") cx="\(Self.pixels(place(of: dot.ratio)))" cy="\(middle)" r="5">\
      <title>\(escapedForHTML("\(dot.bench), \(dot.name): \(Self.shown(dot.ratio)) of \(dot.peer)"))</title></circle>

      """
    }
    return """
      <text x="\(Self.pixels(Self.left - 16))" y="\(Self.pixels(y + 4))" text-anchor="end">\
      \(escapedForHTML("\(line.bench): \(line.unit.words)"))</text>
      \(dots.joined())\
      <text x="\(Self.pixels(Self.width - Self.right + 16))" y="\(Self.pixels(y + 4))">\(escapedForHTML(line.words))</text>

      """
  }

  private static func shown(_ ratio: Double) -> String { decimal(ratio, places: 2) }

  private static func pixels(_ value: Double) -> String { decimal(value, places: 1) }
}
