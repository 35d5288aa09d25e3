import Runtime

/// Fetches over HTTP, on the loop `net`: nothing but sockets, never a disk. It knows addresses and bytes, and nothing of
/// music. Who wants bytes hands in a receiver and is called on the loop.
///
/// One task waits for curl's sockets, and another for its earliest deadline; there is no thread but the loop's, except
/// the one that curl starts for each name that is looked up. After a power cut there is nothing to be mended.
package actor Transfers {
  nonisolated package let loop: EventLoop
  private let settings: TransferSettings
  /// Nil before the first transfer, and after the end.
  private var wire: Wire?
  private var isClosed = false
  private var lastID: UInt64 = 0
  private var watch: Task<Void, Never>?
  private var alarm: (at: Moment, task: Task<Void, Never>)?
  private var bytesASecond: Int64?

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// `loop` runs already.
  package init(_ settings: TransferSettings = TransferSettings(), on loop: EventLoop) {
    self.settings = settings
    self.loop = loop
    bytesASecond = settings.bytesASecond
  }

  /// On a loop of its own. A handshake takes longer than a button may wait, but there are no buttons here.
  package init(settings: TransferSettings = TransferSettings()) throws(Fault) {
    let loop = try EventLoop("net", mayBlock: true)
    try loop.start()
    self.init(settings, on: loop)
  }

  @discardableResult
  package func start(_ request: TransferRequest, for receiver: any TransferReceiver) -> Transfer {
    lastID += 1
    let transfer = Transfer(lastID, of: self)
    guard !isClosed else {
      receiver.ended(.failure(TransferFailure(.cancelled, from: "")))
      return transfer
    }
    do throws(Fault) {
      let wire = try openWire()
      wire.begin(lastID, request, for: receiver)
    } catch {
      receiver.ended(.failure(TransferFailure(.other, from: "", error.message)))
    }
    setAlarm()
    return transfer
  }

  /// What all transfers together may receive; nil: as much as comes.
  package func limit(bytesASecond: Int64?) {
    self.bytesASecond = bytesASecond
    wire?.limit(bytesASecond)
    setAlarm()
  }

  /// Which hosts have asked for TLS until now, for whoever keeps it.
  package var strictHosts: StrictHosts { wire?.strictHosts ?? settings.strictHosts }

  /// Everything that runs is cancelled, and every connection closed. What is asked for later is cancelled at once.
  package func close() {
    isClosed = true
    watch?.cancel()
    watch = nil
    alarm?.task.cancel()
    alarm = nil
    wire?.close()
    wire = nil
  }

  func cancel(_ id: UInt64) {
    wire?.cancel(id)
    setAlarm()
  }

  /// From the next deal on.
  func urgency(_ urgency: TransferRequest.Urgency, of id: UInt64) { wire?.urgency(urgency, of: id) }

  func give(back bytes: Int, to id: UInt64) {
    wire?.give(back: bytes, to: id)
    setAlarm()
  }

  /// From any thread, in order.
  nonisolated func soon(_ action: @escaping @Sendable (isolated Transfers) -> Void) {
    loop.post { self.assumeIsolated { action($0) } }
  }

  // MARK: Waiting

  private func openWire() throws(Fault) -> Wire {
    if let wire { return wire }
    let opened = try Wire(settings)
    opened.limit(bytesASecond)
    wire = opened
    watch = Task(executorPreference: loop) { await self.keepWatch() }
    return opened
  }

  private func keepWatch() async {
    // Held until the loop has forgotten its descriptor, whose number must not mean another before.
    guard let watched = wire else { return }
    while await loop.readable(watched.sockets.number), wire != nil {
      loop.lately = "curl"
      watched.handleSockets()
      setAlarm()
    }
  }

  /// curl moves its deadline at every turn, mostly to later: a sleep that ends too early looks again, and only what
  /// comes before it wants a new one.
  private func setAlarm() {
    guard let deadline = wire?.deadline else { return }
    if let alarm, alarm.at <= deadline { return }
    alarm?.task.cancel()
    alarm = (deadline, Task(executorPreference: loop) { await self.sleep(until: deadline) })
  }

  private func sleep(until moment: Moment) async {
    guard await loop.sleep(until: moment) else { return }
    alarm = nil
    loop.lately = "curl's time"
    wire?.timeUp()
    setAlarm()
  }
}
