import Runtime

/// The board's own disk is known by its mark: it may be mounted late, and nothing is believed of the folder below it.
extension OfflinePart {
  /// Until it has begun: later what is in memory tells of what lies there.
  func comeHome() async {
    guard !isGoing, !isComingHome, let home, home.name == MediaVolume.board else { return }
    isComingHome = true
    do throws(Fault) { awayBecause = try await cross(Threshold(volume: home, disk: disk)) } catch {
      awayBecause = error
    }
    isComingHome = false
    if let fault = awayBecause, fault != toldAway {
      Log("offline").info("the disk that music is kept on is not there", ["reason": fault.message])
    }
    toldAway = awayBecause
    if awayBecause == nil { await carrier.settle(in: home.folder, mark(of: home)) }
  }

  private func cross(_ threshold: Threshold) async throws(Fault) -> Fault? {
    let volume = threshold.volume
    if mark(of: volume)?.isThere(on: disk) == true { return nil }
    let coming = try threshold.look(known: stored.marks[volume.name], try await someKept())
    switch coming {
    case .isNew:
      try disk.makeFolder(volume.path)
      try await giveMark(to: volume)
    case .isKnown(let text):
      var generator = SystemRandomNumberGenerator()
      let mark = text.map { VolumeMark($0, at: volume.path) } ?? VolumeMark.made(for: volume, using: &generator)
      // In this order: by its files it is known as long as no mark is.
      if text == nil { try mark.make(on: disk) }
      try await store(mark, of: volume)
    case .isHome, .isAway, .isAnothers: break
    }
    return threshold.fault(coming)
  }

  /// As many as are looked for, of those that tell of bytes.
  private func someKept() async throws(Fault) -> [DownloadRecord] {
    var kept: [DownloadRecord] = []
    var last: MediaKey?
    while kept.count < Threshold.sample {
      let page = try await rows.downloads(after: last, count: 500)
      guard let end = page.last else { break }
      kept += page.filter(\.hasKept)
      last = end.key
    }
    return kept
  }

  /// The owner says that the empty disk which is there is the one that all is kept on: what was on the one before is
  /// fetched anew. Gives whether that begins now, or with the next start.
  package func accept() async throws(Fault) -> Bool {
    await enter()
    defer { leave() }
    try await readVolumes()
    guard let home else { throw Self.noDisk(stored.home) }
    if isHomeThere { throw Fault(.busy, "O-431", "\(home.path) is the disk that music is kept on already") }
    if home.name == MediaVolume.board { try disk.makeFolder(home.path) }
    if try VolumeMark.text(at: home.path, on: disk) != nil {
      throw VolumeMark.anothers(home.path)
    }
    try await giveMark(to: home)
    (awayBecause, toldAway) = (nil, nil)
    // What is in memory tells of the other one.
    guard !isGoing else { return false }
    await carrier.settle(in: home.folder, mark(of: home))
    return true
  }
}
