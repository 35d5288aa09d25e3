import Audio
import Formats
import Library
import Runtime

/// Measures the loudness of tracks that will be played soon, if the normaliser is on and there is power for it. It
/// lives on the main loop; the measuring runs on a thread of the lowest priority.
///
/// Results are stored in the library. A power cut costs the file that was being measured, which is measured again.
@MainLoop
package final class LoudnessPart: Part {
  /// Where measurements are stored, so that no file is measured twice.
  package struct Book {
    package var known: @MainLoop ([FilePath]) async -> [FilePath: MeasuredLoudness]
    /// The gains that an import read from tags. A file that has not been imported is missing in the result.
    package var tagged: @MainLoop ([FilePath]) async -> [FilePath: LoudnessFacts]
    package var keep: @MainLoop (FilePath, MeasuredLoudness) async -> Void

    package init(
      known: @escaping @MainLoop ([FilePath]) async -> [FilePath: MeasuredLoudness],
      tagged: @escaping @MainLoop ([FilePath]) async -> [FilePath: LoudnessFacts] = { _ in [:] },
      keep: @escaping @MainLoop (FilePath, MeasuredLoudness) async -> Void
    ) {
      self.known = known
      self.tagged = tagged
      self.keep = keep
    }
  }

  nonisolated package let name = "loudness"
  /// The files to measure, the most urgent first: the queue, then what is played often.
  package var wanted: @MainLoop () -> [FilePath] = { [] }
  /// Whether the normaliser is on. While it is off nothing is read from the library either, since that is up to ten
  /// thousand rows.
  package var isWanted = false { didSet { if isWanted && !oldValue { bell.send(()) } } }
  /// The files that may be played within minutes. Their gains are looked up immediately, without the pause of `rest`.
  package var soon: @MainLoop () -> [FilePath] = { [] }
  /// Called when more gains are known than before.
  package var learned: @MainLoop () -> Void = {}
  /// Whether there is power to measure.
  package var isAllowed = false { didSet { if isAllowed { bell.send(()) } else { worker?.stop() } } }
  /// The queue changes with every track; it is looked through no more often than this.
  nonisolated static let rest: Duration = .seconds(5)

  private let book: Book
  private let suspects: CrashSuspects
  private let bell = Mailbox<Void>(limit: 1)
  private var worker: LoudnessWorker?
  private var known: [FilePath: MeasuredLoudness] = [:]
  /// The files in `known` by their folder, for the loudness of an album.
  private var albums: [FilePath: [FilePath]] = [:]
  /// Gains that an import has read, for the files in `askedTags` that have any.
  private var tagged: [FilePath: LoudnessFacts] = [:]
  private var askedTags: Set<FilePath> = []
  /// The running lookup of `soon`; another begins only after its end.
  private var readingSoon: Task<Void, Never>?
  /// Files that could not be read just now. They are tried again after the next change.
  private var unreachable: Set<FilePath> = []
  private let log = Log("loudness")

  package init(_ book: Book, suspects: CrashSuspects = CrashSuspects()) {
    self.book = book
    self.suspects = suspects
  }

  /// Call it when the queue has changed: there may be more to measure or to look up.
  package func lookAgain() {
    guard isWanted else { return }
    bell.send(())
    guard readingSoon == nil else { return }
    readingSoon = MainLoop.start {
      await self.findGains(of: self.soon())
      self.readingSoon = nil
    }
  }

  /// Looks up the gains of files that are about to be started. Returns immediately if that was done before.
  package func findGains(of paths: [FilePath]) async {
    guard isWanted, await readTags(of: paths) else { return }
    learned()
  }

  /// Call it when the library has changed: an import may have read tags.
  package func libraryChanged() {
    // The gains that are known hold until they have been looked up again.
    askedTags = []
    lookAgain()
  }

  /// The measured loudness; nil when the file was not measured yet.
  package func loudness(of path: FilePath) -> MeasuredLoudness? { known[path] }

  /// All that is known of a file's loudness, for the normaliser.
  package func hint(for path: FilePath) -> LoudnessHint {
    LoudnessHint(tagged: tagged[path] ?? LoudnessFacts(), measured: facts(of: path) ?? LoudnessFacts())
  }

  /// The measured loudness as gains. For the album's gain the measured files of the same folder count.
  package func facts(of path: FilePath) -> LoudnessFacts? {
    guard let own = known[path] else { return nil }
    let album = (albums[path.folder] ?? []).compactMap { known[$0] }
    return LoudnessFacts(
      trackGain: own.lufs.map { NormaliserGain.target - $0 }, trackPeak: own.truePeak,
      albumGain: AlbumLoudness.of(album).map { NormaliserGain.target - $0 },
      albumPeak: AlbumLoudness.truePeak(of: album))
  }

  package func run() async throws(Fault) {
    repeat {
      guard isWanted else { continue }
      await readWhatIsKnown()
      unreachable = []
      for path in wanted() where known[path] == nil {
        // Give up after 20 unreadable files: the stick was probably pulled.
        guard isAllowed, !Task.isCancelled, unreachable.count < 20 else { break }
        guard let measured = await measure(path) else { continue }
        learn([path: measured])
        learned()
        await book.keep(path, measured)
      }
      _ = await MainLoop.loop.sleep(for: Self.rest)
    } while await bell.receive() != nil
    worker?.stop()
  }

  /// Reads what the library knows of the whole queue, so that every track begins at the right loudness, also after a
  /// jump.
  private func readWhatIsKnown() async {
    let paths = wanted()
    let missing = paths.filter { known[$0] == nil }
    if !missing.isEmpty { learn(await book.known(missing)) }
    await readTags(of: paths)
    learned()
    let still = Set(paths)
    if askedTags.count > 2 * PlayQueue.limit {
      askedTags.formIntersection(still)
      tagged = tagged.filter { still.contains($0.key) }
    }
    guard known.count > 2 * PlayQueue.limit else { return }
    let kept = known.filter { still.contains($0.key) }
    (known, albums) = ([:], [:])
    learn(kept)
  }

  /// False when there was nothing to ask.
  @discardableResult private func readTags(of paths: [FilePath]) async -> Bool {
    let missing = paths.filter { askedTags.insert($0).inserted }
    // In slices, so that a page of the panel waits for one slice at most.
    for first in stride(from: 0, to: missing.count, by: Catalogue.slice) {
      let slice = missing[first..<min(first + Catalogue.slice, missing.count)]
      let found = await book.tagged(Array(slice))
      for path in slice { tagged[path] = found[path] }
      if !found.isEmpty { log.info("gains in tags are known", ["files": found.count]) }
    }
    return !missing.isEmpty
  }

  private func learn(_ new: [FilePath: MeasuredLoudness]) {
    for (path, loudness) in new where known.updateValue(loudness, forKey: path) == nil {
      albums[path.folder, default: []].append(path)
    }
  }

  /// A file that cannot be measured is logged and stored as such, so that it is tried once. Nil when measuring was
  /// stopped, or failed for a reason outside the file.
  private func measure(_ path: FilePath) async -> MeasuredLoudness? {
    guard !unreachable.contains(path) else { return nil }
    let worker = LoudnessWorker(suspects: suspects)
    self.worker = worker
    defer { self.worker = nil }
    let answer: Result<MeasuredLoudness, Fault>? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(Fault) { try worker.measure(path) { continuation.resume(returning: $0) } } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      worker.stop()
    }
    switch answer {
    case nil: return nil
    case .success(let found): return found
    case .failure(let fault) where [.missing, .passing, .denied, .busy].contains(fault.kind):
      unreachable.insert(path)
      return nil
    case .failure(let fault):
      log.info("cannot be measured", ["path": path, "reason": fault.message])
      return MeasuredLoudness(lufs: nil, truePeak: nil, seconds: 0)
    }
  }
}
