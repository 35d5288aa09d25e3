import Runtime
import Synchronization

/// The device is lost, or closed for good.
extension Feeder {
  /// It has slept, and has forgotten the last it was given.
  func giveAgain(_ frames: Int) {
    if let place = handed.takeBack(min(frames, handed.held)) { ring.takeBack(to: place.stream) }
    ramp = Ramp(at: 0)
    reading = nil
    silenceAgain = Moment(nanoseconds: 0)
  }

  func lose(_ fault: Fault) {
    // Called in the moment in which it went, it had played on until now; a little of that is rather heard twice than
    // not at all. Found out later, nobody knows how far it came.
    if case .open(let rate) = device, isCalled {
      let since = min(max(0, (now() - settledAt).nanoseconds / 1_000_000 - 20), 10_000)
      let left = max(0, handed.held - Int(since * Int64(rate) / 1_000))
      if let played = handed.settle(left: left) { playedTo = max(playedTo, played) }
    }
    handed.removeAll()
    asides.removeAll(into: door)
    // What it did not play is given to it again when it is back.
    ring.takeBack(to: playedTo)
    reading = nil
    ramp = Ramp(at: 0)
    do throws(Fault) { try output.close() } catch {}  // it is lost already, and the first reason counts
    device = output.mayReopen ? .closed(retryAt: now() + Self.retry) : .dead
    controls.losses.add(1, ordering: .releasing)
    if deviceWasLost { return }
    deviceWasLost = true
    trouble.withLock { $0 = fault }
    _ = tell(.deviceLost)
  }

  /// How long a listener's last sound may take: a fade behind what cannot be taken back any more.
  static let closing: Duration = .milliseconds(250)

  /// Turns until what sounds has faded out and was heard; nil when the device is closed. A recorder keeps what it has.
  func turnToClose() -> Wait? {
    let deadline = closeBy ?? now() + Self.closing
    closeBy = deadline
    var wait = turn()
    let moment = now()
    let frames = max(handed.soundLeft, asides.soundLeft(from: handed.played))
    guard isLive, case .open(let rate) = device, frames > 0 || !ramp.isFinished, moment < deadline else {
      shutDown()
      return nil
    }
    let left: Int64 = Int64(frames) * 1_000_000_000 / Int64(rate)
    let next: Moment = moment + .nanoseconds(max(1_000_000, left + 1_000))
    wait.until = min(wait.until ?? deadline, next, deadline)
    return wait
  }

  private func shutDown() {
    do throws(Fault) { try output.close() } catch {
      trouble.withLock { $0 = error }
      _ = tell(.deviceLost)
    }
    device = .dead
    _ = tell(.closed)
    wakeMainLoop()
  }
}
