internal import CCurl
import Runtime

/// One transfer as curl does it: what it asks for, what has come, and what it may still take. On the loop `net` only;
/// curl calls it there.
final class Fetch {
  let id: UInt64
  let request: TransferRequest
  let receiver: any TransferReceiver
  var handle = EasyHandle()
  private(set) var path: RedirectPath

  private var reader = HeadReader()
  private(set) var head: AnswerHead?
  /// What comes is only the page that says so.
  private(set) var isRedirected = false
  private var passedOver = 0
  /// Why we have stopped it ourselves.
  private(set) var verdict: TransferTrouble?

  private(set) var bytes: Int64 = 0
  /// What the receiver has not given back may be as much as its window.
  private var credit: Int
  /// What it may take of the line that all share; nil when that is not capped.
  private(set) var allowance: Int64?
  var urgency: TransferRequest.Urgency
  private(set) var isPaused = false
  private var clock = ReceivingClock()
  /// From the question on.
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
    // The first place is no redirect, and is never refused.
    _ = arrivedByProxy()
  }

  var host: String { path.place.host }

  // MARK: What curl tells

  /// It is connected to `address`, by name or through DNS, and nothing was said yet: whether it goes on.
  func arrived(at address: String) -> Bool {
    // It is the proxy's address, which says nothing about the server that the proxy asks.
    if isByProxy(host) { return true }
    guard let trouble = path.arrive(reach(address)) else { return true }
    return stop(.redirect(trouble)) > 0
  }

  /// A line of the head: how many bytes of it were taken; fewer than it has end the transfer.
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

  /// Longer pages that only say "elsewhere" are not waited for.
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

  // MARK: What it may take

  var mayTake: Bool { credit > 0 && allowance ?? 1 > 0 }

  private func pause() {
    guard !isPaused else { return }
    isPaused = true
    clock.hold()
    patience.hold()
  }

  /// Before curl is told: it hands over at once what it has kept.
  func goOn() {
    isPaused = false
    clock.goOn()
    patience.goOn()
  }

  func give(back bytes: Int) { credit = min(credit + max(bytes, 0), max(request.window, 1)) }

  /// Nil: nothing is capped any more.
  func allow(_ bytes: Int64?) { allowance = bytes.map { (allowance ?? 0) + $0 } }

  /// When it has taken too long; nil while it is held back, and for what may take as long as it likes.
  var deadline: Moment? { request.timeLimit.flatMap { patience.moment(of: $0.time(for: bytes)) } }

  // MARK: Places

  /// On to where it was sent, as a fresh question; or why not.
  func followRedirect(_ judge: (WebPlace) -> WebPlace?) -> TransferTrouble? {
    let next = head?["location"].flatMap { WebPlace($0, from: path.place) }.flatMap(judge)
    if let trouble = path.go(to: next) ?? arrivedByProxy() { return .redirect(trouble) }
    reader = HeadReader()
    (head, isRedirected, passedOver) = (nil, false, 0)
    return nil
  }

  /// Judged before the proxy hears of it.
  private func arrivedByProxy() -> TransferTrouble.Redirect? {
    isByProxy(host) ? path.arrive(NetworkReach(ofHost: host)) : nil
  }

  func ending(wasConnected: Bool) -> TransferEnding {
    TransferEnding(
      bytes: bytes, receiving: clock.time, wasConnected: wasConnected, version: head?.version ?? .http1)
  }
}

/// How long bytes could come: from the first on, without the time in which none were wanted.
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

  /// When that much has gone by; nil while it is held.
  func moment(of time: Duration) -> Moment? { since.map { $0 + (time - before) } }
}
