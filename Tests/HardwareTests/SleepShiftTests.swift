import Hardware
import Runtime
import Testing

@Suite("The clock of edges and the boot clock")
struct SleepShiftTests {
  /// A board whose clocks go on by 100 ns each time they are read; after some readings the thread has to wait.
  private struct Clocks {
    var monotonic = Moment(nanoseconds: 1_000_000_000)
    var slept = Duration.seconds(5)
    var waits: [Int: Duration] = [:]
    var readings = 0

    mutating func tick() -> Moment {
      let seen = monotonic
      monotonic = monotonic + .nanoseconds(100) + (waits[readings] ?? .zero)
      readings += 1
      return seen
    }

    mutating func read(_ shift: inout SleepShift) -> Duration {
      readings = 0
      var clocks = self
      defer { self = clocks }
      // Two closures over one board would be two writers.
      return withoutActuallyEscaping({ clocks.tick() }) { tick in
        shift.now(monotonic: tick, boot: { tick() + slept })
      }
    }
  }

  @Test("a thread that has to wait between two readings reads no other shift", arguments: 0..<9)
  func waits(reading: Int) {
    var clocks = Clocks()
    var shift = SleepShift()
    clocks.waits = [reading: .milliseconds(28)]
    #expect(clocks.read(&shift) == clocks.slept)
  }

  @Test("a known shift stays though every reading has to wait, and a sleep is seen at once")
  func keeps() {
    var clocks = Clocks()
    var shift = SleepShift()
    let first = clocks.read(&shift)
    clocks.waits = [0: .milliseconds(3), 3: .milliseconds(5), 7: .milliseconds(9)]
    #expect(clocks.read(&shift) == first)
    clocks.waits = [:]
    clocks.slept += .milliseconds(2)
    #expect(clocks.read(&shift) == first + .milliseconds(2))
  }

  @Test("a first reading that was poor gives way to a good one")
  func betters() {
    var clocks = Clocks()
    var shift = SleepShift()
    clocks.waits = [0: .milliseconds(3), 3: .milliseconds(5), 6: .milliseconds(9)]
    #expect(clocks.read(&shift) != clocks.slept)
    clocks.waits = [:]
    #expect(clocks.read(&shift) == clocks.slept)
  }
}
