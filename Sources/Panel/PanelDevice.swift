import Canvas
import Runtime

/// The panel's own display, which may come late, go, and come back. It owns the display while that is there, and knows
/// when to look for it again: soon at first, then ever more seldom, so that a board that never gets its panel
/// hardly wakes for it. Lives on the main loop.
@MainLoop
package final class PanelDevice {
  private let open: @MainLoop () throws(Fault) -> any Display
  private(set) var display: (any Display)?
  /// When it is looked for again; nil while it is there, and when it can never be used as it is.
  private(set) var nextLook: Moment?
  /// What it said when it was last opened or drawn on; nil before that.
  private(set) var answer: DeviceAnswer?
  private var pause = PanelDevice.firstPause
  private var hasTold = false
  private let log = Log("panel")

  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)

  package convenience init(_ place: DisplayPlace) {
    self.init { () throws(Fault) in try place.open() }
  }

  init(open: @escaping @MainLoop () throws(Fault) -> any Display) {
    self.open = open
    nextLook = Moment(nanoseconds: 0)
  }

  /// Looks for it when it is time to. True when it has come; the fault is one that a person has not been told of yet.
  func openIfDue(at now: Moment) -> (hasCome: Bool, news: Fault?) {
    guard display == nil, let due = nextLook, due <= now else { return (false, nil) }
    do throws(Fault) {
      let found = try open()
      display = found
      answer = .works
      nextLook = nil
      hasTold = false
      log.notice("drawing", ["width": found.size.width, "height": found.size.height])
      return (true, nil)
    } catch {
      return (false, wait(after: error, from: now))
    }
  }

  /// It failed while it was there; whatever the reason was, it may work when it is opened anew.
  func lose(_ fault: Fault, at now: Moment) -> Fault? {
    display = nil
    pause = Self.firstPause
    return wait(after: fault, from: now)
  }

  /// Gives the fault back the first time since it was last there.
  private func wait(after fault: Fault, from now: Moment) -> Fault? {
    answer = .fails(fault)
    switch fault.kind {
    // A driver that gives the memory another form is another device to us, and comes with a new start.
    case .unsupported, .malformed: nextLook = nil
    default:
      nextLook = now + pause
      pause = min(pause * 2, Self.longestPause)
    }
    log.info("no panel", ["reason": fault.message])
    defer { hasTold = true }
    return hasTold ? nil : fault
  }

  /// Dark: a picture that nobody keeps right any more would be a lie. What it showed before does not matter then.
  func darken() {
    guard let display else { return }
    let dark = Canvas(size: display.size)
    do throws(Fault) { try display.show(dark, changed: [dark.bounds]) } catch {
      log.info("the panel was left as it was", ["reason": error.message])
    }
    self.display = nil
    nextLook = nil
  }
}
