import Runtime

/// The imports that are asked for, one after the other, and how far they are. Lives on the main loop; the work is done
/// on a loop of its own. A source whose import was broken off, by whomever, is taken up again when it is asked for
/// again.
@MainLoop
package final class ImportPart: Part {
  /// Something to be imported.
  package struct Request: Equatable, Sendable {
    package var kind: Source.Kind
    /// A file system's UUID, or the path.
    package var key: [UInt8]
    package var label: String
    package var root: FilePath

    package init(kind: Source.Kind, key: [UInt8], label: String, root: FilePath) {
      self.kind = kind
      self.key = key
      self.label = label
      self.root = root
    }

    /// What lies at `root` as long as it is mounted there: next time another may.
    package init(passing kind: Source.Kind, label: String, root: FilePath) {
      self.init(kind: kind, key: Self.passing + root.bytes, label: label, root: root)
    }

    private static let passing = Array("once ".utf8)
    package var isPassing: Bool { key.starts(with: Self.passing) }

    /// Wherever it is now.
    package func isSame(_ other: Request) -> Bool { kind == other.kind && key == other.key }

    /// A folder of this machine's.
    package init(folder: FilePath) {
      self.init(kind: .folder, key: folder.bytes, label: folder.name.description, root: folder)
    }
  }

  package enum News: Sendable {
    case progress(ImportProgress)
    /// One file that was handed over can be found.
    case took(Request)
    case ended(Request, Result<ImportProgress, Fault>)
  }

  nonisolated package let name = "import"
  /// What is under way, or was last.
  package private(set) var progress: ImportProgress?
  package private(set) var lastFault: Fault?
  package private(set) var isRunning = false
  package private(set) var waiting: [Request] = []
  /// Told on the main loop of everything that happens.
  package var tell: @MainLoop (News) -> Void = { _ in }
  /// A folder that is more than a folder: where a stick is.
  package var special: @MainLoop (FilePath) -> Request? = { _ in nil }
  /// What indexes say of files that were fetched.
  package var lookup: IndexLookup?

  /// Nothing is to be written: what is under way is broken off and waits in front of the others until this is over.
  package var isHeld = false {
    didSet {
      guard isHeld != oldValue else { return }
      if isHeld, current != nil {
        takesUpAgain = true
        sign?.raise()
      }
      if !isHeld { bell.send(()) }
    }
  }
  /// What is under way was broken off by that, and by nobody who wants it gone.
  private var takesUpAgain = false

  private let catalogue: Catalogue
  private let loop: EventLoop
  private let importer: Importer
  /// Of the import that is under way.
  private var sign: StopSign?
  private var current: Request?
  /// Folders, since the start.
  private var begun: Set<[UInt8]> = []
  private var whenEnded = Waiters()
  private let date: @MainLoop () -> Int64
  private let bell = Mailbox<Void>(limit: 1)
  private static let mostWaiting = 100

  /// `loop` gets its thread with the first import: most days there is none.
  /// Foreign formats are music where their decoder is installed.
  package init(
    into catalogue: Catalogue, on loop: EventLoop, withForeign: Bool = true, date: @escaping @MainLoop () -> Int64
  ) {
    self.catalogue = catalogue
    self.loop = loop
    importer = Importer(into: catalogue, on: loop, withForeign: withForeign)
    self.date = date
  }

  /// Behind those that wait. One that waits already waits once.
  package func add(_ wish: Request) {
    guard !waiting.contains(where: { $0.kind == wish.kind && $0.key == wish.key }), waiting.count < Self.mostWaiting
    else { return }
    waiting.append(wish)
    bell.send(())
  }

  /// As with every start; not when somebody was quicker, and it is under way or done since.
  package func takeUp(_ wish: Request) {
    if !begun.contains(wish.key) { add(wish) }
  }

  /// A folder: a source of its own, unless it lies in one that is known; then that one is looked through. When this
  /// returns the source is known, whatever happens to the power, and the next start takes it up again.
  package func add(folder: FilePath) async throws(Fault) {
    _ = try Importer.identity(of: folder)
    if let wish = special(folder) {
      try await promise(wish)
      // Pulled meanwhile, and said to be away: it shall not be said to be there again.
      guard special(folder) == wish else { throw Fault(.missing, "L-408", "\(folder) went away") }
      return add(wish)
    }
    // Within a stick too: a folder of it is no source of its own.
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

  /// One file that came whole to a source: it is read and nothing else is, and it can be found when this returns. While
  /// nothing may be written it waits for that. An import of the source that is under way may have passed the file's
  /// folder, so the source is looked through once more behind it.
  package func take(_ arrival: Arrival, of wish: Request) async throws(Fault) {
    if isHeld || current?.isSame(wish) == true { return add(wish) }
    let source = try await catalogue.source(
      wish.kind, key: wish.key, label: wish.label, root: wish.root, today: date())
    try await catalogue.take(arrival, of: source, root: wish.root, today: date(), from: importer.disk)
    tell(.took(wish))
  }

  /// What waits is dropped, and what is under way ends soon; what it has stored stays.
  package func stop() {
    waiting = []
    takesUpAgain = false
    sign?.raise()
  }

  /// A stick was pulled: its import is over.
  package func forgetWish(key: [UInt8]) {
    waiting.removeAll { $0.key == key }
  }

  /// Nothing is imported from it any more when this returns.
  package func end(kind: Source.Kind, key: [UInt8]) async {
    waiting.removeAll { $0.kind == kind && $0.key == key }
    while let current, current.kind == kind, current.key == key {
      takesUpAgain = false
      sign?.raise()
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
    // From here on a wish to stop counts, also while its source is looked up.
    let sign = StopSign()
    (self.sign, current, takesUpAgain) = (sign, wish, false)
    if wish.kind == .folder { begun.insert(wish.key) }
    let result = await withTaskCancellationHandler {
      await bringIn(wish, sign)
    } onCancel: {
      sign.raise()
    }
    (self.sign, current) = (nil, nil)
    isRunning = false
    switch result {
    case .success(let done): progress = done
    case .failure where takesUpAgain && !Task.isCancelled:
      takesUpAgain = false
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
    // One that was sent before the end may come behind it.
    guard isRunning, self.sign === sign else { return }
    progress = now
    tell(.progress(now))
  }
}
