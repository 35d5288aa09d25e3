import Glibc
import HTTP
import Offline
import Runtime
import Services
import Store
import Synchronization

/// What fetches in the program and nothing else of it: its loops and sockets, a folder on the disk, rows in a database
/// that is as safe as the program's. So what is measured is fetching, and not what a player does besides.
struct Engine {
  static let source = "shop"

  let part: OfflinePart
  let directory: HTTPDirectory
  let loop: EventLoop
  let tally: Tally

  /// On `loop`.
  static func open(_ folder: FilePath, _ address: FolderAddress, on loop: EventLoop) async throws(Fault) -> Engine {
    let transfers = try Transfers()
    let rows = try await StoredRows(of: RowsDesk(folder / "state.db"))
    let fetching = WireFetching(transfers, date: { Int64(time(nil)) })
    let directory = HTTPDirectory(id: source, folder: address, fetching: fetching)
    let tally = Tally()
    let part = OfflinePart(
      folder / "media", rows: rows, sources: [directory], fetching: fetching, loop: loop, date: { Int64(time(nil)) },
      told: { event in tally.hear(event) }, whole: { _ in })
    var (rules, situation) = (TransferRules(), TransferConditions())
    // Nobody else has lost the line at the same time; and the disk is the bench's own.
    (rules.settling, rules.reserve) = (.zero, 0)
    (situation.network, situation.internet, situation.minute) = (.wired, .reached, 0)
    try await part.start(rules, situation)
    return Engine(part: part, directory: directory, loop: loop, tally: tally)
  }

  /// From the order to the moment at which all of the list is whole, right and durable, and rows and files say so.
  func fetch(_ list: String, of count: Int) async throws(Fault) -> Duration {
    let began = Moment.now
    let container = ContainerKey(source: Self.source, kind: .playlist, id: list)
    guard case .wanted = try await part.want(container, at: .lossless) else {
      throw Fault(.malformed, "B-263", "\(list) is more than may be wanted")
    }
    try await tally.wait(for: count)
    return Moment.now - began
  }
}

/// How many have come, for whoever waits for them.
final class Tally: Sendable {
  private struct State {
    var whole = 0
    var fault: Fault?
    var wanted = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func hear(_ event: OfflineEvent) {
    switch event {
    case .download(.completed): change { $0.whole += 1 }
    case .download(.failed(let key, let trouble)):
      change { $0.fault = Fault(.passing, trouble.code, "\(key): \(trouble.words)") }
    case .waits(let reasons):
      let words = reasons.map(\.words).joined(separator: "; ")
      change { $0.fault = Fault(.passing, "B-264", "downloads wait: \(words)") }
    default: break
    }
  }

  /// Until so many have come since it was last waited.
  func wait(for count: Int) async throws(Fault) {
    await withCheckedContinuation { continuation in
      change { ($0.wanted, $0.waiting) = (count, continuation) }
    }
    let fault = state.withLock { state -> Fault? in
      state.whole -= count
      return state.fault
    }
    if let fault { throw fault }
  }

  private func change(_ change: (inout State) -> Void) {
    let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
      change(&state)
      guard state.whole >= state.wanted || state.fault != nil else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    ready?.resume()
  }
}

/// Lends the rows' database, on a loop of its own, as the program's session does.
private actor RowsDesk: ConnectionLending {
  private let loop: EventLoop
  private let file: FilePath
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ file: FilePath) throws(Fault) {
    loop = try EventLoop("store", mayBlock: true)
    try loop.start()
    self.file = file
  }

  func lend<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) async throws(Fault) -> Result {
    if let connection { return try body(connection) }
    let opened = try Connection(open: file, as: .writer(durability: .full))
    connection = opened
    return try body(opened)
  }
}
