import Playback
import Runtime
import Supervisor

/// Tells the service manager and the board's own watchdog that the program lives, while every loop and thread that does
/// the work answers. It lives on the main loop.
@MainLoop
final class WatchdogAssembly {
  let systemd = Systemd()
  private let chosen: ChosenSettings
  private let notices: NoticeBoard
  private let supervisor: Supervisor
  /// Resets the board; nil where board.conf names none.
  private var hardware: HardwareWatchdog?
  private var watchdog: Watchdog?

  init(_ chosen: ChosenSettings, _ notices: NoticeBoard, _ supervisor: Supervisor) {
    (self.chosen, self.notices, self.supervisor) = (chosen, notices, supervisor)
  }

  /// Two wait to hear from us: the service manager, who starts the program again, and behind it the board's own
  /// watchdog, which restarts the board when even that does not help. This begins before anything else, so a start that
  /// hangs is noticed too, and before the counter that an earlier run left behind runs out.
  func begin() async {
    var feeds: [Watchdog.WatchdogFeed] = []
    if systemd.isThere, let interval = Systemd.watchdogInterval {
      feeds.append(Watchdog.WatchdogFeed(within: interval) { [systemd] in systemd.alive() })
    }
    if let device = chosen.settings[.watchdogDevice], let hardware = arm(device) {
      feeds.append(Watchdog.WatchdogFeed(within: hardware.timeout) { hardware.feed() })
    }
    guard let watchdog = Watchdog(feeding: feeds) else { return }
    watchdog.expect("main", LoopPulse(of: MainLoop.loop))
    self.watchdog = watchdog
    await supervisor.keep(watchdog, when: .restart)
  }

  private func arm(_ device: FilePath) -> HardwareWatchdog? {
    let notices = notices
    do throws(Fault) {
      let hardware = try HardwareWatchdog(opening: device, timeout: chosen.settings[.watchdogTimeout])
      hardware.tell = { notices.post(Notice($0, instead: "the board may be reset")) }
      self.hardware = hardware
      return hardware
    } catch {
      notices.post(Notice(error, instead: "nothing resets the board if the program hangs"))
      return nil
    }
  }

  /// A loop whose jobs may wait for disks and servers: it may take minutes, but not for ever.
  func expect(slow name: String, _ loop: EventLoop) { watchdog?.expect(slow: name, loop) }

  /// To be called when music plays. Before that, checking a database may take its time.
  func expect(_ sound: SoundAssembly, _ storage: Storage) {
    watchdog?.expect("store", LoopPulse(of: storage.loop))
    if let catalogue = storage.catalogue { watchdog?.expect(slow: "library", catalogue.loop) }
    // Not the decoder: it may wait for a disk while seconds of music are still there.
    watchdog?.expect("output", SoundPulse(sound.path))
  }

  /// The program ends because somebody wants it to, so the board must not be reset.
  func standDown() { hardware?.standDown() }
}
