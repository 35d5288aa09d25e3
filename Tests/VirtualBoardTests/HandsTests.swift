import Runtime
import Testing
import VirtualBoard

@Suite("Hands")
struct HandsTests {
  /// Gray code of the two lines after each move: A in bit 0, B in bit 1, both high at rest.
  private static func states(_ moves: [Hands.Move]) -> [Int] {
    var state = 3
    return moves.compactMap { move in
      guard case .line(let name, let high) = move else { return nil }
      let bit = name == "ENC_A" ? 1 : 2
      state = high ? state | bit : state & ~bit
      return state
    }
  }

  @Test("turn a detent by four edges, the first line first when clockwise")
  func directions() {
    #expect(Self.states(Hands.turn(1)) == [2, 0, 1, 3])
    #expect(Self.states(Hands.turn(-1)) == [1, 0, 2, 3])
    #expect(Hands.turn(0).isEmpty)
  }

  @Test("change one line at a time, wait after each edge, and end at rest", arguments: [-25, -3, 3, 250])
  func quadrature(_ detents: Int) {
    let moves = Hands.turn(detents)
    let states = [3] + Self.states(moves)
    #expect(states.count == abs(detents) * 4 + 1 && states.last == 3)
    for (before, after) in zip(states, states.dropFirst()) { #expect((before ^ after).nonzeroBitCount == 1) }
    #expect(moves.count { $0 == .wait(milliseconds: 2) } == abs(detents) * 4)
  }

  @Test("spin the knob by one word, with as many swings as a digit can say")
  func spin() {
    #expect(Hands.spin(40, microseconds: 500).map(\.text) == ["spin ENC_A ENC_B 40 500 0"])
    #expect(
      Hands.spin(-3, microseconds: 2_000, swings: [0, 3, 12, -1]).map(\.text) == ["spin ENC_B ENC_A 3 2000 0390"])
  }

  @Test("press down and let go again, in the words of the board")
  func press() {
    #expect(Hands.press(.play).map(\.text) == ["BTN_PLAY down", "wait 60", "BTN_PLAY up", "wait 60"])
    #expect(Hands.hold(.knob).map(\.text) == ["ENC_SW down"] && Hands.release(.knob).map(\.text) == ["ENC_SW up"])
  }
}
