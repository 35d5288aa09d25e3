import Glibc
import Runtime
import Synchronization

/// The kernel's files of PWM chips: its own, or a test's.
package protocol PWMFiles: Sendable {
  /// Whether the folder is there.
  func has(_ folder: FilePath) -> Bool
  func read(_ path: FilePath) throws(Fault) -> String
  /// The file is there; what it does not take is a fault.
  func write(_ text: String, to path: FilePath) throws(Fault)
}

/// A light on a channel of a PWM chip, which switches it on and off so quickly that it looks dimmed.
///
/// The kernel takes period, pulse and polarity one by one, and refuses values that do not fit the others: a pulse longer
/// than the period, enabling a channel without a period, another polarity while it is enabled. So a pulse that is too long
/// for a new period is shortened first, to the value that is dark rather than bright. If the chip refuses the period, the
/// light stays as it was. Some chips do not support polarity; then the pulse is inverted here. That is tried only once,
/// because the channel must be disabled for it. Values that are set already are not written again, because some chips
/// restart their cycle at each write.
package final class PWMLight: Light {
  private let chip: FilePath
  private let channel: Int
  /// Nanoseconds.
  private let period: Int
  private let isInverted: Bool
  private let files: any PWMFiles
  /// The chip was asked for the polarity that is wanted, and refused.
  private let refusesPolarity = Mutex(false)

  package init(
    chip: Int, channel: Int, frequency: Int, isInverted: Bool, in folder: FilePath = FilePath("/sys/class/pwm"),
    files: any PWMFiles = KernelPWMFiles()
  ) {
    self.chip = folder / "pwmchip\(chip)"
    (self.channel, self.isInverted, self.files) = (channel, isInverted, files)
    period = 1_000_000_000 / max(frequency, 1)
  }

  private var place: FilePath { chip / "pwm\(channel)" }

  package func shine(_ part: Double) throws(Fault) {
    let hasJustCome = try export()
    do throws(Fault) { try light(part) } catch {
      guard hasJustCome, error.kind == .denied else { throw error }
      // udev learns of the channel when we do, and lets us write its files a moment later: this may pass.
      throw Fault(.passing, error.code, error.message)
    }
  }

  private func light(_ part: Double) throws(Fault) {
    let (polarity, wasOn) = (try files.read(place / "polarity"), try number("enable") != 0)
    do throws(Fault) { try set(part) } catch {
      // The channel may have been disabled to change its polarity. As that failed, it is enabled again as it was.
      if wasOn { do throws(Fault) { try turnOn(polarity) } catch {} }
      throw error
    }
  }

  private func turnOn(_ polarity: String) throws(Fault) {
    guard try number("enable") == 0 else { return }
    if try files.read(place / "polarity") != polarity { try set("polarity", polarity) }
    try set("enable", "1")
  }

  private func set(_ part: Double) throws(Fault) {
    let isTurned = try turn()
    let pulse = KernelLight.steps(part, of: period)
    if try number("period") != period { try setPeriod(isTurned: isTurned) }
    let duty = isTurned ? period - pulse : pulse
    if try number("duty_cycle") != duty { try set("duty_cycle", "\(duty)") }
    if try number("enable") != 1 { try set("enable", "1") }
  }

  private func setPeriod(isTurned: Bool) throws(Fault) {
    let before = try number("duty_cycle")
    if before > period { try set("duty_cycle", isTurned ? "\(period)" : "0") }
    do throws(Fault) { try set("period", "\(period)") } catch {
      // Otherwise a light whose period is always refused would stay dark. A second fault is not reported: the first one
      // says why.
      if before > period { do throws(Fault) { try set("duty_cycle", "\(before)") } catch {} }
      throw error
    }
  }

  /// Looked for each time: a chip may come late. True when the channel has come by this.
  private func export() throws(Fault) -> Bool {
    if files.has(place) { return false }
    guard files.has(chip) else { throw Fault(.missing, "H-626", "there is no PWM chip \(chip)") }
    let text = try files.read(chip / "npwm")
    guard let count = Int(text), channel < count else {
      throw Fault(.missing, "H-626", "the PWM chip \(chip) has \(shownPlain(text)) channels and no channel \(channel)")
    }
    try files.write("\(channel)\n", to: chip / "export")
    // It may be another than the one that was there.
    refusesPolarity.withLock { $0 = false }
    return true
  }

  /// Sets the polarity. True when the chip does not support it, so that the pulse has to be inverted instead.
  private func turn() throws(Fault) -> Bool {
    let wanted = isInverted ? "inversed" : "normal"
    let stands = try files.read(place / "polarity")
    if stands == wanted { return false }
    if refusesPolarity.withLock({ $0 }) { return true }
    if try number("enable") != 0 { try set("enable", "0") }
    do throws(Fault) {
      try files.write("\(wanted)\n", to: place / "polarity")
      return false
    } catch {
      guard error.kind != .denied, error.kind != .missing else { throw error }
      refusesPolarity.withLock { $0 = true }
      return true
    }
  }

  private func number(_ name: String) throws(Fault) -> Int {
    let text = try files.read(place / name)
    guard let number = Int(text), number >= 0 else {
      throw Fault(.malformed, "H-627", "\(place)/\(name) says \"\(shownPlain(text))\", which is no number")
    }
    return number
  }

  private func set(_ name: String, _ text: String) throws(Fault) { try files.write("\(text)\n", to: place / name) }
}

/// /sys/class/pwm.
package struct KernelPWMFiles: PWMFiles {
  package init() {}

  package func has(_ folder: FilePath) -> Bool { folder.withCString { access($0, F_OK) } == 0 }

  package func read(_ path: FilePath) throws(Fault) -> String {
    do throws(Fault) {
      return String(decoding: try AtomicFile.read(path, limit: 4_096).prefix { $0 != 0x0A }, as: UTF8.self)
    } catch { throw Fault(error.kind, "H-628", "a PWM channel does not say how it stands: \(error.message)") }
  }

  package func write(_ text: String, to path: FilePath) throws(Fault) {
    try KernelFile.write(text, to: path, code: "H-629")
  }
}
