import TestSupport
import Testing

@testable import Runtime

@Suite("What nobody waits for")
struct BackgroundTasksTests {
  @MainLoop
  private final class Kept {
    var written: [Int] = []
  }

  @Test("is over before the end, what it sent off itself included")
  func over() async {
    let written = await TestMainLoop.alone { () -> [Int] in
      await onMainLoop {
        let (errands, kept) = (BackgroundTasks(), Kept())
        for number in 0..<3 {
          errands.start {
            for _ in 0...number { await Task.yield() }
            kept.written.append(number)
            guard number == 2 else { return }
            errands.start {
              await Task.yield()
              kept.written.append(3)
            }
          }
        }
        await errands.over()
        return kept.written
      }
    }
    #expect(written == [0, 1, 2, 3])
  }

  @Test("and no errand at all keeps nobody waiting")
  func none() async {
    await TestMainLoop.alone { await onMainLoop { await BackgroundTasks().over() } }
  }
}
