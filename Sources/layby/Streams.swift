import Application
import Audio
import Library
import Offline
import Playback
import Runtime
import Services
import Synchronization

/// Where the decoder finds what stands in the queue by an item's address rather than a file's. Asked on the decode thread,
/// which waits; Offline answers on its own loop. Before that is open, whoever asks waits for it.
final class Streams: MusicFinder {
  private enum Opening {
    case opening
    case open(OfflinePart, EventLoop)
    case closed(Fault)
  }

  private struct State {
    var opening = Opening.opening
    var waiting: [Search] = []
  }

  private let state = Mutex(State())
  /// Somebody waits for more of it, and why; every half second while that lasts, and once when it is over.
  private let waits: @Sendable (StreamWait) -> Void

  init(waits: @escaping @Sendable (StreamWait) -> Void) { self.waits = waits }

  func take(_ opening: Keeping.Availability) {
    let new: Opening
    switch opening {
    case .opening: new = .opening
    case .open(let part, let loop): new = .open(part, loop)
    case .broken(let fault): new = .closed(fault)
    case .withoutSources: new = .closed(Fault(.missing, "O-401", "the owner's file names no source of music"))
    }
    let waiting = state.withLock { state -> [Search] in
      state.opening = new
      if case .opening = new { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for search in waiting { begin(search, new) }
  }

  func find(
    _ path: FilePath, then: @escaping @Sendable (Result<FoundMusic, Fault>) -> Void
  ) -> (@Sendable () -> Void)? {
    guard let item = ItemKey(address: path) else { return nil }
    let search = Search(item, then)
    let opening = state.withLock { state -> Opening in
      if case .opening = state.opening { state.waiting.append(search) }
      return state.opening
    }
    begin(search, opening)
    return { search.stop() }
  }

  private func begin(_ search: Search, _ opening: Opening) {
    switch opening {
    case .opening: break
    case .closed(let fault): search.then(.failure(fault))
    case .open(let part, let loop):
      Task(executorPreference: loop) { await Self.run(search, part, loop, self.waits) }
    }
  }

  /// With the first bytes it is known how many there are, too.
  private static func run(
    _ search: Search, _ part: OfflinePart, _ loop: EventLoop, _ waits: @escaping @Sendable (StreamWait) -> Void
  ) async {
    do throws(Fault) {
      switch try await part.playable(search.item) {
      case .file(let path): search.then(.success(.file(path)))
      case .stream(let stream):
        let bytes = StreamBytes(stream, of: search.item, on: loop, waits: waits)
        guard search.holds(bytes) else { return }
        // Known long before the first bytes, as a rule; nobody waits for it.
        Task(executorPreference: loop) {
          let facts = await part.facts(of: search.item)
          (bytes.duration, bytes.title) = (facts?.length, facts?.title)
        }
        try await bytes.arrive()
        search.letGo()
        search.then(.success(.coming(bytes)))
      }
    } catch {
      search.letGo()
      // What there is of it, when a better one does not come.
      if let file = await part.whole(search.item) { return search.then(.success(.file(file))) }
      let title = await part.facts(of: search.item)?.title
      search.then(.failure(Fault(error.kind, error.code, "\(title ?? "\(search.item.address)"): \(error.message)")))
    }
  }

  /// One question, and what was found so far.
  final class Search: Sendable {
    let item: ItemKey
    let then: @Sendable (Result<FoundMusic, Fault>) -> Void
    private let state = Mutex<(isStopped: Bool, bytes: StreamBytes?)>((false, nil))

    init(_ item: ItemKey, _ then: @escaping @Sendable (Result<FoundMusic, Fault>) -> Void) {
      (self.item, self.then) = (item, then)
    }

    /// False: nobody waits for it any more.
    func holds(_ bytes: StreamBytes) -> Bool {
      let isStopped = state.withLock { state in
        if !state.isStopped { state.bytes = bytes }
        return state.isStopped
      }
      if isStopped { bytes.close() }
      return !isStopped
    }

    func letGo() { state.withLock { $0.bytes = nil } }

    func stop() {
      let bytes = state.withLock { state -> StreamBytes? in
        defer { state = (true, nil) }
        return state.bytes
      }
      bytes?.close()
    }
  }
}
