import Glibc
import HTTP
import Offline
import Runtime
import Services
import Store

/// Fetches a web server's folder into one of this machine, and ends when all of it is here: for tests that end it
/// before, again and again. With the name of a disk it then moves everything there.
///
///     Ferry FOLDER URL [board|ssd]
@main
enum Ferry {
  static func main() {
    // No test needs it for longer; one that nobody ends stays not for ever.
    alarm(900)
    let words = CommandLine.arguments
    guard (3...4).contains(words.count), let address = FolderAddress(words[2]) else { exit(2) }
    let disk = words.count == 4 ? words[3] : nil
    do throws(Fault) { try Crossing.begin(FilePath(words[1]), address, disk) } catch { Crossing.fail(error) }
    while true { pause() }
  }
}

enum Crossing {
  static let list = ContainerKey(source: "shop", kind: .playlist, id: "all")

  static func begin(_ folder: FilePath, _ address: FolderAddress, _ disk: String?) throws(Fault) {
    let work = try EventLoop("work", mayBlock: true)
    try work.start()
    let desk = try Desk(folder / "state.db")
    let transfers = try Transfers()
    Task(executorPreference: work) {
      do throws(Fault) { try await carry(folder, address, disk, desk, transfers, work) } catch { fail(error) }
      exit(0)
    }
  }

  static func fail(_ fault: Fault) {
    print(fault)
    exit(1)
  }

  private static func carry(
    _ folder: FilePath, _ address: FolderAddress, _ disk: String?, _ desk: Desk, _ transfers: Transfers,
    _ work: EventLoop
  ) async throws(Fault) {
    let rows = try await StoredRows(of: desk)
    let fetching = WireFetching(transfers, date: { Int64(time(nil)) })
    let source = HTTPDirectory(id: "shop", folder: address, fetching: fetching)
    let part = OfflinePart(
      folder / "media", or: [MediaVolume("ssd", at: folder / "ssd")], rows: rows, sources: [source], fetching: fetching,
      loop: work, date: { Int64(time(nil)) }, told: { _ in }, whole: { _ in })
    var (rules, situation) = (TransferRules(), TransferConditions())
    (rules.settling, rules.reserve) = (.zero, 0)
    (situation.network, situation.internet, situation.minute) = (.wired, .reached, 0)
    try await part.start(rules, situation)
    if await part.list().isEmpty { _ = try await part.want(list, at: .lossless) }
    while await part.list().first?.state != .whole { await work.sleep(for: .milliseconds(20)) }
    guard let disk else { return }
    if await part.volumeLines().first(where: \.isHome)?.volume.name != disk { _ = try await part.move(to: disk) }
    while await !part.isSettled { await work.sleep(for: .milliseconds(5)) }
  }
}

/// Lends its database, on a loop of its own.
actor Desk: ConnectionLending {
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
