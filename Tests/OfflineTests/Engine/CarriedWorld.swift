import Runtime
import Services
import Synchronization
import TestSupport

@testable import Offline

/// A source whose items are bytes in memory, with their sums.
struct MemorySource: MediaSource {
  let id = "shop"
  let items: [String: [UInt8]]

  func resolve(_ item: String, at quality: Quality, isAnew: Bool) async throws(MediaFailure) -> MediaPlace {
    guard let bytes = items[item], let sum = try? PartFileTests.sum(bytes) else {
      throw MediaFailure(.notThere, Fault(.missing, "T-4", "no \(item)"))
    }
    return MediaPlace(url: item, size: Int64(bytes.count), hash: sum, ending: "flac")
  }

  func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] { [] }
  func changes(since token: String?) async throws(MediaFailure) -> MediaChanges { MediaChanges(token: nil) }
}

/// Sends in pieces, and no more than a window ahead of what was taken; nothing before so many fetches were begun.
final class PacedFetching: MediaFetching {
  struct Counts {
    var sent: [String: Int] = [:]
    /// The most that were ever sent and not taken.
    var furthestAhead = 0
  }

  static let window = 100_000
  let source: MemorySource
  let piece: Int
  let counts = Mutex(Counts())
  private let together: Int
  /// Nil once there were enough.
  private let held: Mutex<[PacedFetch]?> = Mutex([])

  init(_ source: MemorySource, piece: Int, together: Int = 1) {
    (self.source, self.piece, self.together) = (source, piece, together)
  }

  func fetch(
    _ place: MediaPlace, _ asked: Asked, hear: @escaping @Sendable (FetchNews) -> Void
  ) async -> any MediaFetch {
    let bytes = source.items[place.url] ?? []
    var headers = [(name: "Content-Length", value: "\(bytes.count - Int(asked.from))")]
    if asked.from > 0 { headers.append(("Content-Range", "bytes \(asked.from)-\(bytes.count - 1)/\(bytes.count)")) }
    hear(.head(MediaResponse(status: asked.from > 0 ? 206 : 200, headers: headers)))
    let fetch = PacedFetch(place.url, bytes, from: Int(asked.from), of: self, hear: hear)
    for one in released(by: fetch) { one.send() }
    return fetch
  }

  private func released(by fetch: PacedFetch) -> [PacedFetch] {
    held.withLock { held in
      guard let before = held else { return [fetch] }
      held = before.count + 1 < together ? before + [fetch] : nil
      return held == nil ? before + [fetch] : []
    }
  }
}

final class PacedFetch: MediaFetch {
  private struct State {
    var at: Int
    var ahead = 0
    var isOver = false
  }

  private let item: String
  private let bytes: [UInt8]
  private let fetching: PacedFetching
  private let hear: @Sendable (FetchNews) -> Void
  private let state: Mutex<State>

  init(
    _ item: String, _ bytes: [UInt8], from: Int, of fetching: PacedFetching,
    hear: @escaping @Sendable (FetchNews) -> Void
  ) {
    (self.item, self.bytes, self.fetching, self.hear) = (item, bytes, fetching, hear)
    state = Mutex(State(at: from))
  }

  func send() {
    state.withLock { state in
      while !state.isOver, state.ahead < PacedFetching.window {
        let next = Array(bytes[state.at...].prefix(fetching.piece))
        if next.isEmpty {
          state.isOver = true
          hear(.ended)
          return
        }
        state.at += next.count
        state.ahead += next.count
        let ahead = state.ahead
        fetching.counts.withLock { counts in
          counts.sent[item, default: 0] += next.count
          counts.furthestAhead = max(counts.furthestAhead, ahead)
        }
        hear(.bytes(next))
      }
    }
  }

  func stop() { state.withLock { $0.isOver = true } }

  func credit(_ bytes: Int) {
    state.withLock { $0.ahead -= bytes }
    send()
  }
}

/// Rows that are as durable as a commit; with the disk's power gone nothing is stored any more.
final class MemoryRows: DownloadRows {
  private let rows: Mutex<[MediaKey: DownloadRecord]>
  private let disk: MemoryDisk
  /// How many stores from now on fail.
  let failing = Mutex(0)

  init(_ rows: [MediaKey: DownloadRecord] = [:], with disk: MemoryDisk) {
    self.rows = Mutex(rows)
    self.disk = disk
  }

  var all: [MediaKey: DownloadRecord] { rows.withLock { $0 } }

  func store(_ record: DownloadRecord) async throws(Fault) {
    if disk.isDead { throw Fault(.passing, "T-9", "the power is gone") }
    let fails = failing.withLock { failing -> Bool in
      failing -= 1
      return failing >= 0
    }
    if fails { throw Fault(.full, "T-5", "no room for a row") }
    rows.withLock { $0[record.key] = record }
  }
}

// MARK: Where nothing is in the way

extension TransferConditions {
  static var open: TransferConditions {
    var situation = TransferConditions()
    (situation.network, situation.minute) = (.wired, 600)
    return situation
  }
}

extension TransferRules {
  /// Nobody waits for a random time, and a small disk is enough.
  static var prompt: TransferRules {
    var rules = TransferRules()
    (rules.settling, rules.reserve) = (.zero, 32 << 20)
    return rules
  }
}

extension DownloadEngine.WantedItem {
  /// On its own.
  static func alone(_ key: MediaKey) -> DownloadEngine.WantedItem {
    let track = ContainerKey(source: key.source, kind: .track, id: key.item.item)
    return DownloadEngine.WantedItem(key: key, container: track, rank: .askedFor, order: 0, queuedAt: 1_000)
  }
}
