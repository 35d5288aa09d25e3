import Runtime

/// Runs the requested imports one after the other and reports their progress. It lives on the main loop; the work is
/// done on the loop that it is given. An import that was broken off (by a power cut, a stop, a pulled stick) goes on
/// when it is requested again: files that were stored are not read twice.
@MainLoop
package final class ImportPart: Part {
  /// What to import.
  package struct Request: Equatable, Sendable {
    package var kind: Source.Kind
    /// What identifies the source: the file system's UUID, or the path of a folder.
    package var key: [UInt8]
    package var label: String
    package var root: FilePath

    package init(kind: Source.Kind, key: [UInt8], label: String, root: FilePath) {
      self.kind = kind
      self.key = key
      self.label = label
      self.root = root
    }

    /// A medium without an identity of its own: it is known only for as long as it is mounted at `root`.
    package init(passing kind: Source.Kind, label: String, root: FilePath) {
      self.init(kind: kind, key: Self.passing + root.bytes, label: label, root: root)
    }

    private static let passing = Array("once ".utf8)
    package var isPassing: Bool { key.starts(with: Self.passing) }

    /// Whether both mean one source, even if it is mounted elsewhere now.
    package func isSame(_ other: Request) -> Bool { kind == other.kind && key == other.key }

    /// A folder of this device.
    package init(folder: FilePath) {
      self.init(kind: .folder, key: folder.bytes, label: folder.name.description, root: folder)
    }
  }

  package enum News: Sendable {
    case progress(ImportProgress)
    /// One file that was handed over by `take` is in the library.
    case took(Request)
    case ended(Request, Result<ImportProgress, Fault>)
  }

  nonisolated package let name = "import"
  /// The progress of the running import, or of the last one.
  package private(set) var progress: ImportProgress?
  package private(set) var lastFault: Fault?
  package private(set) var isRunning = false
  package private(set) var waiting: [Request] = []
  /// Called with all news.
  package var tell: @MainLoop (News) -> Void = { _ in }
  /// The request for the stick on which a folder lies; nil for folders of this device.
  package var special: @MainLoop (FilePath) -> Request? = { _ in nil }
  /// Asks the indexes of sources for the facts of downloaded files.
  package var lookup: IndexLookup?

  /// While true nothing is written: the running import is broken off and waits in front of the others.
  package var isHeld: Bool {
    get { running.isHeld }
    set {
      let goesOn = isHeld && !newValue
      running.isHeld = newValue
      if goesOn { bell.send(()) }
    }
  }

  private let catalogue: Catalogue
  let loop: EventLoop
  private let importer: Importer
  private var running = RunningWork()
  private var current: Request?
  /// The folders whose import has begun since the program started.
  private var begun: Set<[UInt8]> = []
  private var whenEnded = Waiters()
  private let date: @MainLoop () -> Int64
  private let bell = Mailbox<Void>(limit: 1)
  private static let mostWaiting = 100

  /// `loop` gets its thread at the first import, since on most days there is none. `withForeign` says whether the
  /// decoder of foreign formats is installed; without it their files are not music.
  package init(
    into catalogue: Catalogue, on loop: EventLoop, withForeign: Bool = true, date: @escaping @MainLoop () -> Int64
  ) {
    self.catalogue = catalogue
    self.loop = loop
    importer = Importer(into: catalogue, on: loop, withForeign: withForeign)
    self.date = date
  }

  /// Queues an import behind those that wait. A source that waits already is not queued twice.
  package func add(_ wish: Request) {
    guard !waiting.contains(where: { $0.kind == wish.kind && $0.key == wish.key }), waiting.count < Self.mostWaiting
    else { return }
    waiting.append(wish)
    bell.send(())
  }

  /// Imports a folder at the start of the program, unless it was imported since, at somebody's request.
  package func takeUp(_ wish: Request) {
    if !begun.contains(wish.key) { add(wish) }
  }

  /// Imports a folder. It becomes a source of its own, unless it lies within a known source; then that one is imported.
  /// When this returns the source is stored durably, so that after a power cut the next start imports it.
  package func add(folder: FilePath) async throws(Fault) {
    _ = try Importer.identity(of: folder)
    if let wish = special(folder) {
      try await promise(wish)
      // The stick was pulled in the meantime and is noted as away; that must not be undone.
      guard special(folder) == wish else { throw Fault(.missing, "L-408", "\(folder) went away") }
      return add(wish)
    }
    // This holds for folders of a stick too.
    for source in try await catalogue.sources() where source.isPresent {
      var above = source.root.bytes
      if above.last != UInt8(ascii: "/") { above.append(UInt8(ascii: "/")) }
      if folder == source.root || folder.bytes.starts(with: above) {
        return add(Request(kind: source.kind, key: source.key, label: source.label, root: source.root))
      }
    }
    let wish = Request(folder: folder)
    try await promise(wish)
    add(wish)
  }

  private func promise(_ wish: Request) async throws(Fault) {
    _ = try await catalogue.source(wish.kind, key: wish.key, label: wish.label, root: wish.root, today: date())
  }

  /// Takes in one file that has been downloaded completely, without looking through its source. When this returns the
  /// file is in the library. While `isHeld`, or while its source is being imported (which may have passed the file's
  /// folder already), an import of the source is queued instead.
  package func take(_ arrival: Arrival, of wish: Request) async throws(Fault) {
    if isHeld || current?.isSame(wish) == true { return add(wish) }
    let source = try await catalogue.source(
      wish.kind, key: wish.key, label: wish.label, root: wish.root, today: date())
    try await catalogue.take(arrival, of: source, root: wish.root, today: date(), from: importer.disk)
    tell(.took(wish))
  }

  /// Drops the waiting imports and ends the running one soon. What it has stored stays.
  package func stop() {
    waiting = []
    running.stop()
  }

  /// Drops the waiting import of a stick that was pulled.
  package func forgetWish(key: [UInt8]) {
    waiting.removeAll { $0.key == key }
  }

  /// Ends all imports of a source. When this returns, none of them is running.
  package func end(kind: Source.Kind, key: [UInt8]) async {
    waiting.removeAll { $0.kind == kind && $0.key == key }
    while let current, current.kind == kind, current.key == key {
      running.stop()
      let seen = whenEnded.changes
      await withCheckedContinuation { whenEnded.add($0, since: seen) }
    }
  }

  package func run() async throws(Fault) {
    while await bell.receive() != nil {
      while !Task.isCancelled, !isHeld, !waiting.isEmpty { await perform(waiting.removeFirst()) }
    }
  }

  private func perform(_ wish: Request) async {
    (isRunning, lastFault, progress) = (true, nil, nil)
    // From here on it can be stopped, also while its source is looked up.
    let sign = running.begin()
    current = wish
    if wish.kind == .folder { begun.insert(wish.key) }
    let result = await withTaskCancellationHandler {
      await bringIn(wish, sign)
    } onCancel: {
      sign.raise()
    }
    current = nil
    let goesOn = running.end()
    isRunning = false
    switch result {
    case .success(let done): progress = done
    case .failure where goesOn && !Task.isCancelled:
      if !waiting.contains(where: { $0.isSame(wish) }) { waiting.insert(wish, at: 0) }
      bell.send(())
      return whenEnded.wake()
    case .failure(let fault):
      lastFault = fault
      begun.remove(wish.key)
    }
    whenEnded.wake()
    tell(.ended(wish, result))
  }

  private func bringIn(_ wish: Request, _ sign: StopSign) async -> Result<ImportProgress, Fault> {
    do throws(Fault) {
      try loop.startOnce(priority: .idle)
      let source = try await catalogue.source(
        wish.kind, key: wish.key, label: wish.label, root: wish.root, today: date())
      return .success(
        try await importer.run(
          source: source, root: wish.root, today: date(), sign: sign, lookup: wish.kind == .store ? lookup : nil
        ) { progress in
          MainLoop.start { [weak self] in self?.hear(progress, sign) }
        })
    } catch { return .failure(error) }
  }

  private func hear(_ now: ImportProgress, _ sign: StopSign) {
    // Progress that was sent before the end may arrive after it.
    guard isRunning, running.sign === sign else { return }
    progress = now
    tell(.progress(now))
  }
}
