import Glibc
import Hardware
import Runtime
import Synchronization
import TestSupport
import Testing

/// A PWM chip that refuses what the kernel does.
private final class MadeUpPWM: PWMFiles {
  struct State {
    var chips = [0: 2]
    /// By chip and channel, when it is exported.
    var period = 0
    var duty = 0
    var isOn = false
    var polarity = "normal"
    var isExported = false
    /// Writes, with what they set.
    var written: [String] = []
    var knowsPolarity = true
    var refuses: Int32?
    /// This one alone is refused, with that.
    var refusesFile: (name: String, error: Int32)?
    /// Of a channel: so many of what was tried, taken or not.
    var tries = 0
    /// What its pulse was while it was on, in thousandths of the period.
    var shone: [Int] = []
  }

  let state = Mutex(State())

  func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

  var written: [String] {
    state.withLock { state in
      defer { state.written = [] }
      return state.written
    }
  }

  func has(_ folder: FilePath) -> Bool {
    state.withLock { state in
      let name = "\(folder)"
      if name.hasSuffix("/pwm1") { return state.isExported }
      return state.chips.keys.contains { name.hasSuffix("pwmchip\($0)") }
    }
  }

  func read(_ path: FilePath) throws(Fault) -> String {
    try state.withLock { state in
      Result { () throws(Fault) in
        switch "\(path)".split(separator: "/").last {
        case "npwm": return "\(state.chips[0] ?? 0)"
        case "period": return "\(state.period)"
        case "duty_cycle": return "\(state.duty)"
        case "enable": return state.isOn ? "1" : "0"
        case "polarity": return state.polarity
        default: throw Fault(.missing, "T-1", "\(path)")
        }
      }
    }.get()
  }

  func write(_ text: String, to path: FilePath) throws(Fault) {
    let name = "\(path)".split(separator: "/").last.map(String.init) ?? ""
    let value = Int(text.split(separator: "\n").first ?? "")
    try state.withLock { state in Result { () throws(Fault) in try Self.take(name, text, value, &state) } }.get()
  }

  private static func take(_ name: String, _ text: String, _ value: Int?, _ state: inout State) throws(Fault) {
    state.tries += 1
    if let error = state.refuses { throw Fault.system("T-2", doing: "write", errno: error) }
    if let (refused, error) = state.refusesFile, refused == name {
      throw Fault.system("T-4", doing: "write \(name)", errno: error)
    }
    switch (name, value) {
    case ("export", 1?): state.isExported = true
    case ("period", let period?) where period >= state.duty && period > 0: state.period = period
    case ("duty_cycle", let duty?) where duty <= state.period: state.duty = duty
    case ("enable", 1?) where state.period > 0: state.isOn = true
    case ("enable", 0?): state.isOn = false
    case ("polarity", _) where !state.isOn && state.knowsPolarity:
      state.polarity = text.split(separator: "\n").first.map(String.init) ?? ""
    default: throw Fault.system("T-3", doing: "write \(text) to \(name)", errno: EINVAL)
    }
    state.written.append("\(name) \(text.split(separator: "\n").first ?? "")")
    if state.isOn, state.period > 0 {
      let share = state.duty * 1_000 / state.period
      state.shone.append(state.polarity == "normal" ? share : 1_000 - share)
    }
  }
}

@Suite("Lights that a PWM channel feeds")
struct PWMLightTests {
  private func light(_ files: MadeUpPWM, chip: Int = 0, channel: Int = 1, isInverted: Bool = false) -> PWMLight {
    PWMLight(chip: chip, channel: channel, frequency: 1_000, isInverted: isInverted, files: files)
  }

  @Test("a channel that nobody used is exported, given its period, its pulse, and switched on, in that order")
  func fresh() throws {
    let pwm = MadeUpPWM()
    let light = light(pwm)
    try light.shine(1)
    #expect(pwm.written == ["export 1", "period 1000000", "duty_cycle 1000000", "enable 1"])
    try light.shine(0.5)
    #expect(pwm.written == ["duty_cycle \(KernelLight.steps(0.5, of: 1_000_000))"])
    try light.shine(0.5)
    #expect(pwm.written == [], "what stands already is not written again")
    try light.shine(0)
    #expect(pwm.written == ["duty_cycle 0"])
  }

