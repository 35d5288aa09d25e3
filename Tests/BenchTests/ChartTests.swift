import Runtime
import Testing

@testable import bench

@Suite("A bench's picture")
struct ChartTests {
  private static func row(_ name: String, _ value: Double, peer: Double?) -> Row {
    Row(
      bench: "start", name: name, value: Spread(value), unit: .milliseconds,
      peer: peer.map { .measured("mpd", Spread($0)) } ?? .notInstalled("mpd"))
  }

  private static let machine = Machine(processors: 2, load: 0)

  @Test("each row with a peer has its bar, its ratio and its name; one without has none")
  func bars() {
    let rows = [
      Self.row("half <of> it", 5, peer: 10), Self.row("alone", 5, peer: nil), Self.row("thrice", 30, peer: 10),
    ]
    let svg = Chart(rows, on: Self.machine).svg
    #expect(svg.contains("0.50 of mpd") && svg.contains("3.00 of mpd"))
    #expect(svg.contains("start: half &lt;of&gt; it") && !svg.contains("alone"))
    #expect(svg.split(separator: "<rect").count == 4, "two bars and the ground")
    #expect(svg.contains("2 processors"))
  }

  @Test("half as much is as far from the line as twice as much, to the other side, and all of it is in the picture")
  func scale() {
    let chart = Chart([Self.row("a", 1, peer: 100), Self.row("b", 700, peer: 100)], on: Self.machine)
    let middle = chart.place(of: 1)
    #expect(abs((middle - chart.place(of: 0.5)) - (chart.place(of: 2) - middle)) < 0.001)
    #expect(chart.place(of: 0.01) >= 400 && chart.place(of: 7) <= 750)
  }

  @Test("with no rows it is a picture all the same")
  func none() { #expect(Chart([], on: Self.machine).svg.hasSuffix("</svg>\n")) }
}
