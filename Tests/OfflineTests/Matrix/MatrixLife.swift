import DiskFaults
import FaultServer
import HTTP
import Runtime
import Services
import Synchronization

@testable import Offline

/// Where a download comes to a stop: from here nothing goes on by itself, unless time goes by.
enum Stop: Equatable {
  case retries(Trouble, Duration)
  case waits(WaitReason)
  case failed(Trouble)
  case completed
  case paused
  case unstored
  case died
}

final class Stops: Sendable {
  private struct State {
    var stops: [Stop] = []
    var waiting: CheckedContinuation<Stop, Never>?
  }

  private let state = Mutex(State())

  func add(_ stop: Stop) {
    let waiting = state.withLock { state -> CheckedContinuation<Stop, Never>? in
      guard let waiting = state.waiting else {
        state.stops.append(stop)
        return nil
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume(returning: stop)
  }

  func next() async -> Stop {
    await withCheckedContinuation { continuation in
      let stop = state.withLock { state -> Stop? in
        guard state.stops.isEmpty else { return state.stops.removeFirst() }
        state.waiting = continuation
        return nil
      }
      if let stop { continuation.resume(returning: stop) }
    }
  }

  func take(_ event: DownloadEvent) {
    switch event {
    case .retryScheduled(_, let trouble, let pause): add(.retries(trouble, pause))
    case .waits(_, let reason): add(.waits(reason))
    case .failed(_, let trouble): add(.failed(trouble))
    case .completed: add(.completed)
    case .stateChanged(_, .paused): add(.paused)
    default: break
    }
  }
}

/// The carrier between two power cuts, on a clock that stands still until the test moves it.
final class MatrixLife: Sendable {
  let loop: EventLoop
  let carrier: DownloadEngine
  let memory: MemoryDisk
  let disk: FaultyDisk
  let rows: FaultyRows
  private let source: any MediaSource
  let stops = Stops()
  let neighbour = Stops()

  init(
    _ disk: MemoryDisk, _ stored: [MediaKey: DownloadRecord], of key: MediaKey, source: any MediaSource,
    fetching: any MediaFetching
  ) throws {
    loop = try EventLoop("work", time: .virtual(VirtualTime()), mayBlock: true)
    try loop.start()
    self.source = source
    let (stops, neighbour) = (stops, neighbour)
    memory = disk
    let folder = "/" + (try MediaFolder.Name(of: key)).folder
    self.disk = FaultyDisk(
      disk, where: { String(decoding: $0.bytes, as: UTF8.self).contains(folder) }, died: { stops.add(.died) })
    rows = FaultyRows(stored, failing: key, with: self.disk) { stops.add(.unstored) }
    carrier = DownloadEngine(
      MatrixWorld.folder, on: self.disk, rows: rows, sources: [source], fetching: fetching, loop: loop, date: { 1_000 }
    ) { event in
      if event.key == key { stops.take(event) } else { neighbour.take(event) }
    }
  }

  deinit { loop.stop() }

  /// What a start does with what the life before it has left, and with what is wanted.
  func begin(wanting keys: [MediaKey]) async throws {
    let stored = rows.all
    await carrier.take(TransferRules.prompt)
    var reconciler = try Reconciler(Array(stored.values), in: MatrixWorld.folder, on: disk)
    while let found = reconciler.next() {
      for one in found {
        if let record = stored[one.key] { await carrier.take(up: record, as: one) }
      }
    }
    for key in keys { await want(key) }
    await carrier.begin(.open)
  }

  func want(_ key: MediaKey) async { await carrier.want([.alone(key)], again: false) }

  /// What it waits for has come. A page is out of the way when nobody has met it again for a while.
  func lift(_ reason: WaitReason, of key: MediaKey) async {
    // What it remembers of its index is over then, too.
    if reason == .source { source.forgetFailure() }
    guard reason == .portal else { return await carrier.hear(.lifted(reason), for: key) }
    await loop.advance(by: RunningConditions.suspicion)
    await carrier.reconsider()
  }
}

/// Says where the song lies: with its length and sum, or not; with the server, or where the fault has it.
final class MatrixSource: MediaSource {
  struct State {
    var elsewhere: String?
    var anew = 0
  }

  let id = "shop"
  let state = Mutex(State())
  private let server: FaultServer
  private let isPromised: Bool
  private let neighbourHost: String

  init(_ server: FaultServer, isPromised: Bool, neighbourHost: String) {
    (self.server, self.isPromised, self.neighbourHost) = (server, isPromised, neighbourHost)
  }

  func resolve(_ item: String, at quality: Quality, isAnew: Bool) async throws(MediaFailure) -> MediaPlace {
    let file = item == MatrixWorld.neighbourItem ? MatrixWorld.neighbour : MatrixWorld.song
    // By another name, so that no connection of one is used for the other.
    guard item == MatrixWorld.item else {
      return MediaPlace(
        url: "http://\(neighbourHost):\(server.port)/m/\(item)", size: Int64(file.bytes.count),
        hash: MatrixWorld.sum(file), ending: "flac")
    }
    let elsewhere = state.withLock { state -> String? in
      if isAnew { state.anew += 1 }
      return state.elsewhere
    }
    var place = MediaPlace(url: elsewhere ?? server.url(MatrixWorld.path), ending: "flac")
    if isPromised { (place.size, place.hash) = (Int64(file.bytes.count), MatrixWorld.sum(file)) }
    return place
  }

  func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] { [] }
  func changes(since token: String?) async throws(MediaFailure) -> MediaChanges { MediaChanges(token: nil) }
}

/// A folder of a web server, of which it is counted how often it was asked anew.
struct CountedDirectory: MediaSource {
  let directory: HTTPDirectory
  let counts: MatrixSource
  var id: String { directory.id }
  func forgetFailure() { directory.forgetFailure() }

  func resolve(_ item: String, at quality: Quality, isAnew: Bool) async throws(MediaFailure) -> MediaPlace {
    if isAnew { counts.state.withLock { $0.anew += 1 } }
    return try await directory.resolve(item, at: quality, isAnew: isAnew)
  }

  func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] { [] }
  func changes(since token: String?) async throws(MediaFailure) -> MediaChanges { MediaChanges(token: nil) }
}
