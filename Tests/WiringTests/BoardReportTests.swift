import Application
import Panel
import Runtime
import Testing

@testable import layby

@Suite("What a board tells whoever helps")
struct BoardReportTests {
  private let report = BoardReport(
    version: "0.9", board: "dash", address: "192.168.7.5", free: "21 GB",
    parts: [.init("sound", .running, restarts: 0), .init("network", .restarting, restarts: 3)],
    notices: [
      Notice("N-120", "So What: taken out."),
      Notice(Fault(.malformed, "K-101", "http://me:key1@music.example/a is broken")),
      Notice("L-400", "12 songs are in the library."),
    ], lines: ["the first line", "asked https://music.example/t?token=key2", "the last line"])

  @Test("is version, board, address, free room, the last true problem, and what does not run")
  func facts() {
    let facts = report.facts(.english).map { "\($0.name): \($0.value)" }
    #expect(facts.dropLast() == ["Version: 0.9", "Board: dash", "Address: 192.168.7.5", "Free on the disk: 21 GB"])
    #expect(facts.last?.hasPrefix("Last problem: ") == true && facts.last?.contains("taken out") == false, "\(facts)")
    #expect(report.partsInTrouble(.english).map(\.name) == ["network"])
    #expect(BoardReport(version: "0.9").facts(.english).map(\.name) == ["Version"])
  }

  @Test("is in its code line by line, the problem before the news, and no secret of an address")
  func text() {
    let lines = report.text(longest: 1_000).split(separator: "\n")
    #expect(
      lines == [
        "Layby 0.9 dash", "192.168.7.5, 21 GB free", "K-101 http://...", "network restarting 3",
        "N-120 So What: taken out.", "L-400 12 songs are in the library.", "the last line",
        "asked https://music.example...", "the first line",
      ], "\(lines)")
    #expect(report.text(longest: 39) == "Layby 0.9 dash\n192.168.7.5, 21 GB free\n")
  }
}
