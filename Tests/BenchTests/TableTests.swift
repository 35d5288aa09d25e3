import Runtime
import Testing

@testable import bench

@Suite("A bench's table")
struct TableTests {
  @Test(
    "a decimal has its places and no more",
    arguments: [
      (0.0, 0, "0"), (0.0, 2, "0.00"), (0.005, 2, "0.01"), (12.345, 1, "12.3"), (-1.26, 1, "-1.3"), (-0.01, 1, "0.0"),
      (999.96, 1, "1000.0"), (.infinity, 1, "-"), (.nan, 0, "-"),
    ])
  func decimals(value: Double, places: Int, text: String) { #expect(decimal(value, places: places) == text) }

  @Test("the median stands between the halves, whatever the order")
  func median() throws {
    #expect(Spread([]) == nil)
    #expect(Spread([3])?.median == 3)
    let odd = try #require(Spread([9, 1, 5]))
    #expect((odd.median, odd.low, odd.high, odd.rounds) == (5, 1, 9, 3))
    #expect(Spread([4, 1, 100, 2])?.median == 3)
  }

  @Test(
    "a goal is met, missed, or not decided",
    arguments: [
      (Goal.none, 1, 2, nil), (.below(50), 49.9, nil, true), (.below(50), 50, 60, false),
      (.belowAndBelowPeer(16), 12, 13, true), (.belowAndBelowPeer(16), 12, 12, false),
      (.belowAndBelowPeer(16), 17, 20, false), (.belowAndBelowPeer(16), 17, nil, false),
      (.belowAndBelowPeer(16), 12, nil, nil), (.notMoreThanPeer, 2, 2, true), (.notMoreThanPeer, 2.1, 2, false),
      (.notMoreThanPeer, 2, nil, nil), (.belowAndNotMoreThanPeer(3), 2, 2, true),
      (.belowAndNotMoreThanPeer(3), 2.1, 2, false), (.belowAndNotMoreThanPeer(3), 3, 4, false),
      (.belowAndNotMoreThanPeer(3), 2, nil, nil), (.nothing, 0, nil, true), (.nothing, 1, nil, false),
      (.atLeastOfPeer(0.5), 50, 100, true), (.atLeastOfPeer(0.5), 49, 100, false), (.atLeastOfPeer(0.5), 50, nil, nil),
      (.notMoreThanPeers(1.5), 15, 10, true), (.notMoreThanPeers(1.5), 15.1, 10, false),
      (.notMoreThanPeers(1.5), 1, nil, nil),
      (.flawless, 0, nil, true), (.flawless, 1, nil, false),
    ] as [(Goal, Double, Double?, Bool?)])
  func goals(goal: Goal, value: Double, peer: Double?, met: Bool?) {
    #expect(goal.isMet(by: value, peer: peer) == met)
  }

  private static let rows = [
    Row(
      bench: "start", name: "queue of 3", value: Spread(12.34), unit: .milliseconds,
      peer: .measured("mpd", Spread(100)), goal: .below(10)),
    Row(
      bench: "decode", name: "FLAC", value: Spread(0.1), unit: .seconds, peer: .notInstalled("mpd"),
      goal: .notMoreThanPeer),
  ]

  @Test("people read columns; what is not installed is said, a missed goal is loud")
  func text() {
    let text = """
      bench   case        value  unit  peer         peer's  ratio  goal     met
      start   queue of 3   12.3  ms    mpd           100.0   0.12  < 10     NO
      decode  FLAC        0.100  s     mpd   not installed         <= peer
      """
    #expect(Table.text(Self.rows) == text)
  }

  @Test("what could not be measured has no figure and is not wrong; a flaw is, a missed goal is not")
  func wrong() {
    func row(_ value: Double?, _ goal: Goal) -> Row {
      Row(
        bench: "gapless", name: "AAC", value: value.map { Spread($0) }, unit: .frames, peer: .standard("ffmpeg"),
        goal: goal)
    }
    #expect(!row(nil, .flawless).isWrong && row(nil, .flawless).isMet == nil)
    #expect(row(1, .flawless).isWrong && !row(0, .flawless).isWrong && !row(1, .nothing).isWrong)
    let text = """
      bench    case  value  unit    peer    peer's  ratio  goal  met
      gapless  AAC       -  frames  ffmpeg                 0
      gapless  AAC       1  frames  ffmpeg                 0     NO
      """
    #expect(Table.text([row(nil, .flawless), row(1, .flawless)]) == text)
  }

  @Test("programs read every figure in full")
  func json() {
    let json = Table.json(Self.rows, on: Machine(processors: 2, load: 0.1))
    let rows = json["rows"]?.items ?? []
    #expect(rows.count == 2)
    #expect(rows.first?["value"] == 12.34)
    #expect(rows.first?["peer_value"] == 100.0)
    #expect(rows.first?["met"] == false)
    #expect(rows.last?["peer_value"] == "not installed")
    #expect(rows.last?["met"] == JSON.null)
    #expect(rows.last?["ratio"] == JSON.null)
    #expect(json["machine"]?["busy"] == false)
  }
}
