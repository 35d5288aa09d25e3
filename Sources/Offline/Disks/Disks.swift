import Files
import Runtime

/// Which disk fetched music is kept on (the *home*), and whether that disk is there. Owns the row of `state.db` that
/// names the home and the mark of each disk. Lives on the loop `offline`, inside `OfflinePart`.
///
/// A mark is a file with a random text on the disk. Its text is stored in the row before the file is made, so after a
/// power cut no disk has a mark that the row does not know. When a disk is missing, the folder at its path has no mark,
/// and nothing in it counts as fetched music.
final class Disks {
  private let tools: OfflineTools
  private let run: RunState
  /// The disk of the board itself is the first.
  let volumes: [MediaVolume]
  /// The folder for music on the home.
  private(set) var folder: MediaFolder
  /// The row as it is stored: the home, the disk that everything is being moved to, and the marks.
  private(set) var stored = StoredVolumes()
  private var isRead = false
  /// Why the home cannot be used, as `identifyBoardDisk` found; nil when it can.
  private var awayBecause: Fault?
  /// What was logged of that, so that the same reason is not logged at each try.
  private var toldAway: Fault?
  /// While `identifyBoardDisk` waits for the database: a second call does nothing then.
  private var isIdentifying = false

  init(_ volumes: [MediaVolume], board: FilePath, _ tools: OfflineTools, _ run: RunState) {
    (self.volumes, self.tools, self.run) = (volumes, tools, run)
    folder = MediaFolder(board)
  }

  // MARK: Where all is

  /// Nil when the settings no longer name the disk.
  var home: MediaVolume? { volumes.first { $0.name == stored.home } }
  var target: MediaVolume? { volumes.first { $0.name == stored.target } }

  static func noDisk(_ name: String) -> Fault {
    Fault(.missing, "O-421", "the settings name no disk \(shownPlain(name))")
  }

  private func mark(of volume: MediaVolume) -> VolumeMark? {
    stored.marks[volume.name].map { VolumeMark(stored: $0, at: volume.path) }
  }

  func isThere(_ volume: MediaVolume) -> Bool {
    if let mark = mark(of: volume) { return mark.isThere(on: tools.disk) }
    // The board's own has none for as long as nothing was ever kept on it.
    return volume.name == MediaVolume.board && space(of: volume) != nil
  }

  var isHomeThere: Bool { home.flatMap { mark(of: $0) }?.isThere(on: tools.disk) == true }

  /// What people are told while the home is missing.
  var awayWhy: Why { awayBecause.map { Why(code: WaitReason.otherDisk.code, words: $0.message) } ?? Why(.otherDisk) }

  func space(of volume: MediaVolume) -> DiskSpace? {
    do throws(Fault) { return try tools.disk.space(at: volume.path) } catch { return nil }
  }

  /// Its file can be opened.
  func isThere(_ record: DownloadRecord) -> Bool {
    guard let path = record.path else { return false }
    do throws(Fault) {
      guard let file = try tools.disk.open(FilePath(path), making: false) else { return false }
      tools.disk.close(file)
      return true
    } catch { return false }
  }

  var lines: [VolumeLine] {
    volumes.map { volume in
      var line = VolumeLine(volume)
      line.isHome = volume.name == stored.home
      line.isThere = isThere(volume)
      line.isNew = !line.isThere && mark(of: volume) == nil
      if line.isThere, let space = space(of: volume) { (line.free, line.total) = (space.free, space.total) }
      return line
    }
  }

  // MARK: What is stored of them

