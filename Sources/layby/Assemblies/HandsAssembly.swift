import Application
import Hardware
import Panel
import Playback
import Remote
import Runtime

/// What a person turns, presses and touches: the board's knob and buttons, keyboards and touch screens, and who gets their
/// input. It lives on the main loop. In the state folder it keeps what was learned of keys and of the knob.
@MainLoop
final class HandsAssembly: InputParts {
  /// Who hears of the input.
  struct Receivers {
    let performer: GesturePerformer
    let panel: PanelPart?
    let kiosk: Kiosk
    let lights: LightAssembly
    let power: PowerAssembly
    let speech: SpeechAssembly
  }

  /// Knows what keys mean, and learns it. Nil before `keep`, and where the board's file switches keys off.
  private(set) var inputDevices: EventDevices?
  /// Reads the board's own knob and buttons, and finds out how the knob is built. Nil where there are none.
  private(set) var lines: LinesPart?
  private let context: ProgramContext
  private let storage: Storage
  private var gestures: GestureInput?
  private var receivers: Receivers?
  /// When a touch did nothing but wake the panel.
  private var wokenAt: Moment?

  init(_ context: ProgramContext, _ storage: Storage) { (self.context, self.storage) = (context, storage) }

  /// Opens everything that a person can turn, press or touch. A missing device is reported and looked for again, while the
  /// music goes on.
  func keep(for receivers: Receivers) async {
    self.receivers = receivers
    gestures = GestureInput(
      Gestures.Times(context.settings), bindings: { receivers.performer.bindings }, deliver: perform(receivers))
    let (notices, settings, supervisor) = (context.notices, context.settings, context.supervisor)
    let take: @MainLoop (Input, Moment) -> Void = { self.take($0, at: $1) }
    let tell: @MainLoop (Fault) -> Void = { notices.post(Notice($0, instead: "the music goes on")) }
    if context.options.inTerminal { await supervisor.keep(TerminalKeys { take($0, MainLoop.loop.now) }, when: .done) }
    let doubled = GestureMap.doubled(in: settings)
    if !doubled.isEmpty {
      let list = doubled.map(\.description).joined(separator: ", ")
      notices.post(Notice("H-242", "[gestures] of board.conf gives \(list) to more than one; the first of them has it"))
    }
    let plan = await linePlan()
    if !plan.isEmpty {
      let lines = LinesPart(plan: plan, boardsKnob: settings.knobForm, tell: tell, deliver: take)
      lines.knobHasChanged = { form in self.keep(form) }
      self.lines = lines
      await supervisor.keep(lines, when: .restart)
    }
    guard settings[.eventKeys] else { return }
    let devices = EventDevices(
      map: await keyMap(), acceleration: settings[.knobAcceleration], rotation: settings[.touchRotation], tell: tell,
      deliver: take)
    devices.mapHasChanged = { [storage] map in
      let state = storage.path
      storage.loop.post {
        do throws(Fault) { try LearnedKeys.keep(map, in: state) } catch {
          MainLoop.start { notices.post(Notice(error, instead: "what keys were taught lasts until the next start")) }
        }
      }
    }
    inputDevices = devices
    await supervisor.keep(devices, when: .restart)
  }

  /// The lines of the board's file. The knob's form that was learned by turning it takes precedence.
  private func linePlan() async -> LinePlan {
    let settings = context.settings
    var plan = LinePlan(settings)
    let (state, lines) = (storage.path, settings[.knobLines])
    guard lines != nil else { return plan }
    let (form, notice) = await storage.loop.perform { LearnedKnob.read(in: state, for: lines) }
    if let notice { context.notices.post(notice) }
    if let form, form != plan.knob {
      Log("layby").notice(
        "the knob is as it was found to be, and not as board.conf has it",
        ["found": "\(form)", "board": "\(plan.knob)"])
      plan.knob = form
    }
    return plan
  }

  private func keep(_ form: KnobForm?) {
    let (state, lines, notices) = (storage.path, context.settings[.knobLines], context.notices)
    storage.loop.post {
      do throws(Fault) { try LearnedKnob.keep(form, for: lines, in: state) } catch {
        MainLoop.start {
          notices.post(Notice(error, instead: "what was found out of the knob lasts until the next start"))
        }
      }
    }
  }

  private func keyMap() async -> KeyMap {
    let (settings, notices) = (context.settings, context.notices)
    let doubled = KeyMap.doubled(in: settings)
    if !doubled.isEmpty {
      let list = doubled.map(\.description).joined(separator: ", ")
      notices.post(Notice("H-241", "[keys] of board.conf gives \(list) to more than one; the first of them has it"))
    }
    let state = storage.path
    let (learned, notice) = await storage.loop.perform { LearnedKeys.read(in: state) }
    if let notice { notices.post(notice) }
    return KeyMap(board: settings, learned: learned)
  }

  // MARK: Input

  private func perform(_ receivers: Receivers) -> @MainLoop (Gesture) -> Void {
    { gesture in
      MainLoop.start {
        do throws(Fault) { try await receivers.performer.perform(gesture) } catch {
          Log("layby").warning("not saved", ["reason": error.message])
        }
      }
    }
  }

  /// Ignition and headlights are not hands: they neither mean a gesture nor wake the panel.
  private func take(_ input: Input, at moment: Moment) {
    guard let receivers else { return }
    switch input {
    case .ignition(let isOn): receivers.power.take(ignition: isOn, at: moment)
    case .headlights(let isOn): receivers.lights.hear(headlights: isOn)
    default:
      if !input.isNobodys {
        receivers.speech.touched()
        receivers.lights.touch()
        if wakesOnly(input, receivers) { return }
      }
      gestures?.take(input, at: moment)
    }
  }

  /// Whether the input does nothing but wake the panel: it was dark, or what it was meant for has just gone. A finger that
  /// goes up always counts, since gestures wait for it.
  private func wakesOnly(_ input: Input, _ receivers: Receivers) -> Bool {
    if case .release = input { return false }
    let isTouch = if case .touch = input { true } else { false }
    if isTouch { receivers.panel?.touched() }
    if isTouch, let wokenAt, MainLoop.loop.now - wokenAt < .milliseconds(700) { return true }
    guard receivers.kiosk.touch() || receivers.panel?.menu?.hasJustGone() == true else { return false }
    // A swipe arrives in many pieces.
    wokenAt = isTouch ? MainLoop.loop.now : nil
    return true
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
