internal import CInput
import Runtime

/// Reads fingers with libinput. It corrects known faults of drivers, ignores palms, and applies the calibration of udev's
/// LIBINPUT_CALIBRATION_MATRIX.
///
/// Keys and wheels are read without libinput: see `EventKeys.wheels`.
package final class LibinputFingers: FingerSource {
  private let context: UnsafeMutableRawPointer
  private var screens: [Int32: UnsafeMutableRawPointer] = [:]
  package let descriptor: Int32

  package static let package = "libinput10"

  package init() throws(Fault) {
    guard layby_touch_load() != 0 else {
      throw Fault(
        .unsupported, "H-230",
        "libinput cannot be loaded, so nothing can be touched; it comes with the package \(Self.package)")
    }
    guard let context = layby_touch_open() else {
      throw Fault(.passing, "H-231", "libinput cannot be set up")
    }
    self.context = context
    descriptor = layby_touch_descriptor(context)
  }

  deinit {
    for screen in screens.values { layby_touch_remove(screen) }
    layby_touch_close(context)
  }

  package func add(_ path: FilePath, as number: Int32) throws(Fault) {
    var why = [CChar](repeating: 0, count: 200)
    let room = why.count
    guard let screen = path.withCString({ layby_touch_add(context, $0, number, &why, room) }) else {
      let said = String(decoding: why.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw Fault(
        .passing, "H-232",
        "libinput does not take \(path) for a touch screen\(said.isEmpty ? "" : ": \(shownPlain(said))"); "
          + "expected a device that udev calls ID_INPUT_TOUCHSCREEN")
    }
    screens[number] = screen
  }

  package func remove(screen: Int32) {
    if let device = screens.removeValue(forKey: screen) { layby_touch_remove(device) }
  }

  package func events(most: Int, shift: Duration) throws(Fault) -> (events: [FingerEvent], isAll: Bool) {
    var events: [FingerEvent] = []
    // What was read before comes first, and only then is more read: a screen that floods fills no memory.
    var isRead = false
    for _ in 0..<most {
      var finger = layby_finger()
      var found = layby_touch_next(context, &finger)
      if found < 0, !isRead {
        isRead = true
        let result = layby_touch_dispatch(context)
        guard result == 0 else {
          throw Fault.system("H-233", doing: "read touch screens", errno: -result)
        }
        found = layby_touch_next(context, &finger)
      }
      if found < 0 { return (events, true) }
      if found > 0, let event = Self.event(finger, shift) { events.append(event) }
    }
    return (events, false)
  }

  private static func event(_ finger: layby_finger, _ shift: Duration) -> FingerEvent? {
    let change: FingerEvent.Change
    switch UInt32(bitPattern: finger.change) {
    case LAYBY_FINGER_UP.rawValue: change = .up
    case LAYBY_FINGER_CANCEL.rawValue: change = .cancel
    case let moved:
      guard let place = TouchPoint(within: finger.x, finger.y) else { return nil }
      change = moved == LAYBY_FINGER_DOWN.rawValue ? .down(place) : .move(place)
    }
    let moment = Moment(nanoseconds: 0) + .microseconds(Int64(clamping: finger.microseconds)) + shift
    return FingerEvent(screen: finger.screen, finger: finger.finger, change, at: moment)
  }
}
