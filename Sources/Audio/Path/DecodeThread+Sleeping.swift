import Synchronization

/// Who sleeps, and who wakes whom. See `SoundControls` for why nobody sleeps for ever.
extension DecodeThread {
  func feedOutput(anyway: Bool) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let hunger = controls.outputHunger.load(ordering: .relaxed)
    if anyway || hunger > 0 && ring.buffered >= hunger {
      controls.outputHunger.store(0, ordering: .relaxed)
      wakeOutput()
    }
  }

  /// No place for another mark. True when there is one already, else the output thread wakes us when it has heard some.
  func sleepUntilHeard() -> Bool {
    fallAsleep()
    if !ring.marks.isFull, wakeAgain() { return true }
    wakeOutput()
    return false
  }

  /// True when there is room already.
  func sleepUntilWorthwhile() -> Bool {
    if controls.outputHunger.exchange(0, ordering: .sequentiallyConsistent) > 0 { wakeOutput() }
    fallAsleep()
    // The output thread may have made room before it could know that somebody sleeps.
    return ring.space >= ring.worthFilling && wakeAgain()
  }

  private func fallAsleep() {
    _ = controls.decodeSleeps.exchange(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// False when the output thread was first: then the bell is rung already.
  private func wakeAgain() -> Bool { controls.decodeSleeps.exchange(false, ordering: .sequentiallyConsistent) }
}