  /// What a move has copied, to be gone on with; nil: all was read already. Behind it `settle` is called.
  func read(isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> [String: Move.Copy]? {
    guard !isRead else { return nil }
    let known = try await tools.rows.volumes()
    let copied = known.target == nil ? [:] : try await tools.rows.moved()
    guard !isRead else { return nil }
    (stored, isRead) = (known, true)
    return copied
  }

  /// The engine is told where all is.
  func settle(isolation: isolated (any Actor)? = #isolation) async {
    guard let home else { return }
    folder = home.folder
    await tools.engine.settle(in: folder, mark(of: home))
  }

  /// Where all goes to from now on; nil: nowhere.
  func store(target: String?, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    var after = stored
    after.target = target
    if after != stored { try await tools.rows.store(after) }
    Steps.reach("move.begun")
    stored = after
  }

  /// All is on that one now, which no power cut changes.
  func store(home volume: MediaVolume, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    var after = stored
    (after.home, after.target) = (volume.name, nil)
    try await tools.rows.store(after)
    Steps.reach("move.settled")
    (stored, folder) = (after, volume.folder)
  }

  private func store(
    _ mark: VolumeMark, of volume: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    var after = stored
    after.marks[volume.name] = mark.stored
    try await tools.rows.store(after)
    stored = after
  }

  // MARK: One that is used for the first time

  /// Gives it its mark, unless it has it. A folder in which another device keeps its music is left alone. So is what lies
  /// in the place of a disk that was used before: that may be the empty folder below a disk that is unplugged.
  func ready(_ volume: MediaVolume, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    if volume.name == MediaVolume.board { try tools.disk.makeFolder(volume.path) }
    let found = try VolumeMark.text(at: volume.path, on: tools.disk)
    if let counting = mark(of: volume)?.counting(found) {
      guard counting == found else { throw VolumeMark.away(volume) }
      return try await confirm(counting, of: volume)
    }
    guard found == nil else { throw VolumeMark.anothers(volume.path) }
    try await makeOurs(volume)
  }

  /// An empty one, from now on with a mark of its own.
  private func makeOurs(_ volume: MediaVolume, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    // What lies in the board's own is what was left there.
    if volume.name != MediaVolume.board { try refuseMusic(in: volume) }
    try await giveMark(to: volume)
  }

  private func refuseMusic(in volume: MediaVolume) throws(Fault) {
    let there = Set(try tools.disk.names(in: volume.path, most: Reconciler.mostInFolder).map { "\($0)" })
    for name in MediaFolder.folders where there.contains(name) {
      for file in try tools.disk.names(in: volume.path / name, most: Reconciler.mostInFolder) {
        guard MediaFolder.reading(file, in: name) == nil else {
          throw Fault(.denied, "O-425", "in \(volume.path) lies music of another device; expected an empty folder")
        }
      }
    }
  }

  /// Gives the disk a new mark. The old one counts until the new one is on the disk.
  private func giveMark(to volume: MediaVolume, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    var generator = SystemRandomNumberGenerator()
    let mark = VolumeMark.made(for: volume, using: &generator)
    let (before, old) = (stored, self.mark(of: volume))
    // The row first: a mark that the row does not know would be taken for another device's.
    try await store(VolumeMark(mark.text, at: volume.path, before: old.map { $0.before ?? $0.text } ?? ""), of: volume)
    do throws(Fault) { try mark.make(on: tools.disk) } catch {
      try await tools.rows.store(before)
      stored = before
      throw Fault(error.kind, "O-426", "\(volume.path) cannot be used: \(error.message)")
    }
    try await store(mark, of: volume)
  }

  /// Stores the final row after a power cut came between the making of a mark and that.
  private func confirm(
    _ text: String, of volume: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    let mark = VolumeMark(text, at: volume.path)
    if self.mark(of: volume) != mark { try await store(mark, of: volume) }
  }

  // MARK: The board's own disk, which may be mounted late

  /// Decides whether the folder of the board's own disk is that disk, and lets the engine use it if it is. Called until
  /// downloads have begun, because the disk may be mounted late. It does nothing afterwards: records in memory then say
  /// what is on the disk.
  func identifyBoardDisk(isolation: isolated (any Actor)? = #isolation) async {
    guard !run.isGoing, !isIdentifying, let home, home.name == MediaVolume.board else { return }
    isIdentifying = true
    do throws(Fault) { awayBecause = try await identify(DiskIdentification(volume: home, disk: tools.disk)) } catch {
      awayBecause = error
    }
    isIdentifying = false
    if let fault = awayBecause, fault != toldAway {
      Log("offline").info("the disk that music is kept on is not there", ["reason": fault.message])
    }
    toldAway = awayBecause
    if awayBecause == nil { await tools.engine.settle(in: home.folder, mark(of: home)) }
  }

  private func identify(
    _ identification: DiskIdentification, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Fault? {
    let volume = identification.volume
    let found = try VolumeMark.text(at: volume.path, on: tools.disk)
    let counting = mark(of: volume)?.counting(found)
    if let counting, counting == found {
      try await confirm(counting, of: volume)
      return nil
    }
    let identity = identification.identify(known: counting, found: found, try await someKept())
    switch identity {
    case .isNew:
      try tools.disk.makeFolder(volume.path)
      try await giveMark(to: volume)
    case .isKnown(let text):
      var generator = SystemRandomNumberGenerator()
      let mark = text.map { VolumeMark($0, at: volume.path) } ?? VolumeMark.made(for: volume, using: &generator)
      // The mark first: until the row knows one, the disk is recognised by the files on it.
      if text == nil { try mark.make(on: tools.disk) }
      try await store(mark, of: volume)
    case .isHome, .isAway, .isAnothers: break
    }
    return identification.fault(identity)
  }

  /// Some downloads that have bytes on the disk: as many as `DiskIdentification` looks for.
  private func someKept(isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> [DownloadRecord] {
    var kept: [DownloadRecord] = []
    var last: MediaKey?
    while kept.count < DiskIdentification.sample {
      let page = try await tools.rows.downloads(after: last, count: 500)
      guard let end = page.last else { break }
      kept += page.filter(\.hasKept)
      last = end.key
    }
    return kept
  }

  /// The owner says that an empty disk replaces the one of that name. `name` nil means the home; what was on that is
  /// fetched again. Returns true when the new disk is used now, false when it is used from the next start on.
  func accept(_ name: String?, isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> Bool {
    let name = name ?? stored.home
    guard let volume = volumes.first(where: { $0.name == name }) else {
      throw name == stored.home ? Self.noDisk(name) : unknown(name)
    }
    if mark(of: volume)?.isThere(on: tools.disk) == true {
      throw Fault(.busy, "O-431", "\(volume.path) is the disk that music is kept on already")
    }
    guard name != stored.target else {
      throw Fault(
        .busy, "O-433",
        "everything is being moved to \(shownPlain(name)); call that off first: layby offline move \(stored.home)")
    }
    if name == MediaVolume.board { try tools.disk.makeFolder(volume.path) }
    if try VolumeMark.text(at: volume.path, on: tools.disk) != nil { throw VolumeMark.anothers(volume.path) }
    guard name == stored.home else {
      try await makeOurs(volume)
      return true
    }
    try await giveMark(to: volume)
    (awayBecause, toldAway) = (nil, nil)
    // What is in memory tells of the other one.
    guard !run.isGoing else { return false }
    await tools.engine.settle(in: volume.folder, mark(of: volume))
    return true
  }

  func unknown(_ name: String) -> Fault {
    let all = volumes.map(\.name).joined(separator: ", ")
    return Fault(.missing, "O-423", "there is no disk \(shownPlain(name)); there is \(all)")
  }
}
