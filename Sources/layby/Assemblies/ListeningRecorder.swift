import Application
import Library
import Playback
import Runtime

/// Writes down what was heard: in the history, which no power cut loses; in the library's counts, by which lists are
/// ordered; and in Offline, which predicts from it what will be wanted. It lives on the main loop.
@MainLoop
final class ListeningRecorder: ListeningLog {
  private let storage: Storage
  private let catalogue: Catalogue
  private let keeping: Keeping
  private lazy var played = Batcher<History.PlayedEntry>(most: 100, as: storage.errands) { [weak self] in
    await self?.record($0)
  }
  private let log = Log("layby")

  init(_ storage: Storage, _ catalogue: Catalogue, _ keeping: Keeping) {
    (self.storage, self.catalogue, self.keeping) = (storage, catalogue, keeping)
  }

  /// It is written down in batches.
  func add(_ entry: History.PlayedEntry) { played.add(entry) }

  private func record(_ heard: [History.PlayedEntry]) async {
    var listenings: [(Listening, of: EntryID)] = []
    for one in heard {
      // A library that cannot be read costs the counts, not the history.
      let key = try? await catalogue.key(at: one.path)
      var listening = Listening(key, at: one.path, begun: one.begun, lasted: one.lasted, isFinished: one.isFinished)
      listening.isStreamed = one.isStreamed
      listenings.append((listening, of: one.entry))
    }
    await note(listenings)
    for (listening, _) in listenings { await tellOffline(listening) }
    let plays: [(key: ContentKey, at: Int64)] = listenings.compactMap { listening, _ in
      guard listening.isPlay, let key = listening.recording else { return nil }
      return (key, listening.begun)
    }
    do throws(Fault) { try await catalogue.played(plays) } catch {
      log.warning("what was heard is not counted", ["reason": error.message])
    }
  }

  private func note(_ listenings: [(Listening, of: EntryID)]) async {
    do throws(Fault) { try await storage.session?.note(listenings) } catch {
      guard listenings.count > 1 else {
        return log.warning("what was heard is not in the history", ["reason": error.message])
      }
      // One that cannot be written does not take the others along.
      for one in listenings { await note([one]) }
    }
  }

  /// What was played often is the last to be given up.
  private func tellOffline(_ listening: Listening) async {
    guard listening.isPlay, case .open(let part, let loop) = keeping.availability else { return }
    let (path, date) = (listening.path.ofFile, listening.begun)
    await withCheckedContinuation { (noted: CheckedContinuation<Void, Never>) in
      Task(executorPreference: loop) {
        await part.heard(path, at: date)
        noted.resume()
      }
    }
  }

  /// A library that is new, or lost its last moments in a power cut, gets its counts back from the history.
  func restoreCounts() async {
    guard let session = storage.session else { return }
    do throws(Fault) {
      let hasCounts = try await catalogue.hasCounts()
      guard storage.afterUncleanStop || !hasCounts else { return }
      var last: ContentKey?
      while true {
        let part = try await session.totals(after: last, count: Catalogue.slice)
        guard let end = part.last else { return }
        try await catalogue.restore(part)
        last = end.key
      }
    } catch { log.warning("counts are not restored", ["reason": error.message]) }
  }
}
