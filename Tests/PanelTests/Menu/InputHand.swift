import Playback
import Runtime

@testable import Hardware
@testable import Panel

/// A hand with one knob, or with a keyboard's keys, and nothing else: what it does goes the whole way from contacts to
/// the menu.
@MainLoop
final class InputHand {
  enum Device: Sendable, CaseIterable { case knob, keys }

  let hand: MenuHand
  let device: Device
  private(set) var commands: [Player.Command] = []
  private var gestures = Gestures()
  private var now = Moment(nanoseconds: 1_000_000_000)
  private var controls: Controls {
    var controls = Controls(volumeStep: 2)
    controls.rowsHaveMore = hand.desk.rowsHaveMore
    controls.rowOpensAtOnce = hand.desk.rowOpensAtOnce
    return controls
  }
  private let map = KeyMap()

  init(_ device: Device, _ world: MenuWorld) { (self.device, hand) = (device, MenuHand(world)) }

  private var holder: Controls.Holder { hand.desk.isOpen ? .menu : .music }

  private func take(_ input: Input, after pause: Duration = .milliseconds(80)) async {
    now = now + pause
    await perform(gestures.settle(by: now, controls.bindings(holder)))
    await perform(gestures.take(input, at: now, controls.bindings(holder)))
  }

  private func perform(_ all: [Gesture]) async {
    for gesture in all {
      switch controls.meaning(of: gesture, elapsed: .zero, holder) {
      case .menu(let move): await hand.move(move)
      case .command(let command): commands.append(command)
      default: break
      }
    }
  }

  private func tap(_ code: Int32) async {
    guard let meaning = KeyName(code: Int(code)).flatMap({ map.meaning(of: $0) }), let input = meaning.input else {
      return
    }
    await take(input)
    if case .press(let button) = input { await take(.release(button)) }
  }

  func turn(by steps: Int) async {
    switch device {
    case .knob: if steps != 0 { await take(.turn(steps)) }
    case .keys: for _ in 0..<abs(steps) { await tap(steps > 0 ? KeyCodes.down : KeyCodes.up) }
    }
  }

  func press() async {
    await pressOnce()
    // Until it is no longer one of two.
    now = now + gestures.times.double
    await perform(gestures.settle(by: now, controls.bindings(holder)))
  }

  func pressTwice() async {
    await pressOnce()
    await pressOnce()
  }

  private func pressOnce() async {
    switch device {
    case .knob:
      await take(.press(.knob))
      await take(.release(.knob))
    case .keys: await tap(KeyCodes.enter)
    }
  }

  func back() async {
    switch device {
    case .knob:
      await take(.press(.knob))
      await take(.release(.knob), after: .milliseconds(700))
    case .keys: await tap(KeyCodes.escape)
    }
  }

  /// The knob, with all that time makes of it.
  func hold(for duration: Duration) async {
    await take(.press(.knob))
    let end = now + duration
    while let due = gestures.due(controls.bindings(holder)), due <= end {
      now = due
      await perform(gestures.settle(by: now, controls.bindings(holder)))
    }
    await take(.release(.knob), after: end - now)
  }

  func open() async {
    switch device {
    case .knob: await back()
    case .keys: await tap(KeyCodes.home)
    }
  }
}

/// Of linux/input-event-codes.h.
enum KeyCodes {
  static let (escape, enter, home): (Int32, Int32, Int32) = (1, 28, 102)
  static let (up, down): (Int32, Int32) = (103, 108)
}
