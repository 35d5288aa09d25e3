import Application
import Hardware
import Offline
import Panel
import Runtime

/// What is kept and fetched, what hands mean, and what a kiosk allows: for the panel's menus.
extension ProgramMenuActions {
  func storage() async throws(Fault) -> ShownStorage {
    let health = try await application.keeping.health()
    var shown = ShownStorage(kept: health.kept, limit: health.limit, free: health.free)
    shown.total = health.volumes.first(where: \.isHome)?.total
    if health.volumes.count > 1 {
      shown.disks = health.volumes.map {
        .init($0.volume.name, isHome: $0.isHome, isThere: $0.isThere, free: $0.free)
      }
    }
    shown.move = health.move.map { move in
      .init(
        "\(move.from) → \(move.to)", part: move.bytes, whole: move.size, left: move.left,
        why: move.why.first.map { words.said($0.code, $0.words) })
    }
    if let check = health.check, check.isRunning {
      shown.check = .init(words[.checked], part: check.check.bytesRead, whole: check.check.bytes, left: check.left)
    }
    shown.health = .init(
      success: health.success.map { Int($0 * 10) }, retried: health.retriedEver, recovered: health.recoveredEver,
      cleaned: health.removedEver)
    return shown
  }

  func guesses() async throws(Fault) -> [ShownGuess] {
    let lines = try await application.keeping.guesses()
    shownGuesses = Dictionary(lines.map { ("\($0.item)", $0.item) }, uniquingKeysWith: { first, _ in first })
    return lines.map { line in
      let names = [line.title, line.artist].compactMap(\.self).joined(separator: " – ")
      return ShownGuess(
        "\(line.item)", names.isEmpty ? shownPlain(line.item.item) : names, because: line.because, bytes: line.bytes,
        isWhole: line.isWhole)
    }
  }

  func guess(_ id: String) throws(Fault) -> ItemKey {
    guard let item = shownGuesses[id] else { throw Fault(.missing, "N-124", "that is not chosen any more") }
    return item
  }

  /// With the first thing that holds all of it up, where there is one.
  func sources() async -> [ShownSource] {
    let why: [Why]
    do throws(Fault) { why = try await application.keeping.health().why } catch { why = [] }
    let trouble = why.first.map { words.said($0.code, $0.words) }
    return application.keeping.sources.map { ShownSource(shownPlain($0.id), trouble: trouble) }
  }

  /// Why something of it waits, and until when.
  func reason(_ why: Why) -> ShownReason {
    ShownReason(words.said(why.code, why.words, again: why.again), Self.setting(behind: why.code))
  }

  // MARK: Hands

  var keys: [KeyMap.Row] { house.inputDevices?.map.rows ?? [] }
  var knob: ShownKnob {
    guard let lines = house.lines, house.settings[.knobLines] != nil else { return .none }
    return lines.knobIsLearned ? .learned : .ofTheBoard
  }

  func listen(for listening: Attention?) {
    house.inputDevices?.stopLearning()
    house.lines?.stopCalibrating()
    switch listening {
    case .key(let meaning): learn(meaning)
    case .knob: calibrate()
    case nil: break
    }
  }

  private func learn(_ meaning: KeyMeaning) {
    guard let devices = house.inputDevices else { return }
    devices.learn { key in
      devices.bind(key, to: meaning)
      self.house.notices.post(Notice("N-125", "\(self.words[.keyIsKnown]): \(MenuPages.name(of: key))"))
      self.house.panel?.menu?.hear(InputProgress(isOver: true))
    }
  }

  /// As somebody turns it, what is seen of that; then what it was found to be, until it is pressed.
  private func calibrate() {
    func show(_ heard: InputProgress) { house.panel?.menu?.hear(heard) }
    house.lines?.calibrate(
      progress: { show(InputProgress(self.words[.turnSlowly], progress: (min($0.clicks, $0.wanted), $0.wanted))) },
      done: { result in
        switch result {
        case .success(let form):
          show(InputProgress("\(self.words[.knobIsKnown]). \(self.words[.edgesAClick]): \(form.edges.rawValue)"))
        // In English, as all that goes wrong is told, with its code to read out.
        case .failure(let fault): show(InputProgress("\(fault.code): \(fault.message)"))
        }
      })
  }

  // MARK: A kiosk

  var kiosk: KioskLock { house.kiosk?.lock ?? .none }

  func lock() { house.kiosk?.close() }

  func unlock(_ typed: String) async -> PinGuard.Verdict { await house.kiosk?.unlock(typed) ?? .wrong }
}
