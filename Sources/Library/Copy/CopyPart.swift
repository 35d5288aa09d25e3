import Glibc
import Runtime

/// The copies that are asked for, one after the other, and how far they are. Lives on the main loop; the work is done
/// on the loop that imports have too. A copy whose source goes away waits for it, also across power cuts.
@MainLoop
package final class CopyPart: Part {
  package enum News: Sendable {
    case ended(CopyWish, Result<CopyProgress, Fault>)
    /// A stick's goes on by itself when the stick comes; nobody tells of folders, so theirs is tried once more when it is
    /// asked for again or the program starts.
    case away(CopyWish, Fault)
  }

  private struct Job {
    /// What it is called by on the disk; nil for a plan.
    var number: Int?
    var wish: CopyWish
    var isAway = false
    /// From an earlier life of the program.
    var isOld = false
  }

  nonisolated package let name = "copy"
  /// What is under way, or was last.
  package private(set) var progress: CopyProgress?
  package private(set) var lastFault: Fault?
  package private(set) var isRunning = false
  /// Bytes a second of the last copy that lasted.
  package private(set) var lastSpeed: Double?
  package var tell: @MainLoop (News) -> Void = { _ in }
  /// There is more music on the device than before.
  package var placed: @MainLoop () -> Void = {}
  /// What was broken off is left alone: it may be what ended the program.
  package var isSafe = false
  /// Where music may be copied from, as the library knows it: sticks, folders that were imported.
  package var sources: @MainLoop () async throws(Fault) -> [ImportPart.Request] = { [] }

  /// Nothing is to be written: what is under way is broken off and goes on, in front of the others, when this is over.
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

  package nonisolated let music: FilePath
  private let loop: EventLoop
  private let copier: Copier
  private var jobs: [Job] = []
  private var sign: StopSign?
  /// The source of what is under way, and what became of it meanwhile.
  private struct Current {
    var from: ImportPart.Request
    var hasGone = false
    var cameAgain = false
  }

  private var current: Current?
  private var hasTakenUp = false
  /// How often all was dropped.
  private var stops = 0
  private let bell = Mailbox<Void>(limit: 1)
  private static let mostWaiting = 100

  /// `loop` gets its thread with the first copy: most days there is none.
  package convenience init(to music: FilePath, on loop: EventLoop) {
    self.init(to: music, on: loop, Copier(to: music, on: loop))
  }

  init(to music: FilePath, on loop: EventLoop, _ copier: Copier) {
    self.music = music
    self.loop = loop
    self.copier = copier
  }

  /// In line, without the one that is under way and those whose source is away.
  package var waiting: Int { jobs.count { !$0.isAway } }
  package var away: [CopyWish] { jobs.filter(\.isAway).map(\.wish) }

  /// Whether an earlier life of the program has left something to be taken up. Asks the disk.
  package nonisolated static func isUnfinished(in music: FilePath) -> Bool {
    // A link that somebody put there is told of, not followed.
    var status = stat()
    return (music / CopyJournal.name).withCString { lstat($0, &status) } == 0
  }

  /// What a power cut has broken off. A stick's goes on when the stick comes.
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
    // Nobody knows what is mounted there now.
    for job in found where job.wish.from.isPassing { await copier.forget(job.number) }
    let old = found.filter { !$0.wish.from.isPassing }.map {
      Job(number: $0.number, wish: $0.wish, isAway: $0.wish.from.kind == .stick, isOld: true)
    }
    jobs = old + jobs
    bell.send(())
  }

  /// A folder with all music below it, or single files.
  package func add(_ paths: [FilePath], isPlan: Bool) async throws(Fault) {
    try loop.startOnce(priority: .idle)
    let known = try await sources()
    var wishes: [CopyWish] = []
    for path in paths {
      let (real, isFolder) = try await copier.look(at: path)
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
    // The nearest, should one lie within another.
    for source in known.sorted(by: { $0.root.bytes.count > $1.root.bytes.count }) {
      if let names = CopyWish.names(of: path, below: source.root), isFolder || !names.isEmpty {
        return CopyWish(from: source, picks: [pick(names)])
      }
    }
    return CopyWish(from: ImportPart.Request(folder: path.folder), picks: [pick([path.name.bytes])])
  }

  /// Behind those that wait. One that waits already waits once.
  package func add(_ wish: CopyWish, isPlan: Bool) async throws(Fault) {
    try await takeUp()
    // What is wanted of a stick's twin is another copy, unless the stick itself is away.
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
      // Nobody wants it any more.
      guard stops == before else {
        if let number { await copier.forget(number) }
        return
      }
      jobs.append(Job(number: number, wish: wish))
    }
    bell.send(())
  }

  /// What waits is dropped, and what is under way ends soon. What is whole stays, what is half goes.
  package func stop() async {
    let dropped = jobs.compactMap(\.number)
    jobs = []
    takesUpAgain = false
    stops += 1
    sign?.raise()
    for number in dropped { await copier.forget(number) }
    guard isSafe else { return }
    do throws(Fault) {
      for left in try await copier.unfinished() { await copier.forget(left.number) }
    } catch { Log("copy").warning("what was broken off stays", ["reason": error.message]) }
  }

  /// Those from one place are dropped, others go on.
  package func stop(from root: FilePath) async {
    let dropped = jobs.filter { $0.wish.from.root == root }.compactMap(\.number)
    jobs.removeAll { $0.wish.from.root == root }
    if current?.from.root == root {
      takesUpAgain = false
      sign?.raise()
    }
    for number in dropped { await copier.forget(number) }
  }

  /// A source is there, perhaps elsewhere than before. Two sticks may be twins, known by the same key: as long as
  /// one of them is there, the other is no business of its copies.
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

  /// With the place where it was: a twin that goes takes nothing away.
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
    let sign = StopSign()
    (self.sign, takesUpAgain) = (sign, false)
    current = Current(from: job.wish.from)
    let before = await copier.placed
    let result = await withTaskCancellationHandler {
      await copy(job, sign)
    } onCancel: {
      sign.raise()
    }
    let isMore = await copier.placed > before
    let source = current
    (self.sign, current) = (nil, nil)
    isRunning = false
    if isMore { placed() }
    switch result {
    case .success(let done):
      progress = done
      tell(.ended(job.wish, result))
    case .failure where takesUpAgain && !Task.isCancelled:
      takesUpAgain = false
      var job = job
      // It went meanwhile, as any other may that waits.
      if let source, source.hasGone, !source.cameAgain { job.isAway = true }
      if let source { job.wish.from = source.from }
      jobs.insert(job, at: 0)
      bell.send(())
    case .failure(let fault):
      lastFault = fault
      guard let number = job.number else { return }
      // The program ends: the next life of it goes on.
      if Task.isCancelled { return }
      // A stick that stays and holds nothing of it ends it. A folder of an earlier life was tried when it was taken up.
      let isGone =
        [Copier.wentAway, Importer.notThere].contains(fault.code) || fault.kind == .missing && source?.hasGone == true
      let from = job.wish.from
      let comesBack = !from.isPassing && (from.kind == .stick || !job.isOld)
      guard isGone, comesBack, !sign.isRaised else {
        await copier.forget(number)
        return tell(.ended(job.wish, result))
      }
      var (wish, isAway) = (job.wish, true)
      // It came back before it was missed: that was its one arrival.
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
    // One that was sent before the end may come behind it.
    guard isRunning, self.sign === sign else { return }
    progress = now
    lastSpeed = now.speed(at: MainLoop.loop.now) ?? lastSpeed
  }
}
