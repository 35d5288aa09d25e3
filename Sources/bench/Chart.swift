import Glibc

/// The ratios to peers as one picture: a bar for each row that was measured beside one, from the line at which both are
/// alike, to the left where Layby needs less. Each step to a side is a factor, so twice as much and half as much are
/// equally long.
struct Chart {
  private let rows: [(row: Row, ratio: Double)]
  private let machine: Machine

  init(_ rows: [Row], on machine: Machine) {
    self.rows = rows.compactMap { row in row.ratio.flatMap { $0 > 0 ? (row, $0) : nil } }
    self.machine = machine
  }

  private static let (width, names, end) = (860.0, 400.0, 110.0)
  private static let (line, head, foot) = (20.0, 54.0, 34.0)
  /// What the scale reaches at least: a tenth, and twice.
  private static let (least, most) = (0.1, 2.0)

  private var low: Double { min(Self.least, (rows.map(\.ratio).min() ?? 1) * 0.9) }
  private var high: Double { max(Self.most, (rows.map(\.ratio).max() ?? 1) * 1.1) }
  private var height: Double { Self.head + Double(rows.count) * Self.line + Self.foot }

  /// Where a ratio stands, from the left.
  func place(of ratio: Double) -> Double {
    let space = Self.width - Self.names - Self.end
    return Self.names + space * (log(ratio) - log(low)) / (log(high) - log(low))
  }

  var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.shown(Self.width))" height="\(Self.shown(height))" \
      font-family="sans-serif" font-size="12" fill="#222">
      <rect width="100%" height="100%" fill="#fff"/>
      <text x="16" y="24" font-size="15" font-weight="bold">What Layby needs of what others need for the same</text>
      <text x="16" y="42" fill="#666">shorter to the left is less; measured in one run, in turns; the median</text>

      """
    for (number, one) in rows.enumerated() {
      text += bar(one.row, one.ratio, y: Self.head + Double(number) * Self.line)
    }
    let one = Self.shown(place(of: 1))
    text += """
      <line x1="\(one)" y1="\(Self.shown(Self.head - 4))" x2="\(one)" y2="\(Self.shown(height - Self.foot + 4))" \
      stroke="#222"/>
      <text x="16" y="\(Self.shown(height - 12))" fill="#666">\(Self.plain(machine.words))</text>
      </svg>

      """
    return text
  }

  private func bar(_ row: Row, _ ratio: Double, y: Double) -> String {
    let (from, to) = (min(place(of: ratio), place(of: 1)), max(place(of: ratio), place(of: 1)))
    let colour = ratio <= 1 ? "#2a7f62" : "#b4532a"
    let peer = Self.plain(row.peer.name ?? "")
    return """
      <text x="\(Self.shown(Self.names - 10))" y="\(Self.shown(y + 14))" text-anchor="end">\
      \(Self.plain("\(row.bench): \(row.name)"))</text>
      <rect x="\(Self.shown(from))" y="\(Self.shown(y + 3))" width="\(Self.shown(max(to - from, 1)))" height="14" \
      rx="2" fill="\(colour)"/>
      <text x="\(Self.shown(to + 6))" y="\(Self.shown(y + 14))" fill="#444">\
      \(decimal(ratio, places: 2)) of \(peer)</text>

      """
  }

  private static func shown(_ value: Double) -> String { decimal(value, places: 1) }

  private static func plain(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
