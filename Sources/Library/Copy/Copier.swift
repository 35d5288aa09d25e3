import Files
import Glibc
import Runtime

/// Copies music to the device, file by file: each grows beside the music, is read back, and gets its name when it is
/// whole. What has a name is never touched. Broken off anywhere, the same wish goes on where it was.
///
/// On a loop of its own at the lowest priority, in slices, so that imports have their turn between them.
package actor Copier {
  let music: FilePath
  let disk: any CopyDisk
  let loop: EventLoop
  let journal: CopyJournal
  let grain: Grain
  let newKey: @Sendable () -> FileHash.Value
  /// Which start of the machine this is; empty when nobody knows.
  private let boot: [UInt8]
  /// Files that got their names, in all copies.
  private(set) var placed = 0
  /// So long after an error the source is looked at again: a stick that is pulled stops answering before it is gone.
  private let patience: Duration
  /// Nil until the journal was read.
  private var left: CopyJournal.Left?
  private var lastNumber = 0
  private let log = Log("copy")

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How finely a long file is copied, in bytes.
  struct Grain: Sendable {
    /// Read and written in one go; whoever else wants the loop waits as long.
    var slice = 1 << 20
    /// Others who make something durable on the same disk wait for what is not written yet, so it stays little.
    var unwritten: Int64 = 8 << 20
    /// What a power cut costs.
    var unnoted: Int64 = 64 << 20
  }

  // Codes that decide what is done.
  static let reading = "L-420"
  static let wentAway = "L-423"
  static let stopped = "L-424"
  static let nothing = "L-429"
  static let incredible = "L-432"
  static let givenUp = "L-436"
  package static let isFull = "L-443"
  /// A device that takes nothing any more is not asked for ten thousand files.
  private static let mostRefused = 5

  package init(to music: FilePath, on loop: EventLoop) {
    self.init(to: music, on: loop, disk: KernelDisk(), patience: .seconds(2), boot: ThisBoot.id())
  }

  init(
    to music: FilePath, on loop: EventLoop, disk: any CopyDisk, patience: Duration, grain: Grain = Grain(),
    boot: [UInt8] = [],
    newKey: @escaping @Sendable () -> FileHash.Value = {
      .init(upper: .random(in: .min ... .max), lower: .random(in: .min ... .max))
    }
  ) {
    self.music = music
    self.loop = loop
    self.disk = disk
    self.patience = patience
    self.grain = grain
    self.newKey = newKey
    self.boot = boot
    journal = CopyJournal(in: music, disk: disk)
  }

  // MARK: What is wanted

  /// What an earlier life of the program has left; what it left of copies that nobody wants any more goes.
  func unfinished() throws(Fault) -> [(number: Int, wish: CopyWish)] { try opened().wishes }

  /// Copies that ended the program again and again, told once.
  func dropped() throws(Fault) -> [(wish: CopyWish, fault: Fault)] {
    let dropped = try opened().dropped
    left?.dropped = []
    return dropped.map { wish in
      let fault = Fault(
        .damaged, Self.givenUp,
        "the copy of \(wish.from.label) is given up: the program ended \(CopyJournal.mostAttempts) times while it ran")
      return (wish, fault)
    }
  }

  private func opened() throws(Fault) -> CopyJournal.Left {
    if let left { return left }
    let found = try journal.open(in: boot) { log.warning("a copy is forgotten", ["reason": $0.message]) }
    left = found
    lastNumber = found.wishes.last?.number ?? 0
    return found
  }

  /// From now on a power cut does not forget it. Gives what it is called by.
  func accept(_ wish: CopyWish) throws(Fault) -> Int {
    _ = try opened()
    let number = lastNumber + 1
    try Self.onDisk { () throws(Fault) in try journal.add(wish, as: number) }
    lastNumber += 1
    return lastNumber
  }

  func forget(_ number: Int) { journal.remove(number) }

  /// Where a path leads, and whether to a folder.
  func resolve(_ path: FilePath) throws(Fault) -> (path: FilePath, isFolder: Bool) {
    let real = try path.resolved(code: "L-420")
    var status = stat()
    guard real.withCString({ stat($0, &status) }) == 0 else { throw Fault.system("L-420", doing: "find \(path)") }
    return (real, status.st_mode & S_IFMT == S_IFDIR)
  }

  // MARK: Copying

  /// One copy; `told` hears how far it is. Without a number it is only planned.
  package func run(
    _ wish: CopyWish, number: Int?, sign: StopSign, told: @escaping @Sendable (CopyProgress) -> Void = { _ in }
  ) async throws(Fault) -> CopyProgress {
    var run = CopyRun(wish, number, to: music, sign, on: loop, began: loop.now, told: told)
    run.place = try Importer.identity(of: wish.from.root)
    try checkApart(run)
    if let number { journal.begin(number, boot) }
    // However it ends: the program is still there.
    defer { if let number { journal.clearAttempts(number) } }
    run.rule = disk.rule(at: music)
    try await count(&run)
    guard number != nil else { return run.progress }
    guard run.progress.fits else { throw Self.tooLarge(run.progress, run.progress.needed) }
    run.progress.phase = .copying
    told(run.progress)
    try await copyAll(&run)
    if let number { journal.remove(number) }
    run.progress.now = nil
    run.progress.phase = .done
    log.info("copied", ["from": wish.from.root, "files": run.progress.files, "failed": run.progress.failed])
    return run.progress
  }

  private func checkApart(_ run: CopyRun) throws(Fault) {
    let own = Self.real(music)
    for pick in run.wish.picks where pick.only == nil {
      let picked = run.wish.path(of: pick.folder)
      let real = Self.real(picked)
      guard CopyWish.names(of: own, below: real) == nil, CopyWish.names(of: real, below: own) == nil else {
        throw Fault(.malformed, "L-428", "\(picked) and the device's own music in \(music) lie within each other")
      }
    }
  }

  /// Where a path leads, whatever links are on its way. What is not made yet will lie where the folder above it does.
  private static func real(_ path: FilePath) -> FilePath {
    var (above, below): (FilePath, [[UInt8]]) = (path, [])
    while true {
      if let real = above.withCString({ realpath($0, nil) }) {
        defer { Glibc.free(real) }
        let bytes = UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
        guard let real = FilePath(bytes: bytes) else { return path }
        return below.reversed().reduce(real) { Importer.path($0, $1) }
      }
      guard errno == ENOENT, above.folder != above else { return path }
      below.append(above.name.bytes)
      above = above.folder
    }
  }

  /// What the disk that is written to says is its fault, whichever call it came from.
  static func onDisk<Result>(_ action: () throws(Fault) -> Result) throws(Fault) -> Result {
    do throws(Fault) { return try action() } catch { throw Fault(error.kind, KernelDisk.code, error.message) }
  }

  /// What there is to copy, and what of it is missing.
  private func count(_ run: inout CopyRun) async throws(Fault) {
    let note = run.number.flatMap { journal.note($0) }
    var walk = CopyWalk(run.wish)
    var folderFault: Fault?
    while let folder = walk.next() {
      if let fault = folder.fault {
        guard run.isStillThere else { throw Self.away(run) }
        folderFault = fault
      }
      let place = try self.folder(folder.names, making: false, run.rule)
      for file in folder.files {
        run.progress.of += 1
        let size = file.credibleSize
        run.progress.ofBytes = run.progress.ofBytes.adding(size)
        let path = place.map { Importer.path($0, TargetNames.name(file.name, run.rule)) }
        if let path, isThere(path, size: file.size) { continue }
        run.progress.needed = run.progress.needed.adding(DiskSpace.taken(by: size))
        if let note, note.isOf(folder.names + [file.name], size, file.modified) {
          run.progress.needed -= note.durable
        }
      }
      run.tell(at: loop.now)
      try run.checkStop()
      await loop.nextRound()
    }
    run.progress.leftOut = walk.leftOut
    run.progress.space = try disk.space(at: music)
    guard run.progress.of > 0 else {
      let folder = run.wish.path(of: run.wish.picks.first?.folder ?? [])
      let fault = folderFault ?? Fault(.missing, Self.nothing, "there is no music in \(folder)")
      // Where a stick was pulled in this moment, an empty folder is left for a while.
      if run.number != nil { try await pause(after: fault, run) }
      throw fault
    }
    if run.number == nil { run.progress.phase = .planned }
  }

  private func copyAll(_ run: inout CopyRun) async throws(Fault) {
    var walk = CopyWalk(run.wish)
    while let folder = walk.next() {
      if let fault = folder.fault {
        try await pause(after: fault, run)
        run.progress.fail(run.wish.path(of: folder.names), fault)
      }
      for file in folder.files { try await copy(file, in: folder.names, &run) }
      run.progress.leftOut = walk.leftOut
      await loop.nextRound()
    }
  }

  /// One file, however it ends; only what ends all of them is thrown.
  private func copy(_ file: Listing.File, in names: [[UInt8]], _ run: inout CopyRun) async throws(Fault) {
    guard let number = run.number else { return }
    try run.checkStop()
    let path = Importer.path(run.wish.path(of: names), file.name)
    let (before, size) = (run.progress.bytes, file.credibleSize)
    run.progress.now = path
    do throws(Fault) {
      try Self.check(file.size, path)
      let isNew = try await bring(file, at: path, in: names, number, &run)
      run.refusedInARow = 0
      if isNew {
        placed += 1
      } else {
        run.progress.there += 1
        run.progress.thereBytes = run.progress.thereBytes.adding(size)
      }
    } catch {
      try await decide(error, number, &run)
      log.warning("a file is passed over", ["file": path, "reason": error.message])
      journal.forget(number)
      run.progress.fail(path, error)
      // It took no time that would tell how fast copies are.
      run.progress.thereBytes = run.progress.thereBytes.adding(size)
    }
    run.progress.files += 1
    run.progress.bytes = before.adding(size)
    run.tell(at: loop.now)
  }

  static func check(_ size: Int64, _ path: FilePath) throws(Fault) {
    guard (0...DiskSpace.longestFile).contains(size) else {
      throw Fault(
        .malformed, incredible,
        "\(path) says that it is \(size) bytes long; expected 0 to \(DiskSpace.longestFile)")
    }
  }

  /// Throws what ends the copy.
  private func decide(_ fault: Fault, _ number: Int, _ run: inout CopyRun) async throws(Fault) {
    switch fault.code {
    case Self.stopped, Self.wentAway, Self.isFull: throw fault
    // The next one may be shorter.
    case KernelDisk.tooLong: return
    case KernelDisk.code:
      run.refusedInARow += 1
      if fault.kind == .full {
        journal.forget(number)
        // The message only says more where the disk can be asked.
        throw Self.tooLarge(run.progress, nil, try? disk.space(at: music))
      }
      if fault.kind == .denied || run.refusedInARow >= Self.mostRefused { throw fault }
    default: try await pause(after: fault, run)
    }
  }

  /// An error of a source that is going away is none of the file's.
  private func pause(after fault: Fault, _ run: CopyRun) async throws(Fault) {
    guard run.isStillThere else { throw Self.away(run) }
    guard fault.kind != .malformed, fault.code != Self.changed, fault.code != Self.readBack else { return }
    let end = loop.now + patience
    while loop.now < end {
      try run.checkStop()
      await loop.sleep(for: min(patience, .milliseconds(250)))
      guard run.isStillThere else { throw Self.away(run) }
    }
  }

  private static func away(_ run: CopyRun) -> Fault {
    let label = run.wish.from.label
    return Fault(
      .missing, wentAway, "\(label.isEmpty ? "\(run.wish.from.root)" : label) went away while it was copied")
  }

  static func tooLarge(_ progress: CopyProgress, _ needed: Int64?, _ now: DiskSpace? = nil) -> Fault {
    let space = now ?? progress.space
    let wanted = needed.map { "\(DiskSpace.shown($0)) are needed and " } ?? ""
    return Fault(
      .full, isFull,
      """
      no room in \(progress.to): \(wanted)\(DiskSpace.shown(space.free)) are free, of which \
      \(DiskSpace.shown(space.reserve)) stay in reserve
      """)
  }
}
