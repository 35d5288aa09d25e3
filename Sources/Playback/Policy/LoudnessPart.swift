import Audio
import Formats
import Library
import Runtime

/// Has the loudness of what will soon be played measured, when there is power for chores and the owner wants all music
/// equally loud. Lives on the main loop; the work is done on a thread that takes only what nobody else wants.
///
/// What was measured is kept in the library; a power cut costs the file at hand, which is then measured anew.
@MainLoop
package final class LoudnessPart: Part {
  /// Where measurements are kept, so that no file is measured twice.
  package struct Book {
    package var known: @MainLoop ([FilePath]) async -> [FilePath: MeasuredLoudness]
    /// What an import read of the gains in files' tags. Nothing is said of a file that no import has read.
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
  /// What shall be known, the most urgent first: what is queued, then what is often played.
  package var wanted: @MainLoop () -> [FilePath] = { [] }
  /// Somebody listens to what is known. Otherwise nothing is read either: it is ten thousand rows.
  package var isWanted = false { didSet { if isWanted && !oldValue { bell.send(()) } } }
  /// What may be played within the next minutes. Its gains are looked up at once, and not after a rest.
  package var soon: @MainLoop () -> [FilePath] = { [] }
  /// More is known than before.
  package var learned: @MainLoop () -> Void = {}
  /// There is power to find out more.
  package var isAllowed = false { didSet { if isAllowed { bell.send(()) } else { worker?.stop() } } }
  /// A queue changes with every track; so often it is looked through at most.
  nonisolated static let rest: Duration = .seconds(5)

  private let book: Book
  private let suspects: CrashSuspects
  private let bell = Mailbox<Void>(limit: 1)
  private var worker: LoudnessWorker?
  private var known: [FilePath: MeasuredLoudness] = [:]
  /// The same by folder: an album's loudness is asked for before anything is heard.
  private var albums: [FilePath: [FilePath]] = [:]
  /// Gains that an import has read, for the files in `askedTags` that have any.
  private var tagged: [FilePath: LoudnessFacts] = [:]
  private var askedTags: Set<FilePath> = []
  /// It ends before another is begun.
  private var readingSoon: Task<Void, Never>?
  /// Not there, or nothing could be done just now: tried again when something has changed.
  private var unreachable: Set<FilePath> = []
  private let log = Log("loudness")

  package init(_ book: Book, suspects: CrashSuspects = CrashSuspects()) {
    self.book = book
    self.suspects = suspects
  }

  /// The queue has changed: there may be more to measure, or to read.
  package func lookAgain() {
    guard isWanted else { return }
    bell.send(())
    guard readingSoon == nil else { return }
    readingSoon = MainLoop.start {
      await self.findGains(of: self.soon())
      self.readingSoon = nil
    }
  }

  /// For what is about to be started. Returns at once when the library was asked before.
  package func findGains(of paths: [FilePath]) async {
    guard isWanted, await readTags(of: paths) else { return }
    learned()
  }

  /// Files may have been read, or read anew.
  package func libraryChanged() {
    // What was read before holds until it is read anew.
    askedTags = []
    lookAgain()
  }

  /// As far as it is known.
  package func loudness(of path: FilePath) -> MeasuredLoudness? { known[path] }

  /// For the normaliser.
  package func hint(for path: FilePath) -> LoudnessHint {
    LoudnessHint(tagged: tagged[path] ?? LoudnessFacts(), measured: facts(of: path) ?? LoudnessFacts())
  }

  /// As the normaliser takes it: for the album all of the same folder count that were measured.
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
        // A stick that was pulled out is not asked for ten thousand files.
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

  /// For the whole queue: ten thousand numbers are little, and whatever is jumped to begins at the right loudness.
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
    // In slices: whoever asks the library for a page meanwhile waits for one of them.
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

  /// What cannot be measured is told once, and known as that. Nil when it was stopped, or is not the file's fault.
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
