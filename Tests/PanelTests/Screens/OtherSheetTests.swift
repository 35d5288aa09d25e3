import Kit
import Runtime
import Testing

@testable import Canvas
@testable import Panel

/// Of every language at every size and in every theme there is a sum of each screen, so that no change goes unseen;
/// pictures are kept of those at which somebody looks (`SheetTests`).
@Suite("Screens in every language, at every size, in every theme")
struct OtherSheetTests {
  static let cases: [SheetTests.Case] = PanelLanguage.allCases.flatMap { language in
    let lit = [(240, 240), (320, 240), (480, 320), (800, 480)].flatMap { width, height in
      [Theme.night, .day].map { theme in SheetTests.Case(language, width, height) { $0.theme = theme } }
    }
    let all = lit + [SheetTests.Case(language, 128, 64) { $0.theme = .ink }]
    let pictured = Set(SheetTests.cases.map(\.name))
    return all.filter { !pictured.contains($0.name) }
  }

  @Test("none looks other than it did")
  func same() async throws {
    #expect(Self.cases.count == 43)
    try await SheetTests.compare(Self.cases, with: SheetTests.folder / "others.txt", SheetTests.draw)
  }
}
