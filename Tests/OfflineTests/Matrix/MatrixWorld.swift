import FaultServer
import HTTP
import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

/// A server, a disk, and a download that is brought to where a fault strikes it.
final class MatrixWorld {
  static let folder = MediaFolder(FilePath("/media"))
  static let item = "song.flac"
  static let path = "/m/song.flac"
  static let neighbourItem = "other.flac"

  static let song = Resource.noise(100_000)
  /// No byte is the same.
  static let other = Resource(song.bytes.map { ~$0 }, etag: "\"second\"")
  static let longer = Resource.noise(150_000, seed: 3, etag: "\"second\"")
  static let shorter = Resource.noise(30_000, seed: 4, etag: "\"second\"")
  static let neighbour = Resource.noise(20_000, seed: 5)

  static let key = MediaKey(source: "shop", item: item, quality: .lossless)
  static let neighbourKey = MediaKey(source: "shop", item: neighbourItem, quality: .lossless)

  static func sum(_ file: Resource) -> String { (try? PartFileTests.sum(file.bytes)) ?? "" }

  private static func index(_ files: [(String, Resource)]) -> [UInt8] {
    var index = DirectoryIndex(name: "shop")
    for (name, file) in files {
      guard let path = try? FolderPath(name) else { continue }
      index.items.append(.init(.init(path: path, size: Int64(file.bytes.count), hash: sum(file))))
    }
    return index.fileBytes
  }

  static let emptyIndex = index([(neighbourItem, neighbour)])
  private static let indexPath = "/m/" + DirectoryIndex.fileName

  let it: MatrixCase
  let server: FaultServer
  let source: MatrixSource
  private let strange: Strange?
  private(set) var life: MatrixLife
  private var wire: WireFetchingTests.Wire
  private var random = SeededGenerator(seed: 7)

  init(_ it: MatrixCase) throws {
    self.it = it
    var song = Self.song
    if it.standing == .unknown { song.etag = nil }
    let index = Resource(
      Self.index([(Self.item, song), (Self.neighbourItem, Self.neighbour)]), kind: "application/json")
    server = try FaultServer(serving: [
      Self.path: song, "/copy.flac": song, "/m/\(Self.neighbourItem)": Self.neighbour, Self.indexPath: index,
    ])
    for hop in 1...9 {
      server.script("/hop/\(hop)", Array(repeating: .redirect(to: "/hop/\(hop + 1)"), count: 20))
    }
    strange = if case .elsewhere(let kind) = it.fault.kind { try Strange(kind, server) } else { nil }
    // With pins for one name, the neighbour goes by the other.
    let host = strange == nil ? "localhost" : "127.0.0.1"
    source = MatrixSource(server, isPromised: it.standing.isPromised, neighbourHost: host)
    wire = try Self.wire(it, strange)
    life = try MatrixLife(
      MemoryDisk(), [:], of: Self.key, source: Self.source(it, source, server, wire), fetching: wire.fetching)
  }

  private static func wire(_ it: MatrixCase, _ strange: Strange?) throws -> WireFetchingTests.Wire {
    var stall = StallLimit()
    if it.taken == .retries(.stalled) { stall = StallLimit(bytesASecond: 1_000, for: .seconds(1)) }
    let isDeaf = strange?.kind == .deaf
    return try WireFetchingTests.Wire(
      strange?.settings ?? TransferSettings(), date: strange?.kind == .expiredClockUnset ? nil : 1_000, stall: stall,
      connectLimit: isDeaf ? .seconds(1) : .seconds(20))
  }

  private static func source(
    _ it: MatrixCase, _ source: MatrixSource, _ server: FaultServer, _ wire: WireFetchingTests.Wire
  ) -> any MediaSource {
    switch it.fault.kind {
    case .index, .replaced:
      guard let folder = FolderAddress(server.url("/m")) else { return source }
      let directory = HTTPDirectory(id: "shop", folder: folder, fetching: wire.fetching)
      return CountedDirectory(directory: directory, counts: source)
    default: return source
    }
  }

  /// An index that is no good is no good for others either.
  var hasNeighbour: Bool { if case .index = it.fault.kind { false } else { true } }

  // MARK: Up to the fault

  func stand() async throws {
    try await life.begin(wanting: [])
    if hasNeighbour { await want(Self.neighbourKey) }
    // Else it could show that no page is in the way, or that their source serves: the other would be tried once more.
    let isOutage = it.isForever && it.fault.lasts == .waits(.server)
    if hasNeighbour, isOutage || it.taken == .waits(.portal) { life.neighbour.add(await life.neighbour.next()) }
    switch it.standing {
    case .fresh, .unknown: break
    case .begun, .restarted, .named, .nearlyWhole:
      server.script(Self.path, [.cut(at: Int(it.standing.durable))])
      await want(Self.key)
      let stop = await life.stops.next()
      guard case .retries(.network(.reset), _) = stop else {
        Issue.record("\(it.pair): \(stop)")
        return
      }
      // Letting go, it may just give room back, and would meet the fault that is meant for what comes next.
      await life.disk.untilClosed()
    case .resumed:
      server.script(Self.path, [.stall(at: Int(it.standing.durable))])
      await want(Self.key)
      await life.disk.until(written: Int(it.standing.durable))
      await life.carrier.hear(.pause, for: Self.key)
      #expect(await life.stops.next() == .paused, "\(it.pair)")
      await life.disk.untilClosed()
    }
    let durable = life.rows.all[Self.key]?.durable ?? 0
    #expect(durable == it.standing.durable, "\(it.pair)")
  }

