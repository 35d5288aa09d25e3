import Audio
import Formats
import Library
import Runtime

/// Where the loudness of files is stored, so that no file is measured twice: the library.
@MainLoop
package protocol LoudnessStore: AnyObject {
  /// The measured loudness of each file. A file that was not measured, or was changed since, is missing in the result.
  func loudness(of paths: [FilePath]) async -> [FilePath: MeasuredLoudness]
  /// The gains that an import read from tags. A file that has not been imported is missing in the result.
  func taggedLoudness(of paths: [FilePath]) async -> [FilePath: LoudnessFacts]
  func keep(_ loudness: MeasuredLoudness, of path: FilePath) async
}

/// Measures the loudness of tracks that will be played soon, if the normaliser is on and there is power for it. It
/// lives on the main loop; the measuring runs on a thread of the lowest priority.
///
/// The `Transport` that it was handed to says what will be played, asks it for the loudness of each track, and is told
/// when more is known. Results are stored in the library. A power cut costs the file that was being measured, which is
/// measured again.
@MainLoop
package final class LoudnessPart: Part {
  nonisolated package let name = "loudness"
  /// Whose tracks are measured. It owns this part.
  private weak var transport: Transport?
  /// Whether the normaliser is on. While it is off nothing is read from the library either, since that is up to ten
  /// thousand rows.
  private(set) var isWanted = false { didSet { if isWanted && !oldValue { bell.send(()) } } }
  /// Whether there is power to measure.
  private var isAllowed = false { didSet { if isAllowed { bell.send(()) } else { worker?.stop() } } }
  /// The queue changes with every track; it is looked through no more often than this.
  nonisolated static let rest: Duration = .seconds(5)
  /// How many of the next files may be played within minutes. Their gains are looked up immediately, without the pause
  /// of `rest`.
  nonisolated private static let soon = 8

  private let store: any LoudnessStore
  private let suspects: CrashSuspects
  private let help: ForeignHelp
  private let bell = Mailbox<Void>(limit: 1)
  private var worker: LoudnessWorker?
  private var known: [FilePath: MeasuredLoudness] = [:]
  /// The files in `known` by their folder, for the loudness of an album.
  private var albums: [FilePath: [FilePath]] = [:]
  /// Gains that an import has read, for the files in `askedTags` that have any.
  private var tagged: [FilePath: LoudnessFacts] = [:]
  private var askedTags: Set<FilePath> = []
  /// The running lookup of the files that are played soon; another begins only after its end.
  private var readingSoon: Task<Void, Never>?
  /// Files that could not be read just now. They are tried again after the next change.
  private var unreachable: Set<FilePath> = []
  private let log = Log("loudness")

  package init(
    storedIn store: any LoudnessStore, suspects: CrashSuspects = CrashSuspects(), help: ForeignHelp = ForeignHelp()
  ) {
    self.store = store
    self.suspects = suspects
    self.help = help
  }

  /// `Transport` calls it when it is made.
  func serve(_ transport: Transport) { self.transport = transport }

  /// Whether the effects need to know a loudness, and whether there is power to measure it. `Transport` calls it when
  /// the effects have changed, and the program when the library is open: a question that is asked earlier waits for that.
  package func follow(_ effects: EffectsPlan) {
    isWanted = effects.normaliser != .off
    isAllowed = effects.wantsLoudness
  }

  /// Call it when the queue has changed: there may be more to measure or to look up.
  package func lookAgain() {
    guard isWanted else { return }
    bell.send(())
    guard readingSoon == nil else { return }
    readingSoon = MainLoop.start {
      await self.findGains(of: self.transport?.nowAndNext(Self.soon) ?? [])
      self.readingSoon = nil
    }
  }

  /// Looks up the gains of files that are about to be started. Returns immediately if that was done before.
  func findGains(of paths: [FilePath]) async {
    guard isWanted, await readTags(of: Self.files(paths)) else { return }
    transport?.loudnessChanged()
  }

  /// Of a part of a file (cue sheet) it is the file that is loud. A stream has no file that could be measured yet.
  private static func files(_ paths: [FilePath]) -> [FilePath] { paths.map(\.ofFile).filter(\.isAbsolute) }

  /// The files to measure, the most urgent first: the queue, then what is played often.
  private var wanted: [FilePath] {
    guard let transport else { return [] }
    return Self.files(transport.nowAndNext(PlayQueue.limit) + transport.history.oftenest)
  }

  /// Call it when the library has changed: an import may have read tags.
  package func libraryChanged() {
    // The gains that are known hold until they have been looked up again.
    askedTags = []
    lookAgain()
  }

  /// The measured loudness; nil when the file was not measured yet.
  func loudness(of path: FilePath) -> MeasuredLoudness? { known[path] }

  /// All that is known of the loudness of a file, or of the file that a part lies in, for the normaliser.
  func hint(for path: FilePath) -> LoudnessHint {
    let file = path.ofFile
    return LoudnessHint(tagged: tagged[file] ?? LoudnessFacts(), measured: facts(of: file) ?? LoudnessFacts())
  }

  /// The measured loudness as gains. For the album's gain the measured files of the same folder count.
  func facts(of path: FilePath) -> LoudnessFacts? {
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
      for path in wanted where known[path] == nil {
        // Give up after 20 unreadable files: the stick was probably pulled.
        guard isAllowed, !Task.isCancelled, unreachable.count < 20 else { break }
        guard let measured = await measure(path) else { continue }
        learn([path: measured])
        transport?.loudnessChanged()
        await store.keep(measured, of: path)
      }
      _ = await MainLoop.loop.sleep(for: Self.rest)
    } while await bell.receive() != nil
    worker?.stop()
  }

  /// Reads what the library knows of the whole queue, so that every track begins at the right loudness, also after a
  /// jump.
  private func readWhatIsKnown() async {
    let paths = wanted
    let missing = paths.filter { known[$0] == nil }
    if !missing.isEmpty { learn(await store.loudness(of: missing)) }
    await readTags(of: paths)
    transport?.loudnessChanged()
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
      let found = await store.taggedLoudness(of: Array(slice))
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
    let worker = LoudnessWorker(help: help, suspects: suspects)
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
