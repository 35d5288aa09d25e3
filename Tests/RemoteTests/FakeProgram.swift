import Application
import Hardware
import Runtime

/// A program around the verbs: nothing runs, nothing can be chosen, and no board is there.
@MainLoop
final class FakeProgram: HealthSource, ChoiceStore, InputParts, ProgramStopping, DeviceErasing {
  static let facts = Health.Program(
    version: "1", folder: FilePath("/"), unusable: Fault(.missing, "T-2", "no disk"))

  var boardName = "Kitchen"
  var flags = Flags()
  var parts = [Health.Part("panel", .running, restarts: 1), Health.Part("network", .degraded, restarts: 5)]
  var display: DeviceAnswer?
  var network: NetworkPart?
  var power: PowerPart?
  var switchOff: SwitchOffPart?
  var alarms: BoardAlarms?
  var lights: LightsPart?
  var inputDevices: EventDevices?
  var lines: LinesPart?
  let settings = Settings()
  let owned = Settings()
  let waiting: Set<SettingName> = []

  func choose(_ name: SettingName, _ text: String) async throws(Fault) {}
  func tryOut(_ name: SettingName, _ text: String) {}
  func wantStop(because reason: String) {}

  let canErase = false
  func erase(_ extent: EraseExtent) async throws(Fault) {
    throw Fault(.unsupported, "T-3", "nothing is erased here: \(extent.rawValue)")
  }
}

@MainLoop
final class FakePanel: PanelPort {
  var turned: [Int] = []

  func turn(by steps: Int) async throws(Fault) { turned.append(steps) }

  func press(_ button: String) async throws(Fault) {
    if button != "play" { throw Fault(.missing, "T-1", "no button \(button)") }
  }

  func picture() throws(Fault) -> PanelPicture { PanelPicture(png: [1, 2, 3], words: "Menu") }
}
