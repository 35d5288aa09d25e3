import Panel
import Playback
import Runtime

/// A panel in public: what visitors may do, how loud it gets, and its opening hours. It lives on the main loop. In the
/// state folder it keeps how often the PIN was tried in vain.
@MainLoop
final class KioskAssembly {
  let kiosk: Kiosk
  let closingTime: ClosingTime

  /// To be made before the first sound: a start outside the opening hours is silent.
  init(
    _ context: ProgramContext, _ storage: Storage, _ sound: SoundAssembly, _ lights: LightAssembly, _ panel: PanelPart?
  ) async {
    let (state, transport, isKiosk) = (storage.path, sound.transport, context.settings.isKiosk)
    let tries = await storage.loop.perform { () -> Int in
      if isKiosk { Self.preparePinTries(in: state) }
      return PinTries.read(in: state)
    }
    let closingTime = ClosingTime(transport)
    let effects = Kiosk.Effects(
      changed: { [weak panel] _ in panel?.kioskChanged() },
      closes: { closes in
        lights.close(closes)
        MainLoop.start { await closingTime.take(isClosed: closes) }
      },
      // What a visitor changed of the sound does not stay for the next one.
      visitorLeft: { if context.settings.isKiosk { transport.sounding = sound.sounding } },
      keepTries: { count async throws(Fault) in
        try await storage.loop.perform { Result { () throws(Fault) in try PinTries.keep(count, in: state) } }.get()
      })
    kiosk = Kiosk(.init(context.settings), tries: tries, effects) { LocalTime.ofWeek() }
    self.closingTime = closingTime
    if isKiosk, KioskHours(context.settings[.kioskHours]).state(at: LocalTime.ofWeek()?.minute) != .open {
      await closingTime.take(isClosed: true)
    }
    context.chosen.follow { [kiosk] _ in kiosk.manner = .init(context.settings) }
    kiosk.begin()
    panel?.kiosk = kiosk
  }

  nonisolated private static func preparePinTries(in state: FilePath) {
    do throws(Fault) { try PinTries.prepare(in: state) } catch {
      Log("kiosk").warning("tries of the PIN may not be counted", ["reason": error.message])
    }
  }
}

/// Pauses the music outside a kiosk's opening hours. It lives on the main loop.
@MainLoop
final class ClosingTime {
  /// The program was started outside the opening hours, and there is music that it would have played at once.
  var playsAtOpening = false
  private let transport: Transport
  private static let name = "opening hours"

  init(_ transport: Transport) { self.transport = transport }

  func take(isClosed: Bool) async {
    await transport.performAndLog(.giveWay(to: Self.name, isClosed ? .rest : nil))
    guard !isClosed, playsAtOpening else { return }
    playsAtOpening = false
    await transport.performAndLog(.play)
  }
}
