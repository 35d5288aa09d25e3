import HTTP
import Runtime
import Services
import Synchronization

/// Files and indexes as they come over HTTP: what downloads and sources ask for, put to `Transfers`, and its answers told
/// in their words. Nothing is kept here but how much came.
package final class WireFetching: MediaFetching, IndexFetching {
  /// What has come and is not on its way to the disk yet: enough for a disk that takes a moment, and little enough that
  /// with what is written and not durable it stays within the megabyte that a power cut may cost.
  package static let window = 192 << 10
  /// Longer than any music, for files of which nobody says how long they are: a radio station never ends.
  package static let longest: Int64 = 4 << 30

  private let transfers: Transfers
  private let date: @Sendable () -> Int64?
  private let measured: @Sendable (LineMeter.Measurement) -> Void
  private let meter = Mutex(LineMeter())

  /// `date`: seconds since 1970, nil while the clock is not to be trusted. `measured` is called on the loop of
  /// `transfers`.
  package init(
    _ transfers: Transfers, date: @escaping @Sendable () -> Int64?,
    measured: @escaping @Sendable (LineMeter.Measurement) -> Void = { _ in }
  ) {
    (self.transfers, self.date, self.measured) = (transfers, date, measured)
  }

  package func fetch(
    _ place: MediaPlace, _ asked: Asked, hear: @escaping @Sendable (FetchNews) -> Void
  ) async -> any MediaFetch {
    var request = TransferRequest(place.url, headers: place.headers.map { ($0.name, $0.value) })
    (request.from, request.ifRange, request.window) = (asked.from, asked.ifRange, Self.window)
    if place.size == nil { request.most = Self.longest }
    let fetch = WireFetch(of: self, isBounded: request.most != nil, hear)
    fetch.runs(await transfers.start(request, for: fetch))
    return fetch
  }

  package func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedIndex {
    let headers = tag.map { [(name: "If-None-Match", value: $0)] } ?? []
    do throws(TransferFailure) {
      let (head, bytes) = try await transfers.get(TransferRequest(url, headers: headers), limit: limit)
      let type = Answer(status: head.status, head.headers).type
      return FetchedIndex(status: head.status, tag: head["etag"], type: type, bytes: bytes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ failure: TransferFailure) -> MediaFailure {
    switch failure.trouble {
    case .protocolError, .tooLarge, .encoded, .badRequest: return MediaFailure(.malformed, failure.fault)
    default:
      let trouble = Trouble(failure.trouble, isClockSet: date() != nil)
      return MediaFailure(.network, failure.fault, cause: trouble.name)
    }
  }

  // MARK: For its transfers

  fileprivate var now: Int64? { date() }

  fileprivate func began() { meter.withLock { $0.began(at: .now) } }

  fileprivate func took(_ count: Int, wasHeldBack: Bool) {
    if let one = meter.withLock({ $0.took(count, wasHeldBack: wasHeldBack, at: .now) }) { measured(one) }
  }

  fileprivate func ended() {
    if let one = meter.withLock({ $0.ended(at: .now) }) { measured(one) }
  }
}

extension Answer {
  fileprivate init(status: Int, _ headers: [AnswerHead.Header], now: Int64? = nil) {
    self.init(status: status, headers: headers.map { ($0.name, $0.value) }, now: now)
  }
}

/// One transfer, between the loop `net` that brings it and whoever wants its bytes.
private final class WireFetch: TransferReceiver, MediaFetch {
  private struct State {
    var transfer: Transfer?
    var isStopped = false
    var hasBegun = false
    /// Bytes that were told of and not credited yet.
    var owed = 0
    /// What was credited before there was anybody to tell.
    var credited = 0
  }

  private let fetching: WireFetching
  private let isBounded: Bool
  private let hear: @Sendable (FetchNews) -> Void
  private let state = Mutex(State())

  init(of fetching: WireFetching, isBounded: Bool, _ hear: @escaping @Sendable (FetchNews) -> Void) {
    (self.fetching, self.isBounded, self.hear) = (fetching, isBounded, hear)
  }

  /// It may have ended by now, or been stopped.
  func runs(_ transfer: Transfer) {
    let (isStopped, credited) = state.withLock { state in
      state.transfer = transfer
      return (state.isStopped, state.credited)
    }
    if isStopped { transfer.cancel() } else if credited > 0 { transfer.credit(credited) }
  }

  // MARK: From anywhere

  func stop() {
    let transfer = state.withLock { state -> Transfer? in
      state.isStopped = true
      return state.transfer
    }
    transfer?.cancel()
  }

  func credit(_ bytes: Int) {
    let transfer = state.withLock { state -> Transfer? in
      state.owed -= bytes
      if state.transfer == nil { state.credited += bytes }
      return state.transfer
    }
    transfer?.credit(bytes)
  }

  // MARK: On the loop of the transfers

  func began(_ head: AnswerHead) -> Bool {
    let isWanted = state.withLock { state -> Bool in
      if !state.isStopped { state.hasBegun = true }
      return !state.isStopped
    }
    guard isWanted else { return false }
    fetching.began()
    hear(.head(Answer(status: head.status, head.headers, now: fetching.now)))
    return true
  }

  func took(_ bytes: UnsafeRawBufferPointer) {
    let (isWanted, isHeld) = state.withLock { state in
      state.owed += bytes.count
      return (!state.isStopped, state.owed >= WireFetching.window)
    }
    fetching.took(bytes.count, wasHeldBack: isHeld)
    if isWanted { hear(.bytes(Array(bytes))) }
  }

  func ended(_ end: Result<TransferEnding, TransferFailure>) {
    let (isWanted, hasBegun) = state.withLock { state in
      state.transfer = nil
      return (!state.isStopped, state.hasBegun)
    }
    if hasBegun { fetching.ended() }
    guard isWanted else { return }
    switch end {
    case .success: hear(.ended)
    case .failure(let failure): hear(.failed(trouble(of: failure)))
    }
  }

  private func trouble(of failure: TransferFailure) -> Trouble {
    // Where the file has no limit it was the head that was too large.
    if failure.trouble == .tooLarge, !isBounded { return .nonsense }
    return Trouble(failure.trouble, isClockSet: fetching.now != nil)
  }
}
