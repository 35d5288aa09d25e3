import Glibc
import Runtime
import Synchronization

/// The thread `output`: turns the feeder, and between two turns waits for the bell, the device or the moment the feeder
/// gave. It may be real-time; it neither allocates nor locks while music plays.
final class OutputThread: @unchecked Sendable {  // the feeder: the thread's own once it runs
  let feeder: Feeder
  let bell: Bell

  init(feeder: Feeder, bell: Bell) {
    self.feeder = feeder
    self.bell = bell
  }

  /// More descriptors than any device has.
  private static let most = 8

  func start() throws(Fault) {
    try NamedThread.start("output", priority: .realtime(50)) { [self] in run() }
  }

  private func run() {
    let slots = UnsafeMutableBufferPointer<pollfd>.allocate(capacity: Self.most)
    slots.initialize(repeating: pollfd())
    defer { slots.deallocate() }
    while let wait = feeder.controls.shutdown.load(ordering: .acquiring) ? feeder.turnToClose() : feeder.turn() {
      slots[0] = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
      let devices = UnsafeMutableBufferPointer(rebasing: slots[1...])
      let count = wait.forDevice ? min(feeder.output.pollDescriptors(devices), devices.count) : 0
      poll(slots.baseAddress, nfds_t(1 + count), milliseconds(until: wait.until))
      feeder.isCalled = devices[..<count].contains { $0.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
      if count > 0 { feeder.output.polled(UnsafeMutableBufferPointer(rebasing: devices[..<count])) }
      if slots[0].revents != 0 { bell.hush() }
    }
  }

  /// Rounded up: too early would only mean another turn.
  private func milliseconds(until moment: Moment?) -> Int32 {
    guard let moment else { return -1 }
    let left = (moment - feeder.now()).nanoseconds
    return left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
  }
}
