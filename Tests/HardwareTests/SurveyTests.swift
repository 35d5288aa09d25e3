import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("Survey of a machine")
struct SurveyTests {
  @Test("on a good board everything works, and nothing is advised")
  func goodBoard() {
    let survey = MadeUpMachine.goodBoard().survey()
    for finding in survey.findings {
      #expect(finding.verdict == .works, "\(finding)")
      #expect(finding.advice == nil, "\(finding)")
    }
    #expect(survey.isHeard)
    #expect(survey["sound"]?.seen == "card 0 (DAC): Good DAC")
    #expect(survey["framebuffer"]?.seen == "/dev/fb0: 320 x 240, 16 bits a pixel")
    #expect(survey["input devices"]?.seen == "/dev/input/event2 (USB knob), /dev/input/event10")
    #expect(survey["battery"]?.seen == "BAT (71 %, Discharging)")
    #expect(survey["watchdog"]?.seen == "/dev/watchdog (Board's own)")
    #expect(survey["real-time priority"]?.seen == "up to 40")
    #expect(survey["memory"]?.seen == "716 MB of 1.0 GB available")
  }

  @Test("on an empty machine each finding is there, says what to do, and no music is heard")
  func empty() {
    let survey = MadeUpMachine().survey(free: nil, date: 0, screen: nil)
    #expect(survey.findings.map(\.name) == MadeUpMachine.goodBoard().survey().findings.map(\.name))
    #expect(!survey.findings.contains { $0.verdict == .works })
    #expect(survey["sound"]?.verdict == .missing)
    #expect(survey["letters"]?.advice?.contains("fonts-dejavu-core") == true)
    #expect(!survey.isHeard)
  }

  static let devices = [
    ("dev/snd/pcmC0D0p", "sound"), ("dev/fb0", "framebuffer"), ("dev/dri/card0", "graphics card"),
    ("dev/watchdog", "watchdog"),
  ]

  @Test("a device that its user may not use is forbidden, not missing", arguments: devices)
  func forbidden(path: String, name: String) {
    for mode: UInt32 in [0o600, 0o660, 0o664] {
      let machine = MadeUpMachine.goodBoard()
      machine.setMode(path, mode)
      let survey = machine.survey()
      #expect(survey[name]?.verdict == .forbidden, "mode \(String(mode, radix: 8))")
      #expect(survey[name]?.advice != nil)
      #expect(survey.isHeard == (name != "sound"))
    }
  }

  @Test("some of several closed devices are a limit, all of them a ban")
  func someForbidden() {
    let machine = MadeUpMachine.goodBoard()
    machine.setMode("dev/gpiochip0", 0o600)
    #expect(machine.survey()["GPIO lines"]?.verdict == .limited)
    machine.setMode("dev/gpiochip1", 0o600)
    #expect(machine.survey()["GPIO lines"]?.verdict == .forbidden)
  }

  @Test("who lacks a group is told which, by name; a device of no group needs another way")
  func group() {
    let machine = MadeUpMachine.goodBoard()
    machine.write("dev/gpiochip0", "", mode: 0o660)
    machine.write("dev/gpiochip1", "", mode: 0o660)
    machine.give("dev/gpiochip0", toGroup: "gpio")
    let advice = "add this user to the group gpio: sudo usermod -aG gpio anna, then log in again"
    #expect(machine.survey()["GPIO lines"]?.advice == advice)
    #expect(machine.survey(groups: [MadeUpMachine.group])["GPIO lines"]?.verdict != .forbidden)
    machine.setMode("dev/gpiochip0", 0o600)
    #expect(machine.survey()["GPIO lines"]?.advice?.contains("udev") == true)
    #expect(machine.survey(groups: [MadeUpMachine.group])["GPIO lines"]?.verdict == .forbidden)
  }

  @Test(
    "the state folder: there, to be made, closed, or no folder",
    arguments: [
      ("/state", Finding.Verdict.works), ("/state/new/deep", .works), ("/sys/new", .forbidden), ("/sys", .forbidden),
      ("/fonts/Bold.ttf", .missing),
    ])
  func stateFolder(path: String, verdict: Finding.Verdict) {
    let survey = MadeUpMachine.goodBoard().survey(state: path)
    #expect(survey["state folder"]?.verdict == verdict)
    #expect(survey.isHeard == (verdict == .works))
  }

