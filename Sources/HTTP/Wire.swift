internal import CCurl
import Glibc
import Runtime

/// Owns curl's multi handle and all running transfers. It never waits itself: `sockets` and `deadline` say what to wait
/// for, and its owner, the actor `Transfers`, calls `handleSockets` or `timeUp` then.
final class Wire {
  /// Nil after `close`.
  private var multi: UnsafeMutableRawPointer?
  /// The sockets that curl waits for.
  let sockets: DescriptorSet
  private let settings: TransferSettings
  private(set) var strictHosts: StrictHosts
  private var fetches: [UInt64: Fetch] = [:]
  private var curlDeadline: Moment?
  private var share: FairShare
  private var lastDeal = Moment.now

  init(_ settings: TransferSettings) throws(Fault) {
    self.settings = settings
    strictHosts = settings.strictHosts
    share = FairShare(bytesASecond: settings.bytesASecond)
    sockets = try DescriptorSet()
    try Curl.need()
    multi = layby_curl_multi_new()
    guard multi != nil else { throw Fault(.passing, "N-223", "curl cannot be set up") }
    listen()
  }

  deinit { close() }

  private func listen() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    layby_curl_on_socket(
      multi,
      { _, socket, what, whom, _ in
        if let whom { Unmanaged<Wire>.fromOpaque(whom).takeUnretainedValue().watch(socket, what) }
        return 0
      }, this)
    layby_curl_on_timer(
      multi,
      { _, milliseconds, whom in
        if let whom { Unmanaged<Wire>.fromOpaque(whom).takeUnretainedValue().wait(milliseconds) }
        return 0
      }, this)
    layby_curl_multi_set(multi, CURLMOPT_MAXCONNECTS, settings.keptConnections)
    // No multiplexing in HTTP/2: a transfer with a slow receiver would hold up others on the same connection.
    layby_curl_multi_set(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
  }

  // MARK: Called by curl

  private func watch(_ socket: Int32, _ what: Int32) {
    switch what {
    case CURL_POLL_IN: sockets.watch(socket, for: .reading)
    case CURL_POLL_OUT: sockets.watch(socket, for: .writing)
    case CURL_POLL_INOUT: sockets.watch(socket, for: [.reading, .writing])
    case CURL_POLL_REMOVE: sockets.forget(socket)
    default: sockets.watch(socket, for: [])
    }
  }

  private func wait(_ milliseconds: Int) {
    curlDeadline = milliseconds < 0 ? nil : Moment.now + .milliseconds(milliseconds)
  }

  /// When `timeUp` must be called; nil: there are only the sockets to wait for.
  var deadline: Moment? {
    var first = curlDeadline
    func or(_ other: Moment) { first = first.map { min($0, other) } ?? other }
    if isDealing { or(lastDeal + FairShare.turn) }
    for fetch in fetches.values { if let overdue = fetch.deadline { or(overdue) } }
    return first
  }

  // MARK: Called by the owner

  func handleSockets() {
    var running: Int32 = 0
    for (socket, what) in sockets.happened() {
      var bits: Int32 = 0
      if what.contains(.reading) { bits |= CURL_CSELECT_IN }
      if what.contains(.writing) { bits |= CURL_CSELECT_OUT }
      if what.contains(.failing) { bits |= CURL_CSELECT_ERR }
      layby_curl_multi_action(multi, socket, bits, &running)
    }
    settle()
  }

  func timeUp() {
    let now = Moment.now
    if let due = curlDeadline, due <= now {
      curlDeadline = nil
      var running: Int32 = 0
      layby_curl_multi_action(multi, -1, 0, &running)
    }
    if isDealing, lastDeal + FairShare.turn <= now { deal(at: now) }
    settle()
    endOverdue(at: now)
  }

  private func endOverdue(at now: Moment) {
    for id in fetches.keys.sorted() {
      guard let fetch = fetches[id], let deadline = fetch.deadline, deadline <= now else { continue }
      let trouble = TransferTrouble(CURLE_OPERATION_TIMEDOUT, of: fetch.handle.pointer)
      layby_curl_multi_remove(multi, fetch.handle.pointer)
      end(fetch, .failure(TransferFailure(trouble, from: fetch.host)))
    }
  }

  private func settle() {
    var result = CURLE_OK
    while let easy = layby_curl_next_ended(multi, &result) {
      guard let owner = layby_curl_owner(easy) else { continue }
      finish(Unmanaged<Fetch>.fromOpaque(owner).takeUnretainedValue(), result)
    }
  }

  // MARK: Transfers

  /// Changes http to https for hosts that must be reached by TLS. Nil when that is not possible.
  private func judged(_ place: WebPlace) -> WebPlace? {
    let mustBeSafe = settings.pins[place.host] != nil || strictHosts.mustBeSafe(place.host, now: Int64(time(nil)))
    return mustBeSafe ? place.madeSafe : place
  }

