internal import CCurl
import Runtime

/// A running transfer: its request, what has arrived, and how many bytes it may still receive. It is used on the loop
/// `net` only, where curl calls it.
final class Fetch {
  let id: UInt64
  let request: TransferRequest
  let receiver: any TransferReceiver
  var handle = EasyHandle()
  private(set) var path: RedirectPath

  private var reader = HeadReader()
  private(set) var head: AnswerHead?
  /// The answer is a redirect, so its body is skipped.
  private(set) var isRedirected = false
  private var passedOver = 0
  /// Why Layby ended the transfer itself; nil when it did not.
  private(set) var verdict: TransferTrouble?

  private(set) var bytes: Int64 = 0
  /// How many bytes may be handed to the receiver before it gives some back; `request.window` at the beginning.
  private var credit: Int
  /// How many bytes it may receive of the bandwidth that all transfers share; nil without a limit.
  private(set) var allowance: Int64?
  var urgency: TransferRequest.Urgency
  private(set) var isPaused = false
  private var clock = ReceivingClock()
  /// Counts from the request on; `clock` from the first byte of the answer on.
  private var patience = ReceivingClock()

  private let reach: @Sendable (String) -> NetworkReach
  private let isByProxy: @Sendable (String) -> Bool

  init(
    _ id: UInt64, _ request: TransferRequest, from place: WebPlace, for receiver: any TransferReceiver,
    _ settings: TransferSettings
  ) {
    (self.id, self.request, self.receiver, reach) = (id, request, receiver, settings.reach)
    urgency = request.urgency
    path = RedirectPath(from: place)
    isByProxy = settings.isByProxy
    credit = max(request.window, 1)
    patience.begin()
    // The result does not matter here: the address that was asked for is never refused, only a redirect is.
    _ = arrivedByProxy()
  }

  var host: String { path.place.host }

  // MARK: What curl calls

  /// curl is connected to `address` and has sent nothing yet. False ends the transfer.
  func arrived(at address: String) -> Bool {
    // It is the proxy's address, which says nothing about the server that the proxy asks.
    if isByProxy(host) { return true }
    guard let trouble = path.arrive(reach(address)) else { return true }
    return stop(.redirect(trouble)) > 0
  }

  /// Takes a line of the head, and returns how many bytes of it were taken; fewer than it has end the transfer.
  func take(header line: UnsafeRawBufferPointer) -> Int {
    switch reader.take(line) {
    case .more: return line.count
    case .tooLarge: return stop(.tooLarge)
    case .malformed: return stop(.protocolError)
    case .whole(let head): return begin(head) ? line.count : 0
    }
  }

  private func begin(_ read: AnswerHead) -> Bool {
    var head = read
    head.url = path.place.text
    self.head = head
    if head.isRedirect && request.redirects == .follow {
      isRedirected = true
      return true
    }
    if head.isEncoded { return stop(.encoded) > 0 }
    if let most = request.most, let length = head["content-length"].flatMap({ Int64($0) }), length > most {
      return stop(.tooLarge) > 0
    }
    clock.begin()
    guard receiver.began(head) else { return stop(.cancelled) > 0 }
    return true
  }

  private func stop(_ trouble: TransferTrouble) -> Int {
    verdict = trouble
    return 0
  }

  /// The body of a redirect is read up to this size, so that the connection can be used again. A longer one ends it.
  private static let longestPage = 65_536

  func take(body: UnsafeRawBufferPointer) -> Int {
    if verdict != nil { return 0 }
    if isRedirected {
      passedOver += body.count
      return passedOver <= Self.longestPage ? body.count : 0
    }
    guard head != nil else { return stop(.protocolError) }
    guard mayTake else {
      pause()
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    if let most = request.most, bytes + Int64(body.count) > most { return stop(.tooLarge) }
    bytes += Int64(body.count)
    credit -= body.count
    allowance? -= Int64(body.count)
    receiver.took(body)
    return body.count
  }

  // MARK: How much it may receive

  var mayTake: Bool { credit > 0 && allowance ?? 1 > 0 }

  private func pause() {
    guard !isPaused else { return }
    isPaused = true
    clock.hold()
    patience.hold()
  }

  /// To be called before curl is told to go on, because curl then delivers at once what it has held back.
  func goOn() {
    isPaused = false
    clock.goOn()
    patience.goOn()
  }

  func give(back bytes: Int) { credit = min(credit + max(bytes, 0), max(request.window, 1)) }

  /// Adds to what it may receive of the shared bandwidth. Nil: there is no limit any more.
  func allow(_ bytes: Int64?) { allowance = bytes.map { (allowance ?? 0) + $0 } }

  /// When its time limit ends; nil while it is paused, and without such a limit.
  var deadline: Moment? { request.timeLimit.flatMap { patience.moment(of: $0.time(for: bytes)) } }

  // MARK: Redirects

  /// Makes the transfer ready for the redirect's address. Returns why it may not go there; nil when it may.
  func followRedirect(_ judge: (WebPlace) -> WebPlace?) -> TransferTrouble? {
    let next = head?["location"].flatMap { WebPlace($0, from: path.place) }.flatMap(judge)
    if let trouble = path.go(to: next) ?? arrivedByProxy() { return .redirect(trouble) }
    reader = HeadReader()
    (head, isRedirected, passedOver) = (nil, false, 0)
    return nil
  }

  /// Judges a host that a proxy would connect to, before the proxy is asked. Nil when it may be asked.
  private func arrivedByProxy() -> TransferTrouble.Redirect? {
    isByProxy(host) ? path.arrive(NetworkReach(ofHost: host)) : nil
  }

  func ending(wasConnected: Bool) -> TransferEnding {
    TransferEnding(
      bytes: bytes, receiving: clock.time, wasConnected: wasConnected, version: head?.version ?? .http1)
  }
}

/// Measures time without the pauses in which we took no bytes.
private struct ReceivingClock {
  private var since: Moment?
  private var before: Duration = .zero

  mutating func begin() { since = .now }

  mutating func hold() {
    before = time
    since = nil
  }

  mutating func goOn() { since = .now }

  var time: Duration { before + (since.map { Moment.now - $0 } ?? .zero) }

  /// When it will have measured so much; nil while it is held.
  func moment(of time: Duration) -> Moment? { since.map { $0 + (time - before) } }
}
