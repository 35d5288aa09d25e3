import Runtime

/// Sets the panel's backlight as `Brightness` decides, and keeps the power lamp on while the board is awake. A light that
/// cannot be set is reported once and tried again after growing pauses; nothing waits for it. A fault that may pass by
/// itself is reported only after the second try.
@MainLoop
package final class LightsPart: Part {
  nonisolated package let name = "lights"
  /// Of what the owner wants, for an eye.
  nonisolated package static let dimmed = 0.25
  nonisolated package static let firstPause: Duration = .seconds(2)
  nonisolated package static let longestPause: Duration = .seconds(60)

  /// One light, what it was set to, and how it went.
  private struct Lamp {
    let light: any Light
    /// The board's file names no light, so a missing one is not reported.
    var mayBeMissing = false
    var set: Double?
    var toldCode: String?
    var pause = LightsPart.firstPause
    var nextTry: Moment?
  }

  private var brightness: Brightness
  private let full: Double
  private var panel: Lamp?
  private var power: Lamp?
  private var state = Ignition.State.unknown
  private let errand: Errand
  private let tell: @MainLoop (Fault) -> Void
  private let bell = Mailbox<Void>(limit: 1)
  private var timer: Task<Void, Never>?

  /// `full` is how bright the owner wants it, up to 1.
  package init(
    panel: (any Light)?, mayBeMissing: Bool, power: (any Light)?, full: Double, dimsAfter: Duration?,
    by errand: Errand = .ownThread, tell: @escaping @MainLoop (Fault) -> Void
  ) {
    self.panel = panel.map { Lamp(light: $0, mayBeMissing: mayBeMissing) }
    self.power = power.map { Lamp(light: $0) }
    self.full = full
    brightness = Brightness(dimsAfter: dimsAfter, at: MainLoop.loop.now)
    self.errand = errand
    self.tell = tell
  }

  /// Somebody turned, pressed or touched something.
  package func touch() {
    let before = brightness.level(at: MainLoop.loop.now)
    brightness.touch(at: MainLoop.loop.now)
    // A knob that is turned sends many; only what changes the light is worth a round.
    if brightness.level(at: MainLoop.loop.now) != before { bell.send(()) }
  }

  package func hear(_ state: Ignition.State) {
    self.state = state
    brightness.hear(state, at: MainLoop.loop.now)
    bell.send(())
  }

  /// A place that is closed needs no light.
  package func close(_ isClosed: Bool) {
    brightness.close(isClosed, at: MainLoop.loop.now)
    bell.send(())
  }

  package var level: Brightness.Level { brightness.level(at: MainLoop.loop.now) }

  package func run() async throws(Fault) {
    while !Task.isCancelled {
      await shine()
      keepTime()
      if await bell.receive() == nil { break }
    }
    timer?.cancel()
  }

  private var wanted: Double {
    switch level {
    case .full: full
    case .dimmed: full * Self.dimmed
    case .dark: 0
    }
  }

  private func shine() async {
    panel = await set(panel, to: wanted)
    let isAwake = state != .resting && state != .benched && state != .leaving
    power = await set(power, to: isAwake ? 1 : 0)
  }

  private func set(_ lamp: Lamp?, to part: Double) async -> Lamp? {
    guard var lamp, lamp.set != part || lamp.nextTry != nil else { return lamp }
    if lamp.set == part, let nextTry = lamp.nextTry, MainLoop.loop.now < nextTry { return lamp }
    lamp.set = part
    let light = lamp.light
    let result: Result<Void, Fault>
    do throws(Fault) {
      result = try await errand.perform { Result { () throws(Fault) in try light.shine(part) } }
    } catch { result = .failure(error) }
    switch result {
    case .success: (lamp.nextTry, lamp.toldCode, lamp.pause) = (nil, nil, Self.firstPause)
    case .failure(let fault):
      let mayPass = fault.kind == .passing && lamp.nextTry == nil
      lamp.nextTry = MainLoop.loop.now + lamp.pause
      lamp.pause = min(lamp.pause * 2, Self.longestPause)
      // A board without a light that can be set is nothing to look at again and again.
      if lamp.mayBeMissing, fault.kind == .missing { return nil }
      if mayPass { return lamp }
      if lamp.toldCode != fault.code { tell(fault) }
      lamp.toldCode = fault.code
    }
    return lamp
  }

  private func keepTime() {
    timer?.cancel()
    let moments = [brightness.due(at: MainLoop.loop.now), panel?.nextTry, power?.nextTry].compactMap { $0 }
    guard let due = moments.min() else { return }
    timer = MainLoop.start { if await MainLoop.loop.sleep(until: due) { self.bell.send(()) } }
  }
}
