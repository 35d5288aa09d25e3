import Testing

@testable import Runtime

@Suite("Who waits for a change")
struct WaitersTests {
  private actor Door {
    private var waiters = Waiters()
    private(set) var isOpen = false

    func open() {
      isOpen = true
      waiters.wake()
    }

    /// `between`: what happens after the look and before the wait.
    func pass(between: () -> Void = {}) async {
      while !isOpen {
        let seen = waiters.changes
        between()
        await withCheckedContinuation { waiters.add($0, since: seen) }
      }
    }

    func passWhileItOpens() async {
      await pass { open() }
    }
  }

  @Test("is woken by it, all of them")
  func woken() async {
    let door = Door()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { await door.pass() } }
      group.addTask { await door.open() }
    }
    #expect(await door.isOpen)
  }

  @Test("does not wait for one that has come since it looked")
  func missed() async {
    await Door().passWhileItOpens()
  }
}
