import Runtime

/// Reads the light sensor from time to time, and only while the result is used: the theme depends on it and the panel is
/// lit. Otherwise it sleeps.
@MainLoop
package final class AmbientPart: Part {
  nonisolated package let name = "ambient light"
  nonisolated package static let every: Duration = .seconds(5)
  /// A missing sensor may only be late, so it is looked for again soon, and then more and more seldom.
  nonisolated package static let firstPause: Duration = .seconds(2)
  nonisolated package static let longestPause: Duration = .seconds(32)
  /// After that not before this, and only when it is woken.
  nonisolated package static let missedFor: Duration = .seconds(600)
  /// A sensor that has not answered for so long is reported, and read more seldom from then on.
  nonisolated package static let patience: Duration = .seconds(120)
  nonisolated package static let everyWhenSilent: Duration = .seconds(60)

  private let sensor: LightSensor
  /// The board's file names no sensor, so a missing one is not reported.
  private let mayBeMissing: Bool
  private let errand: Errand
  private let isWanted: @MainLoop () -> Bool
  private let changed: @MainLoop (Bool?) -> Void
  private let tell: @MainLoop (Fault) -> Void
  private var light = AmbientLight()
  private var toldCode: String?
  /// Until the next look, when it is missing.
  private var pause = AmbientPart.firstPause
  private var missedUntil = Moment(nanoseconds: 0)
  private var silentSince: Moment?
  private let bell = Mailbox<Void>(limit: 1)
  private var isAsleep = false

  package init(
    _ sensor: LightSensor, mayBeMissing: Bool, by errand: Errand = .ownThread, isWanted: @escaping @MainLoop () -> Bool,
    changed: @escaping @MainLoop (Bool?) -> Void, tell: @escaping @MainLoop (Fault) -> Void
  ) {
    (self.sensor, self.mayBeMissing, self.errand) = (sensor, mayBeMissing, errand)
    (self.isWanted, self.changed, self.tell) = (isWanted, changed, tell)
  }

  package var isBright: Bool? { light.isBright }

  /// It may be wanted now.
  package func wake() { if isAsleep { bell.send(()) } }

  package func run() async throws(Fault) {
    while !Task.isCancelled {
      if isWanted(), MainLoop.loop.now >= missedUntil {
        if let pause = await measure() { await MainLoop.loop.sleep(for: pause) }
        continue
      }
      isAsleep = true
      let isOver = await bell.receive() == nil
      isAsleep = false
      if isOver { return }
    }
  }

  /// Until the next one; nil when it is not to be expected any more.
  private func measure() async -> Duration? {
    let sensor = sensor
    let result: Result<Double?, Fault>
    do throws(Fault) {
      result = try await errand.perform { Result { () throws(Fault) in try sensor.lux() } }
    } catch { result = .failure(error) }
    let before = light.isBright
    var next: Duration? = Self.every
    switch result {
    case .success(let lux?):
      (toldCode, pause, silentSince) = (nil, Self.firstPause, nil)
      light.read(lux, at: MainLoop.loop.now)
    case .success(nil):
      pause = Self.firstPause
      light.read(nil, at: MainLoop.loop.now)
      next = hearNothing()
    case .failure(let fault):
      let isMissing = fault.kind == .missing
      if !(mayBeMissing && isMissing), toldCode != fault.code { tell(fault) }
      toldCode = fault.code
      if isMissing {
        // The sensor is gone, so its earlier readings do not count any more.
        light = AmbientLight()
        next = miss()
      } else {
        light.read(nil, at: MainLoop.loop.now)
      }
    }
    if light.isBright != before { changed(light.isBright) }
    return next
  }

  private func hearNothing() -> Duration {
    guard let silentSince else {
      silentSince = MainLoop.loop.now
      return Self.every
    }
    guard MainLoop.loop.now - silentSince >= Self.patience else { return Self.every }
    if toldCode != "H-632" { tell(Fault(.passing, "H-632", "the sensor of the light around does not answer")) }
    toldCode = "H-632"
    return Self.everyWhenSilent
  }

  private func miss() -> Duration? {
    guard pause <= Self.longestPause else {
      missedUntil = MainLoop.loop.now + Self.missedFor
      return nil
    }
    defer { pause *= 2 }
    return pause
  }
}
