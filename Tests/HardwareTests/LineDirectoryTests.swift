import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Looking up GPIO lines")
struct LineDirectoryTests {
  private static let directory = LineDirectory(chips: [
    LineDirectory.Chip(
      path: FilePath("/dev/gpiochip0"), name: "gpiochip0", label: "pinctrl",
      lines: [.init(name: ""), .init(name: "GPIO1"), .init(name: "GPIO2"), .init(name: "")]),
    MadeUpLines.dash(as: "gpiochip1"),
  ])

  static let known: [(LineName, String, Int)] = [
    (.named("ENC_A"), "/dev/gpiochip1", 0), (.named("BTN_PLAY"), "/dev/gpiochip1", 3),
    (.named("GPIO2"), "/dev/gpiochip0", 2), (.at(chip: "gpiochip0", offset: 3), "/dev/gpiochip0", 3),
    (.at(chip: "gpiochip1", offset: 0), "/dev/gpiochip1", 0), (.at(chip: "dash", offset: 2), "/dev/gpiochip1", 2),
  ]

  @Test("a line is found by its name on any chip, or by its chip's name or label and its number", arguments: known)
  func find(name: LineName, chip: String, offset: Int) throws {
    let place = try Self.directory.find(name)
    #expect(place.chip == FilePath(chip))
    #expect(place.offset == offset)
  }

  static let unknown: [(LineName, String, [String])] = [
    (.named("ENC_C"), "H-203", ["ENC_C", "ENC_A", "ENC_B"]), (.named("btn_paly"), "H-203", ["btn_paly", "BTN_PLAY"]),
    (.at(chip: "gpiochip7", offset: 1), "H-202", ["gpiochip7", "gpiochip0 (pinctrl)", "gpiochip1 (dash)"]),
    (.at(chip: "gpiochip0", offset: 4), "H-204", ["gpiochip0", "no line 4", "3"]),
  ]

  @Test("what is not there is named, with what there is instead", arguments: unknown)
  func missing(name: LineName, code: String, words: [String]) throws {
    let fault = try faultOf { try Self.directory.find(name) }
    #expect(fault.code == code)
    #expect(fault.kind == .missing)
    for word in words { #expect(fault.message.contains(word), "\(fault)") }
  }

  @Test("without chips, every line misses the same thing")
  func noChips() throws {
    let names = ["ENC_A", "ENC_B"]
    let faults = try names.map { name in try faultOf { try LineDirectory().find(.named(name)) } }
    #expect(faults[0] == faults[1])
    #expect(faults[0].code == "H-202")
  }

  @Test("a chip that may not be opened is the reason when a name is not found elsewhere, and only then")
  func closed() throws {
    var directory = Self.directory
    let fault = Fault(.denied, "H-201", "the GPIO chip /dev/gpiochip0 may not be used")
    directory.chips[0].lines = []
    directory.chips[0].fault = fault
    #expect(try faultOf { try directory.find(.named("GPIO1")) } == fault)
    #expect(try faultOf { try directory.find(.at(chip: "gpiochip0", offset: 1)) } == fault)
    #expect(try directory.find(.named("ENC_A")).offset == 0)
  }

  @Test("a name that two lines have, on two chips or on one, is neither's; by chip and number each can be had")
  func twice() throws {
    for other in [
      MadeUpLines.dash(as: "gpiochip0"),
      LineDirectory.Chip(
        path: FilePath("/dev/gpiochip0"), name: "gpiochip0", lines: [.init(name: "X"), .init(name: "X")]),
    ] {
      let directory = LineDirectory(chips: [other, MadeUpLines.dash(as: "gpiochip1")])
      let name = other.lines[0].name
      let fault = try faultOf { try directory.find(.named(name)) }
      #expect(fault.code == "H-216" && fault.message.contains("gpiochip0:0"), "\(fault)")
      #expect(try directory.find(.at(chip: "gpiochip1", offset: 0)).chip == FilePath("/dev/gpiochip1"))
    }
  }

  @Test("a chip that has two names is one chip, found by both")
  func aliases() throws {
    let folder = TempFolder()
    try AtomicFile.replace(folder.path / "gpiochip0", with: [])
    for (name, target) in [("gpiochip4", "gpiochip0"), ("gpiochip5", "\(folder.path)/gpiochip0")] {
      let made = (folder.path / name).withCString { link in symlink(target, link) }
      #expect(made == 0)
    }
    let directory = KernelLines(folder: folder.path).directory()
    #expect(directory.chips.map(\.name) == ["gpiochip0"])
    #expect(directory.chips.first?.aliases == ["gpiochip4", "gpiochip5"])

    var chip = MadeUpLines.dash
    chip.aliases = ["gpiochip4"]
    let place = try LineDirectory(chips: [chip]).find(.at(chip: "gpiochip4", offset: 3))
    #expect(place == LineDirectory.Location(chip: chip.path, offset: 3))
  }
}