  func begin(_ id: UInt64, _ request: TransferRequest, for receiver: any TransferReceiver) {
    guard request.isSound, let place = WebPlace(request.url).flatMap(judged) else {
      let host = WebPlace(request.url)?.host ?? ""
      return receiver.ended(.failure(TransferFailure(.badRequest, from: host)))
    }
    let fetch = Fetch(id, request, from: place, for: receiver, settings)
    // With a limit nothing is taken before the first deal, so that many small answers stay within the limit too.
    fetch.allow(share.bytesASecond.map { _ in 0 })
    fetches[id] = fetch
    ask(fetch)
    settle()
  }

  private func ask(_ fetch: Fetch) {
    let isAsked = fetch.prepare(settings) && layby_curl_multi_add(multi, fetch.handle.pointer) == CURLM_OK
    if !isAsked { end(fetch, .failure(TransferFailure(.other, from: fetch.host, "curl does not take it"))) }
  }

  private func finish(_ fetch: Fetch, _ result: CURLcode) {
    let easy = fetch.handle.pointer
    layby_curl_multi_remove(multi, easy)
    if let head = fetch.head, fetch.path.place.isSafe, let wish = head["strict-transport-security"] {
      strictHosts.hear(wish, from: fetch.host, now: Int64(time(nil)))
    }
    if let trouble = fetch.verdict { return end(fetch, .failure(TransferFailure(trouble, from: fetch.host))) }
    if fetch.isRedirected {
      let host = fetch.host
      if let trouble = fetch.followRedirect(judged) {
        return end(fetch, .failure(TransferFailure(trouble, from: host)))
      }
      return ask(fetch)
    }
    guard result == CURLE_OK else {
      let detail = layby_curl_words(result).map { String(cString: $0) } ?? ""
      let trouble = TransferTrouble(result, of: easy)
      return end(fetch, .failure(TransferFailure(trouble, from: fetch.host, trouble == .other ? detail : "")))
    }
    // curl reports success for a connection that was closed in the middle of the head.
    guard fetch.head != nil else { return end(fetch, .failure(TransferFailure(.reset, from: fetch.host))) }
    let wasConnected = layby_curl_number(easy, CURLINFO_NUM_CONNECTS) == 0
    end(fetch, .success(fetch.ending(wasConnected: wasConnected)))
  }

  private func end(_ fetch: Fetch, _ end: Result<TransferEnding, TransferFailure>) {
    fetches[fetch.id] = nil
    share.owe(-min(fetch.allowance ?? 0, 0))
    fetch.receiver.ended(end)
  }

  /// When this returns, its socket is closed and its memory is free.
  func cancel(_ id: UInt64) {
    guard let fetch = fetches[id] else { return }
    layby_curl_multi_remove(multi, fetch.handle.pointer)
    end(fetch, .failure(TransferFailure(.cancelled, from: fetch.host)))
  }

  /// Ends all transfers and closes all connections, the idle ones too.
  func close() {
    for id in fetches.keys.sorted() { cancel(id) }
    let closing = multi
    multi = nil
    if closing != nil { layby_curl_multi_free(closing) }
    curlDeadline = nil
  }

  // MARK: Sharing the bandwidth

  func urgency(_ urgency: TransferRequest.Urgency, of id: UInt64) { fetches[id]?.urgency = urgency }

  func give(back bytes: Int, to id: UInt64) {
    guard let fetch = fetches[id] else { return }
    fetch.give(back: bytes)
    goOn(fetch)
    settle()
  }

  private func goOn(_ fetch: Fetch) {
    guard fetch.isPaused, fetch.mayTake else { return }
    fetch.goOn()
    let result = layby_curl_pause(fetch.handle.pointer, CURLPAUSE_CONT)
    // The receiver refused the bytes that curl had held back. curl does not end the transfer then (its issue 13337).
    if result != CURLE_OK && result != CURLE_BAD_FUNCTION_ARGUMENT { finish(fetch, result) }
  }

  func limit(_ bytesASecond: Int64?) {
    share = FairShare(bytesASecond: bytesASecond)
    lastDeal = .now
    for id in fetches.keys.sorted() {
      guard let fetch = fetches[id] else { continue }
      fetch.allow(nil)
      fetch.allow(share.bytesASecond.map { _ in 0 })
      goOn(fetch)
    }
    settle()
  }

  /// Whether some transfer could use more than it was given, so that another deal is needed.
  private var isDealing: Bool {
    guard let most = share.most else { return false }
    return fetches.values.contains { $0.allowance ?? most < most }
  }

  private func deal(at now: Moment) {
    guard let most = share.most else { return }
    let claims = fetches.values.map { fetch in
      let wanted = most - (fetch.allowance ?? most)
      return FairShare.Claim(id: fetch.id, urgency: fetch.urgency, bytes: wanted)
    }
    for (id, bytes) in share.deal(after: now - lastDeal, to: claims) {
      fetches[id]?.allow(bytes)
    }
    lastDeal = now
    for id in fetches.keys.sorted() { if let fetch = fetches[id] { goOn(fetch) } }
  }
}
