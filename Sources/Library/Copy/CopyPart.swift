import Glibc
import Runtime

/// Runs the requested copies one after the other and reports their progress. It lives on the main loop; the work is
/// done on the loop of the imports. A copy whose source goes away waits for it, also across power cuts.
@MainLoop
package final class CopyPart: Part {
  package enum News: Sendable {
    case ended(CopyWish, Result<CopyProgress, Fault>)
    /// The source went away. A copy from a stick goes on when the stick comes back; one from a folder, when it is
    /// requested again or the program starts.
    case away(CopyWish, Fault)
  }

  private struct Job {
    /// Its number in the journal on the disk; nil for a plan.
    var number: Int?
    var wish: CopyWish
    var isAway = false
    /// It was begun in an earlier run of the program.
    var isOld = false
  }

  nonisolated package let name = "copy"
  /// The progress of the running copy, or of the last one.
  package private(set) var progress: CopyProgress?
  package private(set) var lastFault: Fault?
  package private(set) var isRunning = false
  /// Bytes per second of the last copy that took long enough to measure.
  package private(set) var lastSpeed: Double?
  package var tell: @MainLoop (News) -> Void = { _ in }
  /// Called when there is more music on the device than before.
  package var placed: @MainLoop () -> Void = {}
  /// Unfinished copies are not continued in safe mode: one of them may have crashed the program.
  package var isSafe = false
  /// The sources from which music may be copied: sticks and imported folders.
  package var sources: @MainLoop () async throws(Fault) -> [ImportPart.Request] = { [] }

  /// While true nothing is written: the running copy is broken off, and goes on before the others afterwards.
  package var isHeld: Bool {
    get { running.isHeld }
    set {
      let goesOn = isHeld && !newValue
      running.isHeld = newValue
      if goesOn { bell.send(()) }
    }
  }

  package nonisolated let music: FilePath
  private let loop: EventLoop
  private let copier: Copier
  private var jobs: [Job] = []
  private var running = RunningWork()
  /// The source of the running copy, and whether it went away or came back meanwhile.
  private struct Current {
    var from: ImportPart.Request
    var hasGone = false
    var cameAgain = false
  }

  private var current: Current?
  private var hasTakenUp = false
  /// How often all copies were stopped, to notice that during a wait.
  private var stops = 0
  private let bell = Mailbox<Void>(limit: 1)
  private static let mostWaiting = 100

  /// `loop` gets its thread at the first copy, since on most days there is none.
  package convenience init(to music: FilePath, on loop: EventLoop) {
    self.init(to: music, on: loop, Copier(to: music, on: loop))
  }

  init(to music: FilePath, on loop: EventLoop, _ copier: Copier) {
    self.music = music
    self.loop = loop
    self.copier = copier
  }

  /// How many wait, without the running one and those whose source is away.
  package var waiting: Int { jobs.count { !$0.isAway } }
  package var away: [CopyWish] { jobs.filter(\.isAway).map(\.wish) }

  /// Whether an earlier run of the program has left unfinished copies. It asks the disk.
  package nonisolated static func isUnfinished(in music: FilePath) -> Bool {
    // A symbolic link in its place is not followed.
    var status = stat()
    return (music / CopyJournal.name).withCString { lstat($0, &status) } == 0
  }

  /// Queues the copies that a power cut has broken off. Those from a stick wait for it.
  package func takeUp() async throws(Fault) {
    guard !hasTakenUp else { return }
    hasTakenUp = true
    let found: [(number: Int, wish: CopyWish)]
    do throws(Fault) {
      try loop.startOnce(priority: .idle)
      found = try await copier.unfinished()
      for (wish, fault) in try await copier.dropped() { tell(.ended(wish, .failure(fault))) }
    } catch {
      hasTakenUp = false
      throw error
    }
    guard !isSafe else { return }
    // Another medium may be mounted there now.
    for job in found where job.wish.from.isPassing { await copier.forget(job.number) }
    let old = found.filter { !$0.wish.from.isPassing }.map {
      Job(number: $0.number, wish: $0.wish, isAway: $0.wish.from.kind == .stick, isOld: true)
    }
    jobs = old + jobs
    bell.send(())
  }

  /// Copies folders, with all music below them, and single files.
  package func add(_ paths: [FilePath], isPlan: Bool) async throws(Fault) {
    try loop.startOnce(priority: .idle)
    let known = try await sources()
    var wishes: [CopyWish] = []
    for path in paths {
      let (real, isFolder) = try await copier.resolve(path)
      let wish = Self.wish(for: real, isFolder: isFolder, among: known)
      let same = wishes.firstIndex { $0.from == wish.from }
      if let same { wishes[same].picks += wish.picks } else { wishes.append(wish) }
    }
    for wish in wishes { try await add(wish, isPlan: isPlan) }
  }

  nonisolated static func wish(for path: FilePath, isFolder: Bool, among known: [ImportPart.Request]) -> CopyWish {
    func pick(_ names: [[UInt8]]) -> CopyWish.Pick {
      isFolder ? .init(folder: names) : .init(folder: names.dropLast(), only: names.suffix(1))
    }
    // Prefer the innermost source, should one contain another.
    for source in known.sorted(by: { $0.root.bytes.count > $1.root.bytes.count }) {
      if let names = CopyWish.names(of: path, below: source.root), isFolder || !names.isEmpty {
        return CopyWish(from: source, picks: [pick(names)])
      }
    }
    return CopyWish(from: ImportPart.Request(folder: path.folder), picks: [pick([path.name.bytes])])
  }

  /// Queues a copy behind those that wait. The same copy is not queued twice.
  package func add(_ wish: CopyWish, isPlan: Bool) async throws(Fault) {
    try await takeUp()
    // The same files of a twin (another stick with the same identity) are another copy, unless the first stick is away.
    let known = jobs.firstIndex {
      ($0.number == nil) == isPlan && $0.wish.picks == wish.picks && $0.wish.from.key == wish.from.key
        && ($0.isAway || $0.wish.from.root == wish.from.root)
    }
    if let known {
      jobs[known].wish.from = wish.from
      jobs[known].isAway = false
    } else {
      guard jobs.count < Self.mostWaiting else {
        throw Fault(.busy, "L-431", "\(Self.mostWaiting) copies wait already; layby copy stop forgets them")
      }
      let before = stops
      let number = isPlan ? nil : try await copier.accept(wish)
      // All copies were stopped in the meantime.
      guard stops == before else {
        if let number { await copier.forget(number) }
        return
      }
      jobs.append(Job(number: number, wish: wish))
    }
    bell.send(())
  }

  /// Drops the waiting copies and ends the running one soon. Complete files stay, partial ones are removed.
  package func stop() async {
    let dropped = jobs.compactMap(\.number)
    jobs = []
    stops += 1
    running.stop()
    for number in dropped { await copier.forget(number) }
    guard isSafe else { return }
    do throws(Fault) {
      for left in try await copier.unfinished() { await copier.forget(left.number) }
    } catch { Log("copy").warning("what was broken off stays", ["reason": error.message]) }
  }

  /// Drops the copies from one place; others go on.
  package func stop(from root: FilePath) async {
    let dropped = jobs.filter { $0.wish.from.root == root }.compactMap(\.number)
    jobs.removeAll { $0.wish.from.root == root }
    if current?.from.root == root { running.stop() }
    for number in dropped { await copier.forget(number) }
  }

  /// Call it when a source came, perhaps at another place than before. Two sticks can be twins with the same key: while
  /// one of them is present, the other does not matter to its copies.
  package func came(_ source: ImportPart.Request) {
    if let current, current.from.isSame(source), current.hasGone || current.from.root == source.root {
      self.current = Current(from: source, hasGone: current.hasGone, cameAgain: true)
    }
    for index in jobs.indices where jobs[index].isAway && jobs[index].wish.from.isSame(source) {
      jobs[index].wish.from = source
      jobs[index].isAway = false
    }
    bell.send(())
  }

  /// Call it when a source went, with the place where it was, so that a twin's going changes nothing.
  package func went(_ source: ImportPart.Request) {
    func isIt(_ from: ImportPart.Request) -> Bool { from.isSame(source) && from.root == source.root }
    if let current, isIt(current.from) { self.current = Current(from: current.from, hasGone: true) }
    for index in jobs.indices where isIt(jobs[index].wish.from) { jobs[index].isAway = true }
  }

  package func run() async throws(Fault) {
    while await bell.receive() != nil {
      while !Task.isCancelled, !isHeld, let next = jobs.firstIndex(where: { !$0.isAway }) {
        await perform(jobs.remove(at: next))
      }
    }
  }

  private func perform(_ job: Job) async {
    (isRunning, lastFault, progress) = (true, nil, nil)
    let sign = running.begin()
    current = Current(from: job.wish.from)
    let before = await copier.placed
    let result = await withTaskCancellationHandler {
      await copy(job, sign)
    } onCancel: {
      sign.raise()
    }
    let isMore = await copier.placed > before
    let source = current
    current = nil
    let goesOn = running.end()
    isRunning = false
    if isMore { placed() }
    switch result {
    case .success(let done):
      progress = done
      tell(.ended(job.wish, result))
    case .failure where goesOn && !Task.isCancelled:
      var job = job
      // The source went away in the meantime.
      if let source, source.hasGone, !source.cameAgain { job.isAway = true }
      if let source { job.wish.from = source.from }
      jobs.insert(job, at: 0)
      bell.send(())
    case .failure(let fault):
      lastFault = fault
      guard let number = job.number else { return }
      // The program ends; its next run continues the copy.
      if Task.isCancelled { return }
      // If the stick is present and does not have the files, the copy ends. An old copy from a folder was tried at the
      // start.
      let isGone =
        [Copier.wentAway, Importer.notThere].contains(fault.code) || fault.kind == .missing && source?.hasGone == true
      let from = job.wish.from
      let comesBack = !from.isPassing && (from.kind == .stick || !job.isOld)
      guard isGone, comesBack, !sign.isRaised else {
        await copier.forget(number)
        return tell(.ended(job.wish, result))
      }
      var (wish, isAway) = (job.wish, true)
      // The source came back before this was handled; its arrival will not be reported again.
      if let source, source.cameAgain { (wish.from, isAway) = (source.from, false) }
      jobs.append(Job(number: number, wish: wish, isAway: isAway, isOld: true))
      if isAway { tell(.away(job.wish, fault)) }
    }
  }

  private func copy(_ job: Job, _ sign: StopSign) async -> Result<CopyProgress, Fault> {
    do throws(Fault) {
      try loop.startOnce(priority: .idle)
      return .success(
        try await copier.run(job.wish, number: job.number, sign: sign) { progress in
          MainLoop.start { [weak self] in self?.hear(progress, sign) }
        })
    } catch { return .failure(error) }
  }

  private func hear(_ now: CopyProgress, _ sign: StopSign) {
    // Progress that was sent before the end may arrive after it.
    guard isRunning, running.sign === sign else { return }
    progress = now
    lastSpeed = now.speed(at: MainLoop.loop.now) ?? lastSpeed
  }
}
