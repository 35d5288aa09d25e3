import Glibc
import Hardware
import Runtime
import Synchronization
import TestSupport
import Testing

@Suite("How bright the panel is")
struct BrightnessTests {
  private static func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  @Test("it dims when nobody has touched anything, and a touch makes it bright")
  func idle() {
    var brightness = Brightness(dimsAfter: .seconds(30), at: Self.at(0))
    #expect(brightness.level(at: Self.at(29)) == .full && brightness.due(at: Self.at(29)) == Self.at(30))
    #expect(brightness.level(at: Self.at(30)) == .dimmed && brightness.due(at: Self.at(30)) == nil)
    brightness.touch(at: Self.at(100))
    #expect(brightness.level(at: Self.at(129)) == .full && brightness.level(at: Self.at(130)) == .dimmed)
    let never = Brightness(dimsAfter: nil, at: Self.at(0))
    #expect(never.level(at: Self.at(1 << 30)) == .full && never.due(at: Self.at(0)) == nil)
  }

  @Test("it dims at once when the board rests, can be read after a touch, and is dark before the board is off")
  func rest() {
    var brightness = Brightness(dimsAfter: nil, at: Self.at(0))
    brightness.touch(at: Self.at(9))
    brightness.hear(.falling, at: Self.at(10))
    #expect(brightness.level(at: Self.at(10)) == .full)
    brightness.hear(.resting, at: Self.at(14))
    #expect(brightness.level(at: Self.at(14)) == .dimmed)
    brightness.touch(at: Self.at(20))
    #expect(brightness.level(at: Self.at(29)) == .full && brightness.level(at: Self.at(30)) == .dimmed)
    brightness.hear(.on, at: Self.at(40))
    #expect(brightness.level(at: Self.at(40)) == .full)
    brightness.hear(.leaving, at: Self.at(50))
    brightness.touch(at: Self.at(51))
    #expect(brightness.level(at: Self.at(51)) == .dark)
  }

  @Test("a place that is closed is dim as a board at rest is, and bright again only when neither is so")
  func closed() {
    var brightness = Brightness(dimsAfter: nil, at: Self.at(0))
    brightness.close(true, at: Self.at(10))
    #expect(brightness.level(at: Self.at(10)) == .dimmed)
    brightness.hear(.resting, at: Self.at(20))
    brightness.close(false, at: Self.at(30))
    #expect(brightness.level(at: Self.at(30)) == .dimmed)
    brightness.hear(.on, at: Self.at(40))
    #expect(brightness.level(at: Self.at(40)) == .full)
  }

  @Test("steps are even for an eye, never dark but at 0, and never beyond what the light can")
  func steps() {
    for most in [1, 7, 31, 255, 4_095, 65_535] {
      var last = 0
      for percent in 0...120 {
        let steps = KernelLight.steps(Double(percent) / 100, of: most)
        #expect(steps >= last && steps <= most && (steps > 0) == (percent > 0))
        last = steps
      }
      #expect(KernelLight.steps(1, of: most) == most && KernelLight.steps(-1, of: most) == 0)
    }
    #expect(KernelLight.steps(0.5, of: 255) == 55)
  }
}

@Suite("Lights of the kernel")
struct KernelLightTests {
  private let folder = TempFolder()

  private func add(_ kind: String, _ name: String, most: String?) throws {
    try Folder.make(folder.path / kind)
    try Folder.make(folder.path / kind / name)
    if let most { try AtomicFile.replace(folder.path / kind / name / "max_brightness", with: Array(most.utf8)) }
    try AtomicFile.replace(folder.path / kind / name / "brightness", with: Array("0\n".utf8))
  }

  private func brightness(_ kind: String, _ name: String) throws -> String {
    String(decoding: try AtomicFile.read(folder.path / kind / name / "brightness", limit: 99), as: UTF8.self)
  }

  private func fault(of light: KernelLight) -> Fault? {
    do throws(Fault) { try light.shine(1) } catch { return error }
    return nil
  }

  @Test("the first one is set, or the one that is named")
  func set() throws {
    try add("backlight", "b", most: "100\n")
    try add("backlight", "a", most: "31\n")
    try KernelLight(.backlight, named: nil, in: folder.path).shine(1)
    try KernelLight(.backlight, named: "b", in: folder.path).shine(1)
    #expect(try brightness("backlight", "a").hasPrefix("31\n") && brightness("backlight", "b").hasPrefix("100\n"))
  }

