import Formats
import Glibc
import Runtime

@testable import Audio

/// The main loop in small: orders tracks one after the other and gathers the news.
final class SoundRig {
  let sound: SoundPath
  var news: [SoundPath.News] = []

  private let controls: SoundControls

  init(
    _ output: any Output, ringCapacity: Int = Ring.usual, controls: SoundControls = SoundControls(),
    help: ForeignHelp = ForeignHelp(), finder: (any MusicFinder)? = nil
  ) throws {
    self.controls = controls
    sound = try SoundPath(
      output: output, ringCapacity: ringCapacity, controls: controls, help: help, finder: finder)
  }

  func tellAbility(_ ability: DeviceAbility) { controls.ability.withLock { $0 = ability } }

  /// Fetches until `last` has come; false when nothing came for ten seconds.
  func wait(for last: (SoundPath.News) -> Bool, then: (SoundPath.News) -> Void = { _ in }) -> Bool {
    while true {
      while let one = sound.nextNews() {
        news.append(one)
        then(one)
        if last(one) { return true }
      }
      var slot = pollfd(fd: sound.newsBell.number, events: Int16(POLLIN), revents: 0)
      if poll(&slot, 1, 10_000) == 0 { return false }
    }
  }

  /// Plays all without a gap, from the first to the last frame, and ends both threads.
  func play(_ paths: [FilePath], from place: TrackPlace = .beginning) -> Bool {
    var given = 1
    var taken = 0
    var generation: UInt32 = 1
    sound.resume()
    sound.start(1, paths[0], at: place, generation: generation)
    let drained = wait(for: { $0 == .drained(generation: generation) && taken == paths.count }) { one in
      switch one {
      case .unfit(generation):
        // Nothing of it was heard yet.
        generation += 1
        self.sound.start(1, paths[0], at: place, generation: generation)
        (given, taken) = (1, 0)
      case .decode(.opened), .decode(.failed):
        taken += 1
        if given < paths.count {
          given += 1
          self.sound.follow(UInt64(given), paths[given - 1])
        } else {
          self.sound.followNothing()
        }
      default: break
      }
    }
    sound.shutdown()
    return wait(for: { $0 == .closed }) && drained
  }

  var heard: [UInt64] {
    news.compactMap { if case .heard(let entry, _) = $0 { entry } else { nil } }
  }

  var faults: [String] {
    news.compactMap {
      switch $0 {
      case .decode(.failed(_, _, let fault)), .deviceLost(let fault): fault.code
      default: nil
      }
    }
  }
}
