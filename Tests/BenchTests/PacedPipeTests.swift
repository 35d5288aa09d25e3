import Glibc
import Runtime
import Testing

@testable import bench

@Suite("A pipe that is read at a device's pace")
struct PacedPipeTests {
  @Test("over any time it takes what a device had played, to the byte, however late the looks are")
  func pace() {
    let began = Moment(nanoseconds: 5)
    var pace = PipePace(bytesPerSecond: 176_400, began: began)
    var taken = 0
    var moment = began
    for number in 0..<1_000 {
      #expect(pace.next > moment)
      // Late by up to two seconds, never alike.
      moment = pace.next + .nanoseconds(Int64(number) * 7_919_000 % 2_000_000_000)
      taken += pace.take(at: moment)
      #expect(taken == Int((moment - began).nanoseconds) * 176_400 / 1_000_000_000)
    }
  }

  @Test("looks stand a period apart, and a clock that stands still gives nothing")
  func looks() {
    let began = Moment(nanoseconds: 0)
    var pace = PipePace(bytesPerSecond: 1_000, began: began)
    #expect(pace.next - began == PacedPipe.period)
    #expect(pace.take(at: pace.next) == 500 && pace.take(at: began + PacedPipe.period) == 0)
    #expect(pace.next - began == .seconds(1))
  }

  @Test("a program that writes without end is held back to the pace, and ends with the pipe")
  func held() throws {
    let scratch = try Scratch()
    let pipe = try PacedPipe(["/bin/cat", "/dev/zero"], bytesPerSecond: 100_000, home: scratch.path)
    // It cannot have ended, and is killed as any other.
    #expect(!pipe.child.hasEnded)
    try pipe.child.cut()
    let killed: Int32 = 128 + SIGKILL
    let code: Int32? = pipe.child.ending?.code
    #expect(code == killed)
  }
}