  @Test("what is not there, says nonsense or may not be set is told with its name")
  func faults() throws {
    #expect(fault(of: KernelLight(.backlight, named: nil, in: folder.path))?.code == "H-621")
    try add("leds", "red", most: "1\n")
    let missing = fault(of: KernelLight(.leds, named: "green", in: folder.path))
    #expect(missing?.code == "H-620" && missing?.message.contains("green") == true)
    #expect(missing?.message.contains("what is there: red") == true)
    for (index, nonsense) in ["", "0\n", "-3\n", "many\n", "99999999999999999999\n"].enumerated() {
      try add("leds", "n\(index)", most: nonsense)
      #expect(fault(of: KernelLight(.leds, named: "n\(index)", in: folder.path))?.code == "H-622", "\(nonsense)")
    }
    try add("leds", "silent", most: nil)
    #expect(fault(of: KernelLight(.leds, named: "silent", in: folder.path))?.code == "H-622")
  }
}

/// A light that notes what it is set to, and fails while it is broken.
private final class NotingLight: Light, Sendable {
  private let state = Mutex((shone: [Double](), fault: Fault?.none, tries: 0))

  var shone: [Double] { state.withLock { $0.shone } }
  var tries: Int { state.withLock { $0.tries } }
  func breakDown(_ fault: Fault?) { state.withLock { $0.fault = fault } }

  func shine(_ part: Double) throws(Fault) {
    let fault = state.withLock { state -> Fault? in
      state.tries += 1
      if state.fault == nil { state.shone.append(part) }
      return state.fault
    }
    if let fault { throw fault }
  }
}

@MainLoop
private final class Told {
  var codes: [String] = []
  nonisolated init() {}
}

@Suite("The part that keeps lights", .serialized)
struct LightsPartTests {
  private func with(
    _ panel: NotingLight, _ lamp: NotingLight? = nil, mayBeMissing: Bool = false, dimsAfter: Duration? = nil,
    _ body: @escaping @Sendable (LightsPart, Told) async -> Void
  ) async {
    let told = Told()
    await TestMainLoop.alone {
      let part = await onMainLoop {
        LightsPart(
          panel: panel, mayBeMissing: mayBeMissing, power: lamp, full: 0.8, dimsAfter: dimsAfter,
          by: .onLoop(MainLoop.loop), tell: { told.codes.append($0.code) })
      }
      let running = await onMainLoop { await RunningPart(part) }
      await body(part, told)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  private static func pass(_ time: Duration) async {
    await onMainLoop { await settled() }
    await MainLoop.loop.advance(by: time)
    await onMainLoop { await settled() }
  }

  @Test("rest dims it and puts the lamp out, and back it is as before; nothing is set twice")
  func rest() async {
    let (panel, lamp) = (NotingLight(), NotingLight())
    await with(panel, lamp) { part, _ in
      for state in [Ignition.State.on, .falling, .resting, .resting, .on, .leaving] {
        await onMainLoop { part.hear(state) }
        await Self.pass(.seconds(1))
      }
    }
    #expect(panel.shone == [0.8, 0.2, 0.8, 0] && lamp.shone == [1, 0, 1, 0])
  }

  @Test("a hundred touches set a dimmed panel once")
  func touches() async {
    let panel = NotingLight()
    await with(panel, dimsAfter: .seconds(5)) { part, _ in
      await Self.pass(.seconds(5))
      for _ in 0..<100 { await onMainLoop { part.touch() } }
      await Self.pass(.seconds(1))
    }
    #expect(panel.shone == [0.8, 0.2, 0.8])
  }

  @Test("a light that cannot be set is told of once, tried again more and more seldom, and set when it can be")
  func broken() async {
    let panel = NotingLight()
    panel.breakDown(Fault(.denied, "T-1", "no"))
    await with(panel) { _, told in
      for _ in 0..<120 { await Self.pass(.seconds(1)) }
      #expect(await onMainLoop { told.codes } == ["T-1"])
      #expect((5...8).contains(panel.tries), "\(panel.tries)")
      panel.breakDown(nil)
      for _ in 0..<61 { await Self.pass(.seconds(1)) }
    }
    #expect(panel.shone == [0.8])
  }

  @Test("what passes by itself is told only when it is there at the second try too")
  func passing() async {
    for recovers in [true, false] {
      let panel = NotingLight()
      panel.breakDown(Fault(.passing, "T-1", "not yet"))
      await with(panel) { _, told in
        await Self.pass(.seconds(1))
        #expect(await onMainLoop { told.codes } == [] && panel.tries == 1)
        if recovers { panel.breakDown(nil) }
        for _ in 0..<3 { await Self.pass(.seconds(1)) }
        #expect(await onMainLoop { told.codes } == (recovers ? [] : ["T-1"]) && panel.tries == 2)
      }
    }
  }

  @Test("where none is named and there is none, nobody is told and nothing is tried again")
  func none() async {
    let panel = NotingLight()
    panel.breakDown(Fault(.missing, "T-1", "none"))
    await with(panel, mayBeMissing: true) { _, told in
      await Self.pass(.seconds(600))
      #expect(await onMainLoop { told.codes } == [])
    }
    #expect(panel.tries == 1)
  }
}
