import Panel
import Playback
import Runtime

/// A panel in public: what visitors may do, how loud it gets, and its opening hours. It lives on the main loop. In the
/// state folder it keeps how often the PIN was tried in vain.
@MainLoop
final class KioskAssembly {
  let kiosk: Kiosk
  /// Outside the opening hours.
  private(set) var isClosed = false
  /// Music waits for the opening.
  var playsAtOpening = false
  private static let opening = "opening hours"

  /// To be made before the first sound: a start outside the opening hours is silent.
  init(_ context: ProgramContext, _ storage: Storage, _ sound: SoundAssembly, _ lights: LightAssembly) async {
    let (state, transport, isKiosk) = (storage.path, sound.transport, context.settings.isKiosk)
    let tries = await storage.loop.perform { () -> Int in
      if isKiosk { Self.preparePinTries(in: state) }
      return PinTries.read(in: state)
    }
    kiosk = Kiosk(.init(context.settings), tries: tries) { LocalTime.ofWeek() }
    kiosk.keepTries = { count async throws(Fault) in
      try await storage.loop.perform { Result { () throws(Fault) in try PinTries.keep(count, in: state) } }.get()
    }
    kiosk.closes = { closes in
      self.isClosed = closes
      lights.close(closes)
      MainLoop.start {
        await transport.performAndLog(.giveWay(to: Self.opening, closes ? .rest : nil))
        guard !closes, self.playsAtOpening else { return }
        self.playsAtOpening = false
        await transport.performAndLog(.play)
      }
    }
    // What visitors changed of the sound goes with them.
    kiosk.isLeft = { if context.settings.isKiosk { transport.sounding = sound.sounding } }
    if isKiosk, KioskHours(context.settings[.kioskHours]).state(at: LocalTime.ofWeek()?.minute) != .open {
      isClosed = true
      await transport.performAndLog(.giveWay(to: Self.opening, .rest))
    }
    context.chosen.follow { [kiosk] _ in kiosk.manner = .init(context.settings) }
    kiosk.begin()
  }

  nonisolated private static func preparePinTries(in state: FilePath) {
    do throws(Fault) { try PinTries.prepare(in: state) } catch {
      Log("kiosk").warning("tries of the PIN may not be counted", ["reason": error.message])
    }
  }
}
