import Files
import Runtime

/// On which disk all is kept, and whether that is there.
extension OfflinePart {
  /// Nil: the settings name it no more.
  var home: MediaVolume? { volumes.first { $0.name == stored.home } }
  var target: MediaVolume? { volumes.first { $0.name == stored.target } }

  static func noDisk(_ name: String) -> Fault {
    Fault(.missing, "O-421", "the settings name no disk \(shownPlain(name))")
  }

  func mark(of volume: MediaVolume) -> VolumeMark? {
    stored.marks[volume.name].map { VolumeMark($0, at: volume.path) }
  }

  func isThere(_ volume: MediaVolume) -> Bool {
    if let mark = mark(of: volume) { return mark.isThere(on: disk) }
    // The board's own has none for as long as nothing was ever kept on it.
    return volume.name == MediaVolume.board && space(of: volume) != nil
  }

  var isHomeThere: Bool { home.flatMap { mark(of: $0) }?.isThere(on: disk) == true }

  /// What is told while that is not there.
  var awayWhy: Why { awayBecause.map { Why(code: WaitReason.otherDisk.code, words: $0.message) } ?? Why(.otherDisk) }

  private func space(of volume: MediaVolume) -> DiskSpace? {
    do throws(Fault) { return try disk.space(at: volume.path) } catch { return nil }
  }

  /// Bytes left on the disk that all is kept on; nil while that is not there.
  package func free() async -> Int64? {
    do throws(Fault) { try await readVolumes() } catch {
      Log("offline").error("it is not known which disk music is kept on", ["reason": error.message])
      return nil
    }
    await comeHome()
    guard isHomeThere, let home else { return nil }
    return space(of: home)?.free
  }

  /// The folder that all is kept in, when that is known.
  package func place() async throws(Fault) -> FilePath {
    try await readVolumes()
    guard let home else { throw Self.noDisk(stored.home) }
    return home.path
  }

  func readVolumes() async throws(Fault) {
    guard !areVolumesRead else { return }
    let known = try await rows.volumes()
    let copied = known.target == nil ? [:] : try await rows.moved()
    guard !areVolumesRead else { return }
    (stored, areVolumesRead) = (known, true)
    if let target = known.target { move = Move(to: target, having: copied) }
    // Wherever something was ever kept it may have been left.
    uncleared = Set(known.marks.keys).union([MediaVolume.board]).subtracting([known.home, known.target ?? known.home])
    guard let home else { return }
    folder = home.folder
    await carrier.settle(in: folder, mark(of: home))
  }

  package func volumeLines() -> [VolumeLine] {
    var lines: [VolumeLine] = []
    for volume in volumes {
      var line = VolumeLine(volume)
      line.isHome = volume.name == stored.home
      line.isThere = isThere(volume)
      // One that was never used has no mark, and what lies in its place may be anything.
      if line.isThere, let space = space(of: volume) { (line.free, line.total) = (space.free, space.total) }
      lines.append(line)
    }
    return lines
  }

  // MARK: One that is used for the first time

  /// Gives it its mark, unless it has it. A folder in which another device keeps its music is left alone.
  func ready(_ volume: MediaVolume) async throws(Fault) {
    if volume.name == MediaVolume.board { try disk.makeFolder(volume.path) }
    if let known = mark(of: volume), known.isThere(on: disk) { return }
    if try VolumeMark.text(at: volume.path, on: disk) != nil {
      throw VolumeMark.anothers(volume.path)
    }
    // What lies in the board's own is what was left there.
    if volume.name != MediaVolume.board { try refuseMusic(in: volume) }
    try await giveMark(to: volume)
  }

  private func refuseMusic(in volume: MediaVolume) throws(Fault) {
    let there = Set(try disk.names(in: volume.path, most: Reconciler.mostInFolder).map { "\($0)" })
    for name in MediaFolder.folders where there.contains(name) {
      for file in try disk.names(in: volume.path / name, most: Reconciler.mostInFolder) {
        guard MediaFolder.reading(file, in: name) == nil else {
          throw Fault(.denied, "O-425", "in \(volume.path) lies music of another device; expected an empty folder")
        }
      }
    }
  }

  func giveMark(to volume: MediaVolume) async throws(Fault) {
    var generator = SystemRandomNumberGenerator()
    let mark = VolumeMark.made(for: volume, using: &generator)
    // In this order: a mark that no row knows would be taken for another device's.
    try await store(mark, of: volume)
    do throws(Fault) { try mark.make(on: disk) } catch {
      throw Fault(error.kind, "O-426", "\(volume.path) cannot be used: \(error.message)")
    }
  }

  func store(_ mark: VolumeMark, of volume: MediaVolume) async throws(Fault) {
    var after = stored
    after.marks[volume.name] = mark.text
    try await rows.store(after)
    stored = after
  }

  // MARK: What was left behind

  /// All is on one disk, and nothing on any other that is there.
  package var isSettled: Bool {
    guard isGoing, move == nil, !isClearing else { return false }
    for volume in volumes where uncleared.contains(volume.name) {
      if isThere(volume) { return false }
    }
    return true
  }

  func clearOthers() {
    guard isGoing, !isClearing, !uncleared.isEmpty else { return }
    isClearing = true
    Task(executorPreference: loop) { await self.clear() }
  }

  private func clear() async {
    for name in uncleared.sorted() {
      guard let volume = volumes.first(where: { $0.name == name }), isThere(volume) else { continue }
      var hunt = OrphanHunt(in: volume.folder, on: disk)
      // It may have become the one that everything goes to.
      while uncleared.contains(name), hunt.goOn(keeping: { _ in false }) { await loop.nextRound() }
      if hunt.unknown == 0, isThere(volume) { uncleared.remove(name) }
    }
    isClearing = false
  }
}
