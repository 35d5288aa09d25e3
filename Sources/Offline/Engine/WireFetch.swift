import HTTP
import Runtime
import Synchronization

/// One transfer, between the loop `net` that brings it and whoever wants its bytes.
final class WireFetch: TransferReceiver, MediaFetch {
  private struct State {
    var transfer: Transfer?
    var isStopped = false
    var hasBegun = false
    /// Told with the first bytes: what they begin with says whether the head is to be believed.
    var head: MediaResponse?
    var came: Int64 = 0
    /// Bytes that were told of and not credited yet.
    var owed = 0
    /// What was credited before there was anybody to tell.
    var credited = 0
    var isListened = false
  }

  private let fetching: WireFetching
  private let most: Int64?
  private let hear: @Sendable (FetchNews) -> Void
  private let state = Mutex(State())

  /// `most`: nothing that is wanted has more bytes.
  init(of fetching: WireFetching, most: Int64?, _ hear: @escaping @Sendable (FetchNews) -> Void) {
    (self.fetching, self.most, self.hear) = (fetching, most, hear)
  }

  /// It may have ended by now, or been stopped.
  func runs(_ transfer: Transfer) {
    let (isStopped, credited, isListened) = state.withLock { state in
      state.transfer = transfer
      return (state.isStopped, state.credited, state.isListened)
    }
    if isStopped { return transfer.cancel() }
    if isListened { transfer.urgency(.listening) }
    if credited > 0 { transfer.credit(credited) }
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

  func listened(_ isListened: Bool) {
    let transfer = state.withLock { state -> Transfer? in
      state.isListened = isListened
      return state.transfer
    }
    transfer?.urgency(isListened ? .listening : .whenever)
  }

  // MARK: On the loop of the transfers

  func began(_ head: AnswerHead) -> Bool {
    let answer = MediaResponse(status: head.status, head.headers, now: fetching.now)
    let isWanted = state.withLock { state -> Bool in
      guard !state.isStopped else { return false }
      (state.hasBegun, state.head) = (true, answer)
      return true
    }
    if isWanted { fetching.began() }
    return isWanted
  }

  func took(_ bytes: UnsafeRawBufferPointer) {
    let (isWanted, isHeld, head, came) = state.withLock { state -> (Bool, Bool, MediaResponse?, Int64) in
      state.owed += bytes.count
      state.came += Int64(bytes.count)
      defer { state.head = nil }
      return (!state.isStopped, state.owed >= WireFetching.window, state.head, state.came)
    }
    fetching.took(bytes.count, wasHeldBack: isHeld)
    guard isWanted else { return }
    if let head {
      if head.isWholeFile, BodyStart.isPage(bytes) { return refuse(.portal) }
      hear(.head(head))
    }
    if let most, came > most { return refuse(.tooLarge) }
    hear(.bytes(Array(bytes)))
  }

  private func refuse(_ trouble: Trouble) {
    hear(.failed(trouble))
    stop()
  }

  func ended(_ end: Result<TransferEnding, TransferFailure>) {
    let (isWanted, hasBegun, head) = state.withLock { state -> (Bool, Bool, MediaResponse?) in
      state.transfer = nil
      return (!state.isStopped, state.hasBegun, state.head)
    }
    if hasBegun { fetching.ended() }
    guard isWanted else { return }
    if let head { hear(.head(head)) }
    switch end {
    case .success: hear(.ended)
    case .failure(let failure): hear(.failed(trouble(of: failure)))
    }
  }

  private func trouble(of failure: TransferFailure) -> Trouble {
    // The file has no limit there: it was the head that was too large.
    failure.trouble == .tooLarge ? .nonsense : Trouble(failure.trouble, isClockSet: fetching.now != nil)
  }
}

extension MediaResponse {
  /// Its body begins where the file begins.
  fileprivate var isWholeFile: Bool { (200..<300).contains(status) && status != 206 }
}

extension Trouble {
  /// What a transfer says. `isClockSet`: else a certificate that is not valid today says more of the clock than of the
  /// server.
  package init(_ trouble: TransferTrouble, isClockSet: Bool) {
    self =
      switch trouble {
      case .noName: .network(.noName)
      case .refused: .network(.refused)
      case .unreachable: .network(.unreachable)
      case .timedOut: .network(.timedOut)
      case .stalled: .stalled
      // What we did not call off ourselves ended because the network part did.
      case .reset, .cutShort, .cancelled: .network(.reset)
      case .tls(.pin): .tls(.pin)
      case .tls(.expired): isClockSet ? .tls(.expired) : .clockWrong
      case .tls(.untrusted): .tls(.untrusted)
      case .tls(.other): .tls(.other)
      case .redirect(.loop): .redirect(.loop)
      case .redirect(.insecure), .redirect(.inward): .redirect(.insecure)
      case .redirect(.tooMany): .redirect(.tooMany)
      case .protocolError, .badRequest: .nonsense
      case .tooLarge: .tooLarge
      case .encoded: .encoded
      case .other: .unknown
      }
  }
}
