import Hardware
import Offline
import Panel
import Remote
import Runtime

/// What is kept and fetched, what hands mean, and what a kiosk allows: for the panel's menus.
extension PanelDesk {
  func storage() async throws(Fault) -> ShownStorage {
    let health = try await house.offline.standing()
    var shown = ShownStorage(kept: health.kept, limit: health.limit, free: health.free)
    if health.volumes.count > 1 {
      shown.disks = health.volumes.map {
        .init($0.volume.name, isHome: $0.isHome, isThere: $0.isThere, free: $0.free)
      }
    }
    shown.move = health.move.map { move in
      .init(
        "\(move.from) → \(move.to)", part: move.bytes, whole: move.size, left: move.left,
        why: move.why.first.map { "\($0.code): \($0.words)" })
    }
    if let check = health.check, check.isRunning {
      shown.check = .init(words[.checked], part: check.check.bytesRead, whole: check.check.bytes, left: check.left)
    }
    return shown
  }

  func guesses() async throws(Fault) -> [ShownGuess] {
    let lines = try await house.offline.guesses()
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
    do throws(Fault) { why = try await house.offline.standing().why } catch { why = [] }
    let trouble = why.first.map { "\($0.code): \($0.words)" }
    return house.offline.sources.map { ShownSource(shownPlain($0.id), trouble: trouble) }
  }

  // MARK: Hands

  var keys: [KeyMap.Row] { house.inputDevices?.map.rows ?? [] }
  var hasKnob: Bool { false }

  func listen(for listening: Attention?) {
    guard let devices = house.inputDevices else { return }
    switch listening {
    case .key(let meaning):
      devices.learn { key in
        devices.bind(key, to: meaning)
        self.house.notices.post(Notice("N-125", "\(key) is known now."))
        self.house.panel?.menu?.hear(Heard(isOver: true))
      }
    case .knob, nil: devices.stopLearning()
    }
  }

  // MARK: A kiosk

  var kiosk: KioskLock { house.kiosk?.lock ?? .none }

  func unlock(_ typed: String) async -> PinGuard.Verdict { await house.kiosk?.unlock(typed) ?? .wrong }
}
