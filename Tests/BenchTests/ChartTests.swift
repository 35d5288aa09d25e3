import Runtime
import Testing

@testable import bench

@Suite("A bench's picture")
struct ChartTests {
  private static func dot(
    _ name: String, _ ratio: Double, _ unit: bench.Unit = .milliseconds, peer: String = "mpd"
  ) -> Comparison {
    Comparison(bench: "start", name: name, unit: unit, peer: peer, ratio: ratio)
  }

  private static let top = FilePath(String(#filePath.dropLast("/Tests/BenchTests/ChartTests.swift".count)))

  @Test("rows beside one peer are dots of one line, which says the least and the greatest; others have their own")
  func lines() {
    let rows = [
      Self.dot("half <of> it", 0.5), Self.dot("thrice", 3), Self.dot("memory", 0.25, .megabytes),
      Self.dot("beside another", 1.5, peer: "curl"),
    ]
    let svg = Chart(rows, note: "a & b").svg
    #expect(svg.contains(">0.50 to 3.00 of mpd<") && svg.contains(">0.25 of mpd<") && svg.contains(">1.50 of curl<"))
    #expect(svg.contains("<title>start, half &lt;of&gt; it: 0.50 of mpd</title>") && svg.contains("a &amp; b"))
    #expect(svg.split(separator: "<circle").count == 5 && svg.split(separator: " text-anchor=\"end\"").count == 4)
    #expect(svg.split(separator: "class=\"worse\"").count == 3, "thrice, and beside another")
  }

  @Test("more is worse, but of what goes over a line in a second")
  func better() {
    #expect(Self.dot("equal", 1).isGood && !Self.dot("more", 1.01).isGood)
    #expect(Self.dot("faster", 1.01, .megabits).isGood && !Self.dot("slower", 0.99, .megabits).isGood)
  }

  @Test("half as much is as far from the line as twice as much, to the other side, and all of it is in the picture")
  func scale() {
    let chart = Chart([Self.dot("a", 0), Self.dot("b", 70)], note: "")
    let middle = chart.place(of: 1)
    #expect(abs((middle - chart.place(of: 0.5)) - (chart.place(of: 2) - middle)) < 0.001)
    #expect(chart.place(of: 0) >= 220 && chart.place(of: 70) <= 571)
  }

  @Test("with no rows it is a picture all the same")
  func none() { #expect(Chart([], note: "").svg.hasSuffix("</svg>\n")) }

  private static let rows = [
    Row(
      bench: "start", name: "queue of 10,000, after a power cut", value: Spread(12_345), unit: .microseconds,
      peer: .measured("curl | sha256sum", Spread(100_000)), goal: .below(10)),
    Row(bench: "play", name: "threads", value: Spread(5), unit: .count, peer: .measured("mpd", Spread(6))),
    Row(bench: "decode", name: "FLAC", value: Spread(0.1), unit: .seconds, peer: .notInstalled("mpd")),
    Row(bench: "gapless", name: "AAC", value: nil, unit: .frames, peer: .standard("ffmpeg"), goal: .flawless),
  ]

  @Test("a table that was printed gives the rows with a peer, as they were measured")
  func printed() {
    let measured = Self.rows.compactMap { Comparison($0) }
    #expect(measured.map(\.ratio) == [0.12, 0.83])
    let table = Table.text(Self.rows)
    #expect(Comparison.printed(in: table) == measured)
    let page = "# A page\n\n```\n\(table)\n```\n\nmore words: 0.5 of mpd\n"
    let alone = "\nbench  case  value  unit  goal\nplay   a         1  ms    < 2\n"
    #expect(Comparison.printed(in: page + alone) == measured)
  }

  @Test("the picture that README shows is drawn from the tables of the bench's page")
  func page() throws {
    let tables = "Sources/bench/README.md"
    let text = String(decoding: try AtomicFile.read(Self.top / tables, limit: 1_000_000), as: UTF8.self)
    let shown = try AtomicFile.read(Self.top / "Sources/bench/ratios.svg", limit: 20_000)
    let drawn = Chart(Comparison.printed(in: text), note: "The tables: \(tables)").svg
    #expect(shown == Array(drawn.utf8), "draw it again: bench --chart Sources/bench/ratios.svg --from \(tables)")
  }
}
