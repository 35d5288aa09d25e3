import Glibc
import Offline
import Panel
import Playback
import Runtime

/// A panel that anybody may touch, wired: what it allows, how loud it gets, and when the place is closed.
extension House {
  private static let opening = "opening hours"

  /// Before the first sound: who starts outside the opening hours begins silent.
  func keepKiosk(_ storage: Storage, _ transport: Transport) async {
    let state = storage.path
    let isKiosk = settings.isKiosk
    let tries = await storage.loop.perform { () -> Int in
      if isKiosk { Self.preparePinTries(in: state) }
      return PinTries.read(in: state)
    }
    let kiosk = Kiosk(.init(settings), tries: tries) { LocalTime.ofWeek() }
    kiosk.keepTries = { count async throws(Fault) in
      try await storage.loop.perform { Result { () throws(Fault) in try PinTries.keep(count, in: state) } }.get()
    }
    kiosk.closes = { closes in
      self.isClosed = closes
      self.lights?.close(closes)
      MainLoop.start {
        do throws(Fault) {
          try await transport.perform(.giveWay(to: Self.opening, closes ? .rest : nil))
          guard !closes, self.playsAtOpening else { return }
          self.playsAtOpening = false
          try await transport.perform(.play)
        } catch { self.log.warning("not saved", ["reason": error.message]) }
      }
    }
    // What visitors of others' sounding changed goes with them.
    kiosk.isLeft = {
      if self.settings.isKiosk, let sound = self.sound { sound.transport.sounding = sound.sounding }
    }
    if settings.isKiosk, KioskHours(settings[.kioskHours]).standing(at: LocalTime.ofWeek()?.minute) != .open {
      isClosed = true
      do throws(Fault) { try await transport.perform(.giveWay(to: Self.opening, .rest)) } catch {
        log.warning("not saved", ["reason": error.message])
      }
    }
    self.kiosk = kiosk
    chosen.follow { [chosen] _ in kiosk.manner = .init(chosen.settings) }
    kiosk.begin()
  }

  nonisolated private static func preparePinTries(in state: FilePath) {
    do throws(Fault) { try PinTries.prepare(in: state) } catch {
      Log("kiosk").warning("tries of the PIN may not be counted", ["reason": error.message])
    }
  }
}
