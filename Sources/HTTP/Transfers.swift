import Runtime

/// Does HTTP transfers on the loop `net`, which uses sockets and no disk. It knows URLs and bytes, and nothing of music.
/// Each transfer has a `TransferReceiver`, which is called on the loop.
///
/// One task waits for curl's sockets, and another for curl's next deadline. There is no other thread, except one that curl
/// starts for each DNS lookup. It stores nothing, so a power cut damages nothing.
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

  /// `loop` must have been started.
  package init(_ settings: TransferSettings = TransferSettings(), on loop: EventLoop) {
    self.settings = settings
    self.loop = loop
    bytesASecond = settings.bytesASecond
  }

  /// Makes a loop of its own. A TLS handshake takes longer than the main loop may block, so it has no place there.
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

  /// Limits what all transfers together receive; nil removes the limit.
  package func limit(bytesASecond: Int64?) {
    self.bytesASecond = bytesASecond
    wire?.limit(bytesASecond)
    setAlarm()
  }

  /// The hosts that have asked for TLS so far, for the file that stores them.
  package var strictHosts: StrictHosts { wire?.strictHosts ?? settings.strictHosts }

  /// Cancels all transfers and closes all connections. Transfers that are started later are cancelled at once.
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

  /// Counts from the next time that `FairShare` deals.
  func urgency(_ urgency: TransferRequest.Urgency, of id: UInt64) { wire?.urgency(urgency, of: id) }

  func give(back bytes: Int, to id: UInt64) {
    wire?.give(back: bytes, to: id)
    setAlarm()
  }

  /// Runs `action` on the loop soon, from any thread. Actions run in the order of the calls.
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
    // `wire` must live until the loop has forgotten its descriptor: closed earlier, the number could be another file's.
    guard let watched = wire else { return }
    while await loop.readable(watched.sockets.number), wire != nil {
      loop.lately = "curl"
      watched.handleSockets()
      setAlarm()
    }
  }

  /// curl changes its deadline all the time, mostly to a later one. Then the running sleep is kept, and checks again when
  /// it ends. Only an earlier deadline needs a new sleep.
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
