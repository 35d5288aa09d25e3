import Audio
import Playback
import Runtime
import TestSupport

/// What the sound path does with the player's orders, step by step and without a thread: a decoder that works ahead
/// of the ear, a ring of marks between them, and news that arrive in the product's order (the decoder's first).
struct DecoderModel {
  enum File: CaseIterable {
    case good, missing, broken, silent, breaksInside, breaksAtOnce
  }

  private struct Open {
    var entry: PlayQueue.Entry
    var left: Int
    var begun = false
  }

  private enum Mark {
    case begin(EntryID, UInt32)
    case end(UInt32, openings: Int)

    var generation: UInt32 {
      switch self {
      case .begin(_, let generation), .end(let generation, _): generation
      }
    }
  }

  private enum Order {
    case start(PlayQueue.Entry, UInt32), halt
  }

  var kinds: [EntryID: File] = [:]
  private var order: Order?
  private(set) var follow: PlayQueue.Entry?
  private var wanted: UInt32 = 0
  private var generation: UInt32 = 0
  private var current: Open?
  private var next: Open?
  private var idle = true
  private var openings = 0
  private var ring: [Mark] = []
  private var drainedAt: Int?
  private var fromDecoder: [Player.News] = []
  private var fromEar: [(news: Player.News, openings: Int)] = []
  private var arrived: [Player.News] = []
  private(set) var isPlaying = false
  /// What the ear has heard since the last start, in order.
  private(set) var heard: [EntryID] = []

  mutating func obey(_ action: Player.Action) {
    switch action {
    case .start(let entry, _, let generation):
      (order, follow, wanted) = (.start(entry, generation), nil, generation)
      heard = []
    case .follow(let entry): follow = entry
    case .halt(let generation):
      (order, follow, wanted) = (.halt, nil, generation)
      heard = []
    case .pause: isPlaying = false
    case .resume: isPlaying = true
    default: break
    }
  }

  /// Nothing is left to do and nothing on its way.
  var isQuiet: Bool {
    order == nil && current == nil && next == nil && follow == nil && idle && fromDecoder.isEmpty && fromEar.isEmpty
      && arrived.isEmpty && !ring.contains { $0.generation == wanted }
  }

  /// One turn of the decode thread.
  mutating func decode(_ random: inout SeededGenerator) {
    if let order {
      self.order = nil
      next = nil
      current = nil
      switch order {
      case .halt: idle = true
      case .start(let entry, let generation):
        self.generation = generation
        idle = false
        current = open(entry)
      }
      return
    }
    if next == nil, let entry = follow, current == nil || Bool.random(using: &random) {
      follow = nil
      idle = false
      next = open(entry)
      return
    }
    guard var playing = current else {
      if next != nil {
        (current, next) = (next, nil)
      } else if !idle {
        ring.append(.end(generation, openings: openings))
        idle = true
      }
      return
    }
    guard ring.count < 6 else { return }
    let kind = kinds[playing.entry.id] ?? .good
    if kind == .breaksAtOnce || (kind == .breaksInside && playing.left == 1) {
      fromDecoder.append(.failed(playing.entry.id, Fault(.malformed, "T-1", "broken inside"), generation: generation))
      current = nil
    } else if playing.left == 0 || kind == .silent {
      current = nil
    } else {
      if !playing.begun { ring.append(.begin(playing.entry.id, generation)) }
      playing.begun = true
      playing.left -= 1
      current = playing
    }
  }

  private mutating func open(_ entry: PlayQueue.Entry) -> Open? {
    openings += 1
    switch kinds[entry.id] ?? .good {
    case .missing:
      fromDecoder.append(.failed(entry.id, Fault(.missing, "T-2", "not there"), generation: generation))
      return nil
    case .broken:
      fromDecoder.append(.failed(entry.id, Fault(.malformed, "T-3", "no music"), generation: generation))
      return nil
    default:
      fromDecoder.append(.opened(entry.id, generation: generation))
      return Open(entry: entry, left: 2)
    }
  }

  /// One turn of the output: the next mark reaches the ear.
  mutating func listen() {
    ring.removeAll { $0.generation != wanted }
    guard isPlaying, !ring.isEmpty else { return }
    switch ring.removeFirst() {
    case .begin(let id, let generation):
      heard.append(id)
      fromEar.append((.heard(id, generation: generation), openings))
    case .end(let generation, let openings):
      if ring.isEmpty { fromEar.append((.drained(generation: generation), openings)) }
    }
  }

  /// The next news that the main loop gets to know.
  mutating func takeNews() -> Player.News? {
    if arrived.isEmpty {
      arrived = fromDecoder
      fromDecoder = []
      for item in fromEar {
        if case .drained = item.news, item.openings != openings { continue }
        arrived.append(item.news)
      }
      fromEar = []
    }
    return arrived.isEmpty ? nil : arrived.removeFirst()
  }
}
