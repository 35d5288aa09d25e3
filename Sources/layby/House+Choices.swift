import Audio
import Panel
import Playback
import Runtime

/// What the owner chooses on the panel: kept, and done at once where that can be.
extension House {
  func choose(_ name: SettingName, _ text: String, _ storage: Storage) async throws(Fault) {
    var next = choices
    guard next.choose(name, text, over: owned) else {
      let expected = Choices.entry(name).map { "expected \($0.expected)" } ?? "there is no such key"
      throw Fault(.malformed, "C-127", "\(name) = \(shownPlain(text)): \(expected)")
    }
    var after = settings
    next.apply(name, to: &after, over: owned)
    // Else nobody could ever leave it at the panel.
    if after.isKiosk, after[.kioskPIN] == nil {
      throw Fault(.malformed, "C-128", "choose a PIN under \"kiosk\" first, or nobody gets out of it here")
    }
    // Nothing is shown as chosen that the next start would not know.
    let (kept, state) = (next, statePath)
    try await storage.loop.perform { () -> Result<Void, Fault> in
      do throws(Fault) { return .success(try OwnersChoices.keep(kept, in: state)) } catch { return .failure(error) }
    }.get()
    choices = next
    settings = after
    if Choices.entry(name)?.appliesAtOnce == true { follow(name) } else { waiting.insert(name) }
  }

  private func follow(_ name: SettingName) {
    if name.section == Setting<String>.equaliser.section { transport?.sounding = sounding }
    kiosk?.manner = .init(settings)
    if let transport { limitVolume(transport) }
    LogBook.shared.show(upTo: settings[.logLevel])
    lookAgain()
    followDaylight()
    followSpeech()
  }

  /// Applies a value until the next start, without storing it.
  func sound(as name: SettingName, _ text: String) {
    var (passing, lasting) = (choices, settings)
    guard name.section == Setting<String>.equaliser.section, passing.choose(name, text, over: owned) else { return }
    passing.apply(name, to: &lasting, over: owned)
    transport?.sounding = sounding(of: lasting)
  }

  private func limitVolume(_ transport: Transport) {
    guard transport.status.loudest != settings.loudest else { return }
    let loudest = settings.loudest
    MainLoop.start {
      do throws(Fault) { try await transport.perform(.limitVolume(loudest)) } catch {
        self.log.warning("not saved", ["reason": error.message])
      }
    }
  }

  /// The panel as the settings and the light want it.
  func lookAgain() {
    guard let panel else { return }
    var look = panel.look
    look.words = PanelWords.of(settings[.language])
    look.style.profile = settings[.profile]
    (daylight.colours, daylight.hours) = (settings[.colours], settings[.daylight])
    look.theme = daylight.theme
    panel.look = look
  }

  /// What was chosen counts then; the music goes on where it is.
  func startAnew() {
    supervisor.wantStop(because: "what was chosen on the panel counts from the next start")
  }
}