  private func want(_ key: MediaKey) async {
    wanted.append(key)
    await life.want(key)
  }

  /// Strikes, and goes on into it.
  func strike() async throws {
    arm()
    switch it.standing {
    case .fresh, .unknown: await want(Self.key)
    case .resumed: await life.carrier.hear(.resume, for: Self.key)
    case .restarted: try await restart()
    case .begun, .named, .nearlyWhole: await letTimeGoBy()
    }
  }

  private func arm() {
    let times = it.isForever ? 40 : 1
    switch it.fault.kind {
    case .server(let acts): server.script(Self.path, Array(repeating: acts, count: times).flatMap { $0 })
    case .elsewhere: source.state.withLock { $0.elsewhere = strange?.url }
    case .index(let acts):
      server.script(Self.indexPath, Array(repeating: acts, count: times).flatMap { $0 })
      // Only an address that is no good has the index asked for again.
      if it.standing == .begun { server.script(Self.path, [.status(403)]) }
    case .disk(var rule):
      rule.times = times
      life.disk.set(rule)
    case .row(let rule): life.rows.set(rule)
    case .replaced:
      server.serve(Self.path, Self.other)
      let files = [(Self.item, Self.other), (Self.neighbourItem, Self.neighbour)]
      server.serve(Self.indexPath, Resource(Self.index(files), kind: "application/json"))
    case .damage, .start: break
    }
  }

  func mend() {
    server.script(Self.path, [])
    server.script(Self.indexPath, [])
    source.state.withLock { $0.elsewhere = nil }
    life.disk.set(nil)
    life.rows.set(nil)
  }

  /// So much that the next attempt is due.
  func letTimeGoBy() async {
    await life.loop.advance(by: life.rows.all[Self.key]?.pause ?? .zero)
  }

  /// The power comes back: what was durable is there, and whatever runs was never heard of.
  func restart() async throws {
    let stored = life.rows.all
    let disk = life.memory.copyAfterCut(&random)
    if case .damage(let damage) = it.fault.kind { try hurt(disk, damage) }
    wire = try Self.wire(it, strange)
    let source = Self.source(it, source, server, wire)
    life = try MatrixLife(disk, stored, of: Self.key, source: source, fetching: wire.fetching)
    if case .start(let rule) = it.fault.kind, !isStruck { life.disk.set(rule) }
    do { try await life.begin(wanting: wanted) } catch { #expect(life.disk.isDead, "\(it): \(error)") }
    if it.standing == .restarted, !isStruck { arm() }
    isStruck = true
    // That is not told again.
    if stored[Self.key]?.state == .completed { life.stops.add(.completed) }
    if stored[Self.neighbourKey]?.state == .completed { life.neighbour.add(.completed) }
    if stored[Self.key]?.state == .retrying { await letTimeGoBy() }
  }

  private var isStruck = false
  private var wanted: [MediaKey] = []

  private func hurt(_ disk: MemoryDisk, _ damage: MatrixFault.Damage) throws {
    let part = Self.folder.part(try MediaFolder.Name(of: Self.key))
    var bytes = try #require(disk.bytes(part))
    switch damage {
    case .flipped: bytes[1_000] ^= 1
    case .shorter: bytes = Array(bytes.prefix(10_000))
    case .longer: bytes += [UInt8](repeating: 7, count: 5_000)
    case .emptied: bytes = []
    case .gone: return disk.remove(part)
    }
    disk.put(part, bytes)
  }
}

/// Where a song lies that cannot be fetched there, and whom we trust.
struct Strange {
  let kind: MatrixFault.Elsewhere
  let url: String
  var settings = TransferSettings()
  private var server: FaultServer?

  init(_ kind: MatrixFault.Elsewhere, _ main: FaultServer) throws {
    self.kind = kind
    switch kind {
    case .noName: url = "http://\(String(repeating: "a", count: 70)).invalid/"
    case .nobody: url = "http://127.0.0.1:1/"
    case .unreachable: url = "http://255.255.255.255/"
    case .deaf: url = "https://127.0.0.1:\(main.port)/"
    case .pin, .untrusted, .expired, .expiredClockUnset, .oldTLS, .insecure:
      let authority = try Identity.authority()
      let hasRunOut = kind == .expired || kind == .expiredClockUnset
      let identity = try authority.vouched(until: .seconds(hasRunOut ? -60 : 3_600))
      let vouching = kind == .untrusted ? try Identity.authority() : authority
      settings.authorities = .these(vouching.pem)
      if kind == .pin {
        let pins = (try authority.vouched().pin, try authority.vouched().pin)
        try settings.pin("https://localhost/", to: PinnedKeys(pins.0, backup: pins.1))
      }
      let server = try FaultServer(over: ServedTLS(identity, isOld: kind == .oldTLS))
      server.always(.redirect(to: main.url(MatrixWorld.path)))
      url = "https://localhost:\(server.port)/"
      self.server = server
    }
  }
}
