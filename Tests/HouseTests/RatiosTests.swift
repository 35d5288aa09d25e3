import Testing

@Suite("Figures beside those of other programs")
struct RatiosTests {
  private static let page = "Sources/bench/README.md"

  /// Each row with a peer, of all tables on a page: "latency, FLAC, play, warm: 0.14 of mpd".
  private static func rows(on page: String) -> [String] {
    var ratioEnd: Int?
    return House.read(page).split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.hasPrefix("bench ") {
        ratioEnd = line.firstRange(of: " ratio").map { line.distance(from: line.startIndex, to: $0.upperBound) }
        return nil
      }
      if line.isEmpty || line.hasPrefix("```") { ratioEnd = nil }
      guard let ratioEnd, line.count >= ratioEnd, line.prefix(ratioEnd).last?.isNumber == true else { return nil }
      let cells = line.prefix(ratioEnd).split(separator: "  ").map { $0.trimmingPrefix(" ") }
      guard cells.count > 4 else { return nil }
      return "\(cells[0]), \(cells[1]): \(cells[cells.count - 1]) of \(cells[cells.count - 3])"
    }
  }

  @Test("the picture has a dot for each row of the bench's page that has a peer, and no other")
  func picture() {
    let rows = Self.rows(on: Self.page)
    #expect(rows.count > 50 && rows.contains("latency, FLAC, next, warm: 0.20 of mpd"))
    let dots = House.read("Sources/bench/ratios.svg").components(between: "<title>", and: "</title>").map(String.init)
    #expect(
      dots.sorted() == rows.sorted(),
      "draw it again: bench --chart Sources/bench/ratios.svg --from \(Self.page)")
  }

  @Test("figures in README are those of the bench's page")
  func front() {
    let rows = Self.rows(on: "README.md")
    #expect(rows.count > 4)
    #expect(Set(rows).subtracting(Self.rows(on: Self.page)) == [])
  }
}
