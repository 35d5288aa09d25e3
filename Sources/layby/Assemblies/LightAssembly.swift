import Glibc
import Hardware
import Panel
import Runtime

/// Light and dark: how bright the panel shines, the lamp that says the board is on, and whether the panel has the colours
/// of day or of night. What the owner chose comes before the car's headlights, these before a sensor, and that before
/// the time of day (see `Daylight`). It lives on the main loop and keeps nothing on the disk.
@MainLoop
final class LightAssembly {
  /// While the time of day counts, it is looked at so often. Nobody sees a difference of a minute.
  private static let clockEvery: Duration = .seconds(60)

  private let context: ProgramContext
  private let panel: PanelPart?
  private var daylight: Daylight
  /// Nil where no light can be set.
  private(set) var part: LightsPart?
  /// Nil where there is no sensor.
  private var ambient: AmbientPart?
  private var clockwork: Task<Void, Never>?
  /// Outside a kiosk's opening hours.
  private var isClosed = false

  init(_ context: ProgramContext, _ panel: PanelPart?) {
    (self.context, self.panel) = (context, panel)
    daylight = Self.daylight(context.settings)
  }

  /// By the settings and the time of day, before anything else tells.
  static func daylight(_ settings: Settings) -> Daylight {
    var daylight = Daylight(settings[.colours], hours: settings[.daylight])
    daylight.minute = LocalTime.minute(at: Int64(time(nil)))
    return daylight
  }

  func keep() async {
    await keepLights()
    follow()
    context.chosen.follow { _ in self.follow() }
    await keepSensor()
  }

  // MARK: What happens

  /// Somebody used a knob, a key or the touch screen.
  func touch() {
    part?.touch()
    ambient?.wake()
  }

  func hear(_ state: Ignition.State) {
    part?.hear(state)
    // Who starts at night must not wait for somebody's hand.
    ambient?.wake()
  }

  /// The line tells how the car's headlights are; nil when it is gone.
  func hear(headlights isOn: Bool?) {
    daylight.lights = isOn
    follow()
  }

  func close(_ closes: Bool) {
    isClosed = closes
    part?.close(closes)
    ambient?.wake()
  }

  /// How bright the panel shines; nil where nothing sets it.
  var level: Brightness.Level? { part?.level }

  // MARK: Lights

  private func keepLights() async {
    let (backlight, lamp) = (context.settings[.panelBacklight], context.settings[.powerLight])
    let after = context.settings[.panelDimsAfter]
    let panel = light(backlight, .backlight)
    guard panel != nil || lamp != .none else { return }
    let part = LightsPart(
      panel: panel, mayBeMissing: backlight == .auto, power: light(lamp, .leds),
      full: Double(context.settings[.panelBrightness]) / 100, dimsAfter: after > .zero ? after : nil,
      tell: { [notices = context.notices] in notices.post(Notice($0, instead: "it shines as it did")) })
    self.part = part
    part.close(isClosed)
    await context.supervisor.keep(part, when: .restart)
  }

  private func light(_ choice: LightChoice, _ kind: KernelLight.Kind) -> (any Light)? {
    switch choice {
    case .none: nil
    case .auto: KernelLight(kind, named: nil)
    case .named(let name): KernelLight(kind, named: name)
    case .line(let line): LineLight(line)
    case .pwm(let chip, let channel):
      PWMLight(
        chip: chip, channel: channel, frequency: context.settings[.pwmFrequency],
        isInverted: context.settings[.pwmInverted])
    }
  }

  // MARK: Day and night

  private func keepSensor() async {
    let sensor: LightSensor
    switch context.settings[.ambientSensor] {
    case .none: return
    case .auto: sensor = LightSensor()
    case .named(let name): sensor = LightSensor(named: name)
    }
    let part = AmbientPart(
      sensor, mayBeMissing: context.settings[.ambientSensor] == .auto, isWanted: { self.wantsSensor },
      changed: { isBright in
        self.daylight.isBright = isBright
        self.follow()
      },
      tell: { [notices = context.notices] in
        notices.post(Notice($0, instead: "the panel goes by the time of day"))
      })
    ambient = part
    await context.supervisor.keep(part, when: .restart)
  }

  /// While somebody can see the panel, if dimly, and nothing better tells.
  private var wantsSensor: Bool {
    guard context.settings[.colours] == .auto, daylight.lights == nil, panel != nil, !isClosed else { return false }
    return level != .dark
  }

  /// Something that the colours go by has changed. Only what changes them is drawn.
  private func follow() {
    (daylight.colours, daylight.hours) = (context.settings[.colours], context.settings[.daylight])
    daylight.minute = LocalTime.minute(at: Int64(time(nil)))
    if let panel, panel.look.theme != daylight.theme { panel.look.theme = daylight.theme }
    ambient?.wake()
    clockwork?.cancel()
    guard daylight.goesByTime else { return }
    clockwork = MainLoop.start {
      guard await MainLoop.loop.sleep(for: Self.clockEvery) else { return }
      self.follow()
    }
  }
}
