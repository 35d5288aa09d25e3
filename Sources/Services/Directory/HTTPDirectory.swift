import Runtime
import Synchronization

/// A folder of any web server, with an index in it that `layby index` made: enough for whoever has a web server and
/// nothing else. It is asked for its index once, and again when somebody asks for changes or an address was no good. An
/// index that is missing or broken is not asked for again by each item that is wanted; see `SourceBackoff`.
///
/// What was fetched lives in memory: after a power cut the next question fetches it anew.
package final class HTTPDirectory: MediaSource {
  private typealias Outcome = Result<DirectoryIndex, MediaFailure>

  private struct State {
    var index: DirectoryIndex?
    var tag: String?
    var isAsking = false
    /// Several ask at once when downloads begin: the index comes once for all of them.
    var waiting: [CheckedContinuation<Outcome, Never>] = []
    var last: Outcome?
    var reluctance = SourceBackoff()
  }

  package let id: String
  private let folder: FolderAddress
  private let fetching: any FileFetching
  private let now: @Sendable () -> Moment
  private let state = Mutex(State())

  package init(
    id: String, folder: FolderAddress, fetching: any FileFetching, now: @escaping @Sendable () -> Moment = { .now }
  ) {
    (self.id, self.folder, self.fetching, self.now) = (id, folder, fetching, now)
  }

  package func item(at address: WebAddress) -> String? { address.path(below: folder)?.text }

  package func forgetFailure() { state.withLock { $0.reluctance.forget() } }

  package func resolve(
    _ item: String, at quality: Quality, isAnew: Bool
  ) async throws(MediaFailure) -> MediaPlace {
    let (now, isKnown) = (now(), !isAnew && state.withLock { $0.index != nil })
    if !isKnown, let failure = state.withLock({ $0.reluctance.failure(at: now) }) { throw failure }
    guard let found = try await index(isAnew: isAnew).item(item) else {
      throw MediaFailure(.notThere, Fault(.missing, "G-111", "\(shownPlain(item)) is not in the index any more"))
    }
    let file = found.file(at: quality)
    return MediaPlace(
      url: folder.address(of: file.path), size: file.size, hash: file.hash, ending: file.path.ending)
  }

  package func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] {
    guard let items = try await index(isAnew: false).items(of: container) else {
      let name = "\(container.kind.rawValue) \(shownPlain(container.id))"
      throw MediaFailure(.notThere, Fault(.missing, "G-112", "there is no \(name) in the index"))
    }
    return items.map { shown($0) }
  }

  package func changes(since token: String?) async throws(MediaFailure) -> MediaChanges {
    let before = state.withLock { ($0.index, $0.tag) }
    let now = try await index(isAnew: true)
    let tag = state.withLock { $0.tag }
    // Compared with what the token stands for, or not at all.
    guard let old = before.0, let token, before.1 == token else { return MediaChanges(token: tag, isEverything: true) }
    return now.changes(since: old, token: tag)
  }

  package func containers(_ kind: ContainerID.Kind) async throws(MediaFailure) -> [MediaContainer] {
    try await index(isAnew: false).containers(kind)
  }

  private func shown(_ item: DirectoryIndex.Item) -> MediaItem {
    var media = MediaItem(id: item.id)
    (media.title, media.artist) = (item.title, item.artist)
    (media.album, media.albumArtist) = (item.album, item.albumArtist)
    (media.disc, media.track, media.length) = (item.disc, item.track, item.length)
    let best = item.file(at: .lossless)
    (media.size, media.hash) = (best.size, best.hash)
    media.art = item.art.map { folder.address(of: $0) }
    media.qualities = Set(item.versions.keys)
    return media
  }

  // MARK: The index

  private enum Turn { case known(DirectoryIndex), ask(tag: String?), wait }

  private func index(isAnew: Bool) async throws(MediaFailure) -> DirectoryIndex {
    let turn = state.withLock { state -> Turn in
      if !isAnew, let index = state.index { return .known(index) }
      if state.isAsking { return .wait }
      state.isAsking = true
      return .ask(tag: state.index == nil ? nil : state.tag)
    }
    switch turn {
    case .known(let index): return index
    case .ask(let tag):
      let outcome = await ask(unless: tag)
      let now = now()
      let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
        defer { state.waiting = [] }
        state.reluctance.heard(outcome.failure, at: now)
        (state.isAsking, state.last) = (false, outcome)
        return state.waiting
      }
      for one in waiting { one.resume(returning: outcome) }
      return try outcome.get()
    case .wait: return try await wait().get()
    }
  }

  private func wait() async -> Outcome {
    await withCheckedContinuation { continuation in
      // The answer may have come since.
      let late = state.withLock { state -> Outcome? in
        if let last = state.last, !state.isAsking { return last }
        state.waiting.append(continuation)
        return nil
      }
      if let late { continuation.resume(returning: late) }
    }
  }

  private func ask(unless tag: String?) async -> Outcome {
    let url = folder.text + DirectoryIndex.fileName
    do throws(MediaFailure) {
      let answer = try await fetching.fetch(url, unless: tag, limit: DirectoryIndex.longestFile)
      if answer.status == 304, let known = state.withLock({ $0.index }) { return .success(known) }
      let index = try Self.read(answer)
      state.withLock { ($0.index, $0.tag) = (index, answer.tag) }
      return .success(index)
    } catch {
      var failure = error
      failure.isOfSource = true
      return .failure(failure)
    }
  }

  private static func read(_ answer: FetchedFile) throws(MediaFailure) -> DirectoryIndex {
    guard answer.status == 200 else {
      let words = "the source answered \(answer.status) when it was asked for its index"
      throw MediaFailure(.status(answer.status), Fault(.passing, "G-113", words))
    }
    if let type = answer.type, ["text/html", "application/xhtml+xml"].contains(type) {
      throw MediaFailure(.page, Fault(.passing, "G-114", "a page came in place of the source's index"))
    }
    do throws(Fault) { return try DirectoryIndex(parsing: answer.bytes) } catch {
      throw MediaFailure(.malformed, error)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