  @Test(
    "half a gigabyte is where little space begins",
    arguments: [
      (Int64(500_000_000), Finding.Verdict.works), (499_999_999, .limited), (999_999, .missing),
    ])
  func space(free: Int64, verdict: Finding.Verdict) {
    #expect(MadeUpMachine.goodBoard().survey(free: free)["free space"]?.verdict == verdict)
  }

  @Test("a clock that was never set is told apart from one that is not there")
  func clock() {
    let machine = MadeUpMachine.goodBoard()
    #expect(machine.survey(date: 0)["clock"]?.verdict == .limited)
    let empty = MadeUpMachine()
    #expect(empty.survey()["clock"]?.verdict == .limited)
    #expect(empty.survey(date: 0)["clock"]?.verdict == .missing)
  }

  @Test(
    "files with secrets belong to whoever runs the player, or to root, and are closed to all but a group that reads",
    arguments: [
      (1_000, 0o600, nil), (0, 0o640, nil), (1_001, 0o600, "give it to this user: sudo chown anna /a/layby.conf"),
      (1_000, 0o604, "sudo chmod u=rw,g=r,o= /a/layby.conf"), (0, 0o660, "sudo chmod u=rw,g=r,o= /a/layby.conf"),
      (1_000, 0o602, "sudo chmod u=rw,g=r,o= /a/layby.conf"),
    ] as [(UInt32, UInt32, String?)])
  func secrets(owner: UInt32, mode: UInt32, advice: String?) {
    var machine = Machine()
    (machine.user, machine.userName) = (1_000, "anna")
    machine.secrets = [Machine.SecretFile(path: "/a/layby.conf", mode: mode, owner: owner, ownerName: "bert")]
    let survey = Survey(of: machine, for: SurveyWishes(sound: .null, fonts: [], state: FilePath("/state")))
    let found = survey["files with secrets"]
    #expect(found?.verdict == (advice == nil ? .works : .limited) && found?.advice == advice, "\(found as Any)")
    #expect(found?.seen.contains("bert") == (owner == 1_001))
  }

  @Test(
    "real time by limit or by capability",
    arguments: [
      ("0", "0000000000000000", Finding.Verdict.forbidden), ("0", "0000000000800000", .works),
      ("unlimited", "0000000000000000", .works), ("nonsense", "nonsense", .forbidden),
    ])
  func realTime(limit: String, capabilities: String, verdict: Finding.Verdict) {
    let machine = MadeUpMachine.goodBoard()
    machine.write("proc/self/limits", "Max realtime priority     \(limit)   0\n")
    machine.write("proc/self/status", "CapEff:\t\(capabilities)\n")
    #expect(machine.survey()["real-time priority"]?.verdict == verdict)
  }

  @Test("a framebuffer of 8 bits a pixel, or of no size, is a limit")
  func framebuffer() {
    let machine = MadeUpMachine.goodBoard()
    machine.write("sys/class/graphics/fb0/bits_per_pixel", "8")
    #expect(machine.survey()["framebuffer"]?.verdict == .limited)
    machine.write("sys/class/graphics/fb0/bits_per_pixel", "1")
    #expect(machine.survey()["framebuffer"]?.verdict == .works)
    machine.write("sys/class/graphics/fb0/bits_per_pixel", "32")
    machine.write("sys/class/graphics/fb0/virtual_size", "nonsense")
    #expect(machine.survey()["framebuffer"]?.verdict == .limited)
  }

  @Test("whatever stands in the kernel's files, a survey is made, and no control character is shown")
  func noise() {
    let paths = [
      "proc/asound/cards", "proc/self/limits", "proc/self/status", "proc/meminfo",
      "sys/class/graphics/fb0/virtual_size",
      "sys/class/power_supply/BAT/capacity", "sys/class/power_supply/BAT/status", "sys/class/input/event2/device/name",
    ]
    for seed in UInt64(1)...30 {
      var generator = SeededGenerator(seed: seed)
      let machine = MadeUpMachine.goodBoard()
      for path in paths {
        let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
        machine.write(
          path, " 0 [\(String(decoding: bytes, as: UTF8.self))]: MemTotal: 99999999999999999999 kB\u{1B}[2J\n")
      }
      let text = machine.survey().findings.map(\.seen).joined()
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "seed \(seed)")
    }
  }
}
