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
    let tries = await storage.loop.perform { PinTries.read(in: state) }
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
}

/// How often the PIN was tried in vain, beside the state: a plug that is pulled does not make anybody forget it.
enum PinTries {
  private static func path(in state: FilePath) -> FilePath { state / "pin-tries" }

  /// A file that makes no sense is as good as the most there can be.
  static func read(in state: FilePath) -> Int {
    do throws(Fault) {
      let text = String(decoding: try AtomicFile.read(path(in: state), limit: 64).prefix { $0 != 0x0A }, as: UTF8.self)
      return Int(text) ?? 1_000
    } catch { return error.kind == .missing ? 0 : 1_000 }
  }

  static func keep(_ count: Int, in state: FilePath) throws(Fault) {
    try AtomicFile.replace(path(in: state), with: Array("\(count)\n".utf8))
  }
}
