import FaultServer
import Glibc
import HTTP
import Runtime
import Synchronization
import Testing

/// What came of a transfer.
struct Outcome: Sendable {
  var head: AnswerHead?
  var bytes: [UInt8]
  var end: Result<TransferEnding, TransferFailure>

  /// For a comparison that, when it fails, does not print a million numbers.
  func isAll(of expected: some Collection<UInt8>) -> Bool { bytes.elementsEqual(expected) }

  var trouble: TransferTrouble? {
    guard case .failure(let failure) = end else { return nil }
    return failure.trouble
  }

  var ending: TransferEnding? { try? end.get() }
}

/// Takes a transfer's bytes and, unless it is told otherwise, gives them back at once.
final class Taker: TransferReceiver {
  struct State {
    var head: AnswerHead?
    var bytes: [UInt8] = []
    var end: Result<TransferEnding, TransferFailure>?
    var calls = 0
    var callsElsewhere = 0
    var callsAfterEnd = 0
    var transfer: Transfer?
    /// Came, and was not given back.
    var owed = 0
    var mostOwed = 0
    var waiting: [(condition: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let state = Mutex(State())
  private let loop: EventLoop
  /// How much of what is owed is given back each time.
  private let giving: @Sendable (_ owed: Int) -> Int
  private let wants: Bool
  /// On the loop, before anything else happens there.
  private let atEnd: @Sendable () -> Void

  init(
    on loop: EventLoop, wants: Bool = true, giving: @escaping @Sendable (_ owed: Int) -> Int = { $0 },
    atEnd: @escaping @Sendable () -> Void = {}
  ) {
    (self.loop, self.wants, self.giving, self.atEnd) = (loop, wants, giving, atEnd)
  }

  func began(_ head: AnswerHead) -> Bool {
    note { $0.head = head }
    return wants
  }

  func took(_ bytes: UnsafeRawBufferPointer) {
    note { state in
      state.bytes.append(contentsOf: bytes)
      state.owed += bytes.count
      state.mostOwed = max(state.mostOwed, state.owed)
      giveBack(&state)
    }
  }

  func ended(_ end: Result<TransferEnding, TransferFailure>) {
    atEnd()
    note { state in
      if state.end != nil { state.callsAfterEnd += 1 }
      state.end = end
      state.transfer = nil
    }
  }

  func holds(_ transfer: Transfer) {
    note(false) { state in
      if state.end == nil { state.transfer = transfer }
      giveBack(&state)
    }
  }

  private func giveBack(_ state: inout State) {
    guard let transfer = state.transfer else { return }
    let given = min(giving(state.owed), state.owed)
    if given > 0 { transfer.credit(given) }
    state.owed -= given
  }

  private func note(_ isCall: Bool = true, _ change: (inout State) -> Void) {
    let isElsewhere = isCall && !loop.isCurrent
    let happy = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if isCall { state.calls += 1 }
      if isElsewhere { state.callsElsewhere += 1 }
      if isCall, state.end != nil { state.callsAfterEnd += 1 }
      change(&state)
      let now = state
      let happy = state.waiting.filter { $0.condition(now) }.map(\.continuation)
      state.waiting.removeAll { $0.condition(now) }
      return happy
    }
    for continuation in happy { continuation.resume() }
  }

  func until(_ condition: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in note(false) { $0.waiting.append((condition, continuation)) } }
  }

  /// How it ended, when it has.
  func outcome() async throws -> Outcome {
    await until { $0.end != nil }
    return try state.withLock { state in
      #expect(state.callsElsewhere == 0, "called on another thread than net")
      #expect(state.callsAfterEnd == 0, "called after the end")
      return Outcome(head: state.head, bytes: state.bytes, end: try #require(state.end))
    }
  }
}

/// Transfers of a test's own; they close with it.
final class TestTransfers: Sendable {
  let transfers: Transfers
  let loop: EventLoop

  init(_ settings: TransferSettings = TransferSettings()) throws {
    loop = try EventLoop("net", mayBlock: true)
    try loop.start()
    transfers = Transfers(settings, on: loop)
  }

  deinit {
    let (transfers, loop) = (transfers, loop)
    Task {
      await transfers.close()
      loop.stop()
    }
  }

  func fetch(_ request: TransferRequest) async throws -> Outcome {
    let taker = Taker(on: loop)
    taker.holds(await transfers.start(request, for: taker))
    return try await taker.outcome()
  }

  func fetch(_ url: String, from: Int64 = 0) async throws -> Outcome {
    var request = TransferRequest(url)
    request.from = from
    // A test that goes wrong shall not take half a minute for it.
    request.stall = StallLimit(for: .seconds(10))
    return try await fetch(request)
  }
}

/// For what is not about time.
let plenty = TimeLimit(.seconds(60))

/// Soon stalled, for tests that wait for it.
func impatient(_ url: String) -> TransferRequest {
  var request = TransferRequest(url)
  request.stall = StallLimit(bytesASecond: 10_000, for: .seconds(1))
  request.connectLimit = .milliseconds(300)
  return request
}

/// A port of the loopback that is taken, and on which nobody listens.
final class DeafPort: Sendable {
  private let socket: Descriptor
  let number: Int

  init() throws {
    let taken = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    socket = Descriptor(taking: taken)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(taken, $0, size) == 0 && getsockname(taken, $0, &size) == 0
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    try #require(isBound)
  }
}
