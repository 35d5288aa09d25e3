import Glibc
import Runtime

/// All touch screens of the board. It reads fingers on the main loop, a limited number at a time, and makes touches from
/// them. The source of fingers (libinput) is made when the first screen is found.
@MainLoop
final class TouchScreens {
  private let makeSource: () throws(Fault) -> any FingerSource
  private let rotation: TouchRotation
  private var source: (any FingerSource)?
  private var gestures = TouchGestures()
  private var screens: [FilePath: Screen] = [:]
  private var lastNumber: Int32 = 0
  private let log = Log("inputs")

  private struct Screen {
    let number: Int32
    let file: FileIdentity?
  }

  /// More events wait, and no descriptor tells of them.
  private(set) var isBehind = false

  /// How many events are taken in one go. The rest waits for the next round of the main loop, so that other devices get
  /// their turn.
  nonisolated static let helping = 256

  init(rotation: TouchRotation, source: @escaping () throws(Fault) -> any FingerSource) {
    self.rotation = rotation
    makeSource = source
  }

  var descriptor: Int32? { source?.descriptor }

  func has(_ path: FilePath) -> Bool { screens[path] != nil }

  /// When there is something to do although no finger moves.
  func due(now: Moment) -> Moment? { isBehind ? now : gestures.due }

  func add(_ device: EventDevice, _ group: borrowing DescriptorGroup) throws(Fault) {
    let path = device.path
    let used: any FingerSource
    if let source {
      used = source
    } else {
      used = try makeSource()
      try group.add(used.descriptor, code: "H-234")
      source = used
    }
    lastNumber += 1
    try used.add(path, as: lastNumber)
    screens[path] = Screen(number: lastNumber, file: FileIdentity(path))
    log.notice("a touch screen is read", ["path": path, "label": device.label])
  }

  /// Those that are not there any more, or whose name another has now, are let go; their fingers end in nothing.
  func leave() {
    for (path, screen) in screens where FileIdentity(path) != screen.file {
      source?.remove(screen: screen.number)
      gestures.lose(screen: screen.number)
      screens[path] = nil
      log.notice("a touch screen is gone", ["path": path])
    }
  }

  /// The part ends. All that was opened is closed.
  func close() {
    source = nil
    screens = [:]
    gestures = TouchGestures()
    isBehind = false
  }

  func touches(shift: Duration) throws(Fault) -> [Touch] {
    guard let source else { return [] }
    // What is read afterwards is at least so new.
    let begin = MainLoop.loop.now
    let (events, isAll) = try source.events(most: Self.helping, shift: shift)
    isBehind = !isAll
    let known = Set(screens.values.map(\.number))
    let ours = events.filter { known.contains($0.screen) }.map { turned($0, by: begin) }
    let touches = gestures.take(ours, at: begin)
    // Not by the time now while others wait: the finger may have been lifted long ago.
    let settled = gestures.settle(by: isAll ? begin : ours.last?.at ?? Moment(nanoseconds: 0))
    for touch in touches + settled { say(touch) }
    return touches + settled
  }

  private func turned(_ event: FingerEvent, by now: Moment) -> FingerEvent {
    var event = event
    // A clock that is ahead of ours would make a hold of a tap.
    event.at = min(event.at, now)
    switch event.change {
    case .down(let place): event.change = .down(place.turned(rotation))
    case .move(let place): event.change = .move(place.turned(rotation))
    case .up, .cancel: break
    }
    return event
  }

  private func say(_ touch: Touch) {
    switch touch {
    case .tap: log.debug("touched", ["how": "tap"])
    case .hold: log.debug("touched", ["how": "hold"])
    case .swipe(let swipe, _): log.debug("touched", ["how": "swipe \(swipe)"])
    case .drag: break
    }
  }
}

/// The identity of a device's file when it was opened. A device that was pulled and plugged in again has another.
private struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64

  init?(_ path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
