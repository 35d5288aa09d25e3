import Files
import Runtime

/// On which disk all is kept, and whether that is there. Owns what is stored of the disks and their marks. Lives on the
/// loop `offline`, inside `OfflinePart`.
///
/// One row says which disk counts and what marks the disks have; it is stored before the mark is made. So after a power cut
/// a disk is known by its mark, and nothing is believed of the folder in the place of a missing one.
final class Disks {
  private let tools: OfflineTools
  private let run: RunState
  /// The board's own first.
  let volumes: [MediaVolume]
  /// On the disk that everything is kept on.
  private(set) var folder: MediaFolder
  /// Which disk all is kept on, and which it goes to.
  private(set) var stored = StoredVolumes()
  private var isRead = false
  /// Why the disk that all is kept on is not used, before the start, and what of it was told.
  private var awayBecause: Fault?
  private var toldAway: Fault?
  private var isComingHome = false

  init(_ volumes: [MediaVolume], board: FilePath, _ tools: OfflineTools, _ run: RunState) {
    (self.volumes, self.tools, self.run) = (volumes, tools, run)
    folder = MediaFolder(board)
  }

  // MARK: Where all is

  /// Nil: the settings name it no more.
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

  /// What is told while that is not there.
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

  /// The one before counts until the new one lies there.
  private func giveMark(to volume: MediaVolume, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    var generator = SystemRandomNumberGenerator()
    let mark = VolumeMark.made(for: volume, using: &generator)
    let (before, old) = (stored, self.mark(of: volume))
    // In this order: a mark that no row knows would be taken for another device's.
    try await store(VolumeMark(mark.text, at: volume.path, before: old.map { $0.before ?? $0.text } ?? ""), of: volume)
    do throws(Fault) { try mark.make(on: tools.disk) } catch {
      try await tools.rows.store(before)
      stored = before
      throw Fault(error.kind, "O-426", "\(volume.path) cannot be used: \(error.message)")
    }
    try await store(mark, of: volume)
  }

  /// A power cut came between the mark and its row.
  private func confirm(
    _ text: String, of volume: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    let mark = VolumeMark(text, at: volume.path)
    if self.mark(of: volume) != mark { try await store(mark, of: volume) }
  }

  // MARK: The board's own, which may be mounted late

  /// Brings the board's own disk and its mark together, before anything is believed of it. Until downloads have begun:
  /// later what is in memory tells of what lies there.
  func comeHome(isolation: isolated (any Actor)? = #isolation) async {
    guard !run.isGoing, !isComingHome, let home, home.name == MediaVolume.board else { return }
    isComingHome = true
    do throws(Fault) { awayBecause = try await identify(DiskIdentification(volume: home, disk: tools.disk)) } catch {
      awayBecause = error
    }
    isComingHome = false
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
      // In this order: by its files it is known as long as no mark is.
      if text == nil { try mark.make(on: tools.disk) }
      try await store(mark, of: volume)
    case .isHome, .isAway, .isAnothers: break
    }
    return identification.fault(identity)
  }

  /// As many as are looked for, of those that tell of bytes.
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

  /// The owner says that the empty disk which is there is used in the place of the one that was. Nil: of the one that
  /// all is kept on, and what was on that is fetched anew. Gives whether that begins now, or with the next start.
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
