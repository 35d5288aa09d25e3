import Application
import Hardware
import Offline
import Panel
import Runtime

/// What is kept and fetched, what hands mean, and what a kiosk allows: for the panel's menus.
extension ProgramMenuActions {
  func storage() async throws(Fault) -> ShownStorage {
    let health = try await application.keeping.health()
    let reserve = Int64(settings[.offlineReserve]) * 1_000_000
    var shown = ShownStorage(kept: health.kept, limit: health.limit, free: health.free, reserve: reserve)
    shown.trouble = health.why.first { Self.troubles.contains($0.code) }.map { reason($0) }
    shown.total = health.volumes.first(where: \.isHome)?.total
    if health.volumes.count > 1 {
      shown.disks = health.volumes.map {
        .init(
          $0.volume.name, name(ofDisk: $0.volume.name), isHome: $0.isHome, isThere: $0.isThere, isNew: $0.isNew,
          free: $0.free)
      }
    }
    shown.move = health.move.map { move in
      .init(
        "\(name(ofDisk: move.from)) → \(name(ofDisk: move.to))", part: move.bytes, whole: move.size, left: move.left,
        why: move.why.first.map { words.reason($0.code, $0.words) })
    }
    if let check = health.check, check.isRunning {
      shown.check = .init(words[.checked], part: check.check.bytesRead, whole: check.check.bytes, left: check.left)
    }
    shown.health = .init(
      success: health.success.map { Int($0 * 10) }, retried: health.retriedEver, recovered: health.recoveredEver,
      cleaned: health.removedEver)
    return shown
  }

  /// The device's own is called so; the others have the names that the owner gave them.
  private func name(ofDisk name: String) -> String { name == MediaVolume.board ? words[.thisDevice] : name }

  /// Reasons to wait that are about the room and the disk.
  private static let troubles: Set<String> = [
    WaitReason.space.code, WaitReason.limit.code, WaitReason.otherDisk.code,
    WaitReason.disk.code,
  ]

  var smart: ShownSmart {
    ShownSmart(isWanted: settings[.offlineSmart], isBarred: !application.health.flags.isOn(.smartDownloads))
  }

  func whyNoSmartDownloads() async throws(Fault) -> [ShownReason] {
    try await application.keeping.whyNoSmartDownloads().map { reason($0) }
  }

  func smartDownloads() async throws(Fault) -> [ShownSmartDownload] {
    let lines = try await application.keeping.smartDownloads()
    shownSmartDownloads = Dictionary(lines.map { ("\($0.item)", $0.item) }, uniquingKeysWith: { first, _ in first })
    return lines.map { line in
      let names = [line.title, line.artist].compactMap(\.self).joined(separator: " – ")
      return ShownSmartDownload(
        "\(line.item)", names.isEmpty ? shownPlain(line.item.item) : names, because: words.said(line.because),
        bytes: line.bytes,
        isWhole: line.isWhole)
    }
  }

  /// After a person pressed *Try again*: looks twice a second, for 10 s, and says why when nothing comes.
  func tellWhatCame(of id: DownloadID) async {
    for _ in 0..<20 {
      guard await MainLoop.loop.sleep(for: .milliseconds(500)) else { return }
      let shown: ShownDownload?
      // What cannot be asked now says so on the page.
      do throws(Fault) { shown = try await downloads().first { $0.id.text == id.text } } catch { return }
      guard let shown, shown.state != .whole, shown.speed == 0 else { return }
      if let why = shown.why.first, why.isRetried || shown.state == .failed { return music.say(why.words, "") }
    }
  }

  func smartDownload(_ id: String) throws(Fault) -> ItemKey {
    guard let item = shownSmartDownloads[id] else { throw Fault(.missing, "N-124", "that is not chosen any more") }
    return item
  }

  /// With the first thing that holds all of it up, where there is one, or that this one does not answer.
  func sources() async -> [ShownSource] {
    let why: [Why]
    let lines: [OfflineLine]
    do throws(Fault) {
      (why, lines) = (try await application.keeping.health().why, try await application.keeping.lines())
    } catch { (why, lines) = ([], []) }
    let trouble = why.first.map { words.reason($0.code, $0.words) }
    return application.keeping.sources.map { source in
      let reasons = lines.filter { $0.container.source == source.id }.flatMap(\.why)
      var own = away(reasons, source.id)
      if own == nil, application.keeping.isSilent(source.id) {
        own = ShownReason(words.away(shownPlain(source.id), again: nil))
      }
      return ShownSource(shownPlain(source.id), trouble: trouble ?? own?.words, isAway: trouble == nil && own != nil)
    }
  }

  /// That it is paused stands above them. What comes from `source` and finds no way there is told by the source's name,
  /// and once: that it is away, and when it is tried again.
  func reasons(_ why: [Why], from source: String) -> [ShownReason] {
    let why = why.filter { $0.code != WaitReason.owner.code }
    return [away(why, source)].compactMap(\.self) + why.filter { !$0.isOfServerAway }.map { reason($0) }
  }

  /// That the source does not answer, if one of these reasons says so; with when it is tried again, if one knows.
  private func away(_ why: [Why], _ source: String) -> ShownReason? {
    let away = why.filter(\.isOfServerAway)
    guard let first = away.first(where: { $0.again != nil }) ?? away.first else { return nil }
    var reason = ShownReason(words.away(shownPlain(source), again: first.again), isRetried: true)
    reason.isAway = true
    return reason
  }

  /// Why something of it waits, and until when.
  func reason(_ why: Why) -> ShownReason {
    ShownReason(
      words.reason(why.code, why.words, again: why.again), Self.setting(behind: why.code), isRetried: why.again != nil,
      isTurn: why.code == WaitReason.turn.code)
  }

  // MARK: Hands

  var keys: [KeyMap.Row] { application.inputs.keys }
  var knob: InputLearning.Knob { application.inputs.knob }

  func listen(for listening: Attention?) {
    application.inputs.stop()
    switch listening {
    case .key(let meaning):
      application.inputs.learnKey(meaning) { key in
        self.notices.post(Notice("N-125", "\(self.words[.keyIsKnown]): \(self.words.name(of: key))"))
        self.menu?.hear(InputProgress(isOver: true))
      }
    case .knob: learnKnob()
    case nil: break
    }
  }

  /// As somebody turns it, what is seen of that; then what it was found to be, until it is pressed.
  private func learnKnob() {
    func show(_ heard: InputProgress) { menu?.hear(heard) }
    application.inputs.learnKnob(
      progress: { show(InputProgress(self.words[.turnSlowly], progress: (min($0.clicks, $0.wanted), $0.wanted))) },
      done: { result in
        switch result {
        case .success(let form):
          show(InputProgress("\(self.words[.knobIsKnown]). \(self.words[.edgesAClick]): \(form.edges.rawValue)"))
        case .failure(let fault): show(InputProgress(self.words.said(fault)))
        }
      })
  }

  // MARK: A kiosk

  var kiosk: KioskLock { guardian?.lock ?? .none }

  func lock() { guardian?.close() }

  func unlock(_ typed: String) async -> PinGuard.Verdict { await guardian?.unlock(typed) ?? .wrong }
}

extension Why {
  /// The server does not answer at all, or has not the last times it was asked.
  fileprivate var isOfServerAway: Bool {
    code == WaitReason.server.code || Trouble.Network.allCases.contains { Trouble.network($0).code == code }
  }
}