  @Test("one that another left with a longer pulse is taken over, and is dark for a moment, not bright")
  func takenOver() throws {
    let pwm = MadeUpPWM()
    pwm.change { ($0.isExported, $0.period, $0.duty, $0.isOn) = (true, 50_000_000, 50_000_000, true) }
    try light(pwm).shine(0.5)
    #expect(
      pwm.written == ["duty_cycle 0", "period 1000000", "duty_cycle \(KernelLight.steps(0.5, of: 1_000_000))"])
    #expect(pwm.state.withLock { $0.shone.max() } == 217)
  }

  @Test("an inverted light is told to its chip while it is off")
  func inverted() throws {
    let pwm = MadeUpPWM()
    pwm.change { ($0.isExported, $0.period, $0.duty, $0.isOn) = (true, 1_000_000, 0, true) }
    try light(pwm, isInverted: true).shine(1)
    #expect(pwm.written == ["enable 0", "polarity inversed", "duty_cycle 1000000", "enable 1"])
    #expect(pwm.state.withLock { $0.polarity } == "inversed")
    try light(pwm).shine(1)
    #expect(pwm.state.withLock { $0.polarity } == "normal")
  }

  @Test("where the chip knows no polarity the pulse is what is left of the period")
  func turnedRound() throws {
    let pwm = MadeUpPWM()
    pwm.change { $0.knowsPolarity = false }
    let light = light(pwm, isInverted: true)
    try light.shine(1)
    #expect(pwm.state.withLock { ($0.period, $0.duty, $0.isOn) } == (1_000_000, 0, true))
    try light.shine(0)
    #expect(pwm.state.withLock { ($0.period, $0.duty, $0.isOn) } == (1_000_000, 1_000_000, true))
  }

  @Test("a period that the chip refuses leaves the light as it shone, however often it is tried")
  func refusedPeriod() throws {
    for error in [EBUSY, EINVAL] {
      let pwm = MadeUpPWM()
      pwm.change { ($0.isExported, $0.period, $0.duty, $0.isOn) = (true, 50_000_000, 30_000_000, true) }
      pwm.change { $0.refusesFile = ("period", error) }
      for _ in 0..<3 {
        _ = try faultOf { try light(pwm).shine(1) }
        #expect(pwm.state.withLock { ($0.period, $0.duty, $0.isOn) } == (50_000_000, 30_000_000, true))
      }
    }
    // Nor one that was off for a moment, for a polarity that was to be had or not.
    for knowsPolarity in [true, false] {
      let pwm = MadeUpPWM()
      pwm.change { ($0.isExported, $0.period, $0.duty, $0.isOn) = (true, 50_000_000, 30_000_000, true) }
      pwm.change { ($0.knowsPolarity, $0.refusesFile) = (knowsPolarity, ("period", EINVAL)) }
      let light = light(pwm, isInverted: true)
      for _ in 0..<3 {
        _ = try faultOf { try light.shine(1) }
        #expect(pwm.state.withLock { ($0.period, $0.duty, $0.isOn) } == (50_000_000, 30_000_000, true))
        #expect(pwm.state.withLock { $0.polarity } == "normal")
      }
    }
    // One that fits into the new period is not touched before it.
    let pwm = MadeUpPWM()
    pwm.change { ($0.isExported, $0.period, $0.duty, $0.isOn) = (true, 50_000_000, 400_000, true) }
    try light(pwm).shine(1)
    #expect(pwm.written == ["period 1000000", "duty_cycle 1000000"])
  }

  @Test("where the chip knows no polarity, it is tried once; after that only the pulse changes, and nothing flashes")
  func turnedRoundOnce() throws {
    let pwm = MadeUpPWM()
    pwm.change { $0.knowsPolarity = false }
    let light = light(pwm, isInverted: true)
    try light.shine(0.5)
    _ = pwm.written
    pwm.change { ($0.shone, $0.tries) = ([], 0) }
    let pulses = [0.4, 0.3, 0.2, 0].map { 1_000_000 - KernelLight.steps($0, of: 1_000_000) }
    for part in [0.4, 0.3, 0.2, 0] { try light.shine(part) }
    #expect(pwm.written == pulses.map { "duty_cycle \($0)" })
    #expect(pwm.state.withLock { $0.tries } == 4)
    // It goes and comes back, and may be another by now.
    pwm.change { ($0.isExported, $0.isOn, $0.knowsPolarity) = (false, false, true) }
    try light.shine(1)
    #expect(pwm.state.withLock { ($0.polarity, $0.duty) } == ("inversed", 1_000_000))
  }

  @Test("a pulse that is turned round is taken back to its dark end, which is the whole period")
  func turnedRoundDark() throws {
    let pwm = MadeUpPWM()
    pwm.change {
      ($0.isExported, $0.period, $0.duty, $0.isOn, $0.knowsPolarity) = (true, 1_000_000, 1_000_000, true, false)
    }
    let light = light(pwm, isInverted: true)
    try light.shine(0)
    // Another has been at it meanwhile.
    pwm.change { ($0.period, $0.duty, $0.written) = (4_000_000, 4_000_000, []) }
    try light.shine(0)
    #expect(pwm.written == ["duty_cycle 1000000", "period 1000000"])
  }

  @Test("a right that is missing just after the export may be on its way, and is told only if it stays away")
  func rightsToCome() throws {
    let pwm = MadeUpPWM()
    let light = light(pwm)
    pwm.change { $0.refusesFile = ("period", EACCES) }
    let first = try faultOf { try light.shine(1) }
    #expect(first.kind == .passing && first.message.contains("period"))
    #expect(try faultOf { try light.shine(1) }.kind == .denied)
    pwm.change { $0.refusesFile = nil }
    try light.shine(1)
    #expect(pwm.state.withLock { ($0.duty, $0.isOn) } == (1_000_000, true))
  }

  @Test("a chip, a channel and a right that are not there are three things, and may come")
  func missing() throws {
    let pwm = MadeUpPWM()
    #expect(try faultOf { try light(pwm, chip: 3).shine(1) }.code == "H-626")
    #expect(try faultOf { try light(pwm, channel: 2).shine(1) }.message.contains("no channel 2"))
    pwm.change { $0.refuses = EACCES }
    #expect(try faultOf { try light(pwm).shine(1) }.kind == .denied)
    pwm.change { $0.refuses = nil }
    try light(pwm).shine(1)
    #expect(pwm.state.withLock { $0.isOn })
  }

  @Test("the kernel's files are read and written as they are, and never made; one that may not be written says the way")
  func files() throws {
    let folder = TempFolder()
    let place = folder.path / "pwmchip0" / "pwm1"
    try Folder.make(folder.path / "pwmchip0")
    try Folder.make(place)
    for (name, text) in [("period", "0\n"), ("duty_cycle", "0\n"), ("enable", "0\n"), ("polarity", "normal\n")] {
      try AtomicFile.replace(place / name, with: Array(text.utf8))
    }
    let light = PWMLight(chip: 0, channel: 1, frequency: 200, isInverted: false, in: folder.path)
    try light.shine(1)
    func text(_ name: String) throws -> String {
      String(decoding: try AtomicFile.read(place / name, limit: 99), as: UTF8.self)
    }
    #expect(try text("period") == "5000000\n" && text("duty_cycle") == "5000000\n" && text("enable") == "1\n")
    try AtomicFile.replace(place / "enable", with: Array("yes\n".utf8))
    #expect(try faultOf { try light.shine(1) }.code == "H-627")
    _ = (place / "enable").withCString { unlink($0) }
    #expect(try faultOf { try light.shine(1) }.code == "H-628")
    #expect(try faultOf { try KernelPWMFiles().write("1\n", to: place / "enable") }.code == "H-629")
    #expect((place / "enable").withCString { access($0, F_OK) } != 0)
  }
}
