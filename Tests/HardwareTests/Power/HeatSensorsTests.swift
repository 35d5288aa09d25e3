import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("How hot the board is")
struct HeatSensorsTests {
  private func hottest(_ zones: KeyValuePairs<String, KeyValuePairs<String, String>>) throws -> Int? {
    let folder = TempFolder()
    for (zone, files) in zones {
      try Folder.make(folder.path / zone)
      for (name, text) in files { try AtomicFile.replace(folder.path / zone / name, with: Array("\(text)\n".utf8)) }
    }
    return HeatSensors(folder.path).hottest()
  }

  @Test("the hottest zone counts, in whole degrees")
  func several() throws {
    let zones: KeyValuePairs<String, KeyValuePairs<String, String>> = [
      "thermal_zone0": ["temp": "41999", "mode": "enabled"], "thermal_zone1": ["temp": "80500", "mode": "disabled"],
      "thermal_zone10": ["temp": "-3000"],
    ]
    #expect(try hottest(zones) == 80)
    #expect(try hottest(["thermal_zone0": ["temp": "-3500"]]) == -4)
  }

  @Test("a desktop's zones are no board's", arguments: ["x86_pkg_temp", "acpitz", "INT3400 Thermal", "iwlwifi_1"])
  func desktop(type: String) throws {
    let folder = TempFolder()
    for (zone, type, temp) in [("thermal_zone0", type, "95000"), ("thermal_zone1", "soc-thermal", "50000")] {
      try Folder.make(folder.path / zone)
      try AtomicFile.replace(folder.path / zone / "type", with: Array("\(type)\n".utf8))
      try AtomicFile.replace(folder.path / zone / "temp", with: Array("\(temp)\n".utf8))
    }
    #expect(HeatSensors(folder.path).hottest() == 95)
    #expect(HeatSensors(folder.path).hottest(ofBoard: true) == 50)
  }

  @Test(
    "what is no zone, or does not answer, says nothing",
    arguments: [
      ("cooling_device0", "temp", "99000"), ("thermal_zone0", "temp", "no"), ("thermal_zone0", "temp", ""),
      ("thermal_zone0", "temp", "-274000"), ("thermal_zone0", "temp", "999999999999999"),
      ("thermal_zone0", "type", "cpu"),
    ])
  func silent(zone: String, file: String, text: String) throws {
    #expect(try hottest([zone: [file: text]]) == nil)
    #expect(try hottest([zone: [file: text], "thermal_zone7": ["temp": "30000"]]) == 30)
  }

  @Test("without such a folder nobody measures; the real kernel's are read, if there are any")
  func none() {
    #expect(HeatSensors(FilePath("/nowhere")).hottest() == nil)
    if let degrees = HeatSensors().hottest() { #expect((-60...150).contains(degrees)) }
  }
}
