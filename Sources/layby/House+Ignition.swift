import Hardware
import Panel
import Playback
import Runtime

/// The car's key and a battery that runs out, wired: the session is saved, the music rests, the panel dims, the board is
/// switched off; and the lights.
extension House {
  /// Also where no line is named: a battery may run out anywhere.
  func keepSwitchOff(_ transport: Transport) async {
    let off = OffSwitch(in: options.runFolder(settings))
    let duties = SwitchOffPart.Duties(
      save: { () async throws(Fault) in try await transport.save() },
      rest: { () async throws(Fault) in try await transport.perform(.giveWay(to: GiveWay.board, .rest)) },
      wake: { () async throws(Fault) in try await transport.perform(.giveWay(to: GiveWay.board, nil)) },
      holdWrites: { holds in
        self.holdsWrites = holds
        self.library?.hold(holds)
      },
      powerOff: { () async throws(Fault) in try await off.press() },
      takeBack: {
        do throws(Fault) { try await off.takeBack() } catch {
          self.log.warning("the wish to switch off stays", ["reason": error.message])
        }
      })
    let part = SwitchOffPart(
      Ignition.Rules(debounce: settings[.ignitionDebounce], offAfter: settings[.offAfter]),
      BatteryGuard.Rules(writeUntil: settings[.writeUntil], offBelow: settings[.offBelow]),
      isWired: settings[.ignitionLine] != nil, duties, notices, unheard: off.unheard)
    part.changed = { [weak self] state in
      self?.lights?.hear(state)
      // Who starts at night must not wait for somebody's hand.
      self?.ambient?.wake()
    }
    switchOff = part
    await supervisor.keep(part, when: .restart)
  }

  /// Ignition and headlights are no hands: they neither mean a gesture nor wake the panel.
  func take(_ input: Input, at moment: Moment, _ hands: GestureInput) {
    switch input {
    case .ignition(let isOn): switchOff?.take(isOn, at: moment)
    case .headlights(let isOn): hear(headlights: isOn)
    default:
      if !input.isNobodys {
        touchedAt = MainLoop.loop.now
        lights?.touch()
        ambient?.wake()
        if wakesOnly(input) { return }
      }
      hands.take(input, at: moment)
    }
  }

  /// It was meant for what is not there any more, or for nothing but the panel itself. A finger that goes up never is:
  /// who waits for it would wait for ever.
  private func wakesOnly(_ input: Input) -> Bool {
    if case .release = input { return false }
    let isTouch = if case .touch = input { true } else { false }
    if isTouch { panel?.touched() }
    if isTouch, let wokenAt, MainLoop.loop.now - wokenAt < .milliseconds(700) { return true }
    guard kiosk?.touch() == true || panel?.menu?.hasJustGone() == true else { return false }
    // A swipe tells of itself in many pieces.
    wokenAt = isTouch ? MainLoop.loop.now : nil
    return true
  }

  func keepLights() async {
    let (backlight, lamp) = (settings[.panelBacklight], settings[.powerLight])
    let after = settings[.panelDimsAfter]
    let panel = light(backlight, .backlight)
    guard panel != nil || lamp != .none else { return }
    let notices = notices
    let part = LightsPart(
      panel: panel, mayBeMissing: backlight == .auto, power: light(lamp, .leds),
      full: Double(settings[.panelBrightness]) / 100, dimsAfter: after > .zero ? after : nil,
      tell: { notices.post(Notice($0, instead: "it shines as it did")) })
    lights = part
    part.close(isClosed)
    await supervisor.keep(part, when: .restart)
  }

  var powerJSON: JSON {
    guard let power else { return .null }
    let members = (power.json.members ?? []).map { ($0.key, $0.value) }
    let next = (switchOff?.json.members ?? []).map { ($0.key, $0.value) }
    let light: [(String, JSON)] = lights.map { [("panel", JSON($0.level.rawValue))] } ?? []
    return .object(JSON.Object(members + next + light))
  }
}

extension Input {
  fileprivate var isNobodys: Bool {
    switch self {
    case .otherSound, .ignition, .headlights: true
    default: false
    }
  }
}

extension House {
  fileprivate func light(_ choice: LightChoice, _ kind: KernelLight.Kind) -> (any Light)? {
    switch choice {
    case .none: nil
    case .auto: KernelLight(kind, named: nil)
    case .named(let name): KernelLight(kind, named: name)
    case .line(let line): LineLight(line)
    case .pwm(let chip, let channel):
      PWMLight(
        chip: chip, channel: channel, frequency: settings[.pwmFrequency], isInverted: settings[.pwmInverted])
    }
  }
}
