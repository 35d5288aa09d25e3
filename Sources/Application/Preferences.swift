import Runtime

/// Stores choices, and knows the settings that result from them.
@MainLoop
package protocol ChoiceStore: AnyObject {
  /// The settings in effect, choices included.
  var settings: Settings { get }
  /// The settings of the owner's file alone.
  var owned: Settings { get }
  /// Settings that were chosen and take effect at the next start.
  var waiting: Set<SettingName> { get }
  /// Stores a choice durably, then applies it.
  func choose(_ name: SettingName, _ text: String) async throws(Fault)
  /// Applies a sound setting without storing it: until the next start, or until a kiosk's visitor has left.
  func tryOut(_ name: SettingName, _ text: String)
}

/// How much goes when a device is to be as it was on its first day.
package enum EraseExtent: String, CaseIterable, Sendable {
  /// Settings, playlists, places, networks, accounts and licences; the music that lies on it stays.
  case keepingMusic = "keep-music"
  case all
}

/// Makes the device as it was on its first day. The system does it, before the program starts again.
@MainLoop
package protocol DeviceErasing: AnyObject {
  /// False where the system does not know how.
  var canErase: Bool { get }
  /// Returns when it is certain that it will be done, also after a power cut.
  func erase(_ extent: EraseExtent) async throws(Fault)
}

/// The settings, and what the owner chooses on the panel. The owner's file is never changed.
@MainLoop
package final class Preferences {
  private let store: any ChoiceStore
  private let program: any ProgramStopping
  private let device: any DeviceErasing

  package init(_ store: any ChoiceStore, _ program: any ProgramStopping, _ device: any DeviceErasing) {
    (self.store, self.program, self.device) = (store, program, device)
  }

  /// The settings in effect, choices included.
  package var settings: Settings { store.settings }
  /// The settings of the owner's file alone.
  package var ownersFile: Settings { store.owned }
  /// Settings that were chosen and take effect at the next start.
  package var waiting: Set<SettingName> { store.waiting }

  /// Chooses a value. The owner's choice is stored; a kiosk visitor's lasts until the visitor has left.
  package func choose(_ name: SettingName, _ text: String, by rights: AccessRights) async throws(Fault) {
    guard rights.isOwnerOrProgram else { return store.tryOut(name, text) }
    try await store.choose(name, text)
  }

  /// Restarts the program, so that waiting settings take effect. The music goes on where it was.
  package func restart() { program.wantStop(because: "what was chosen on the panel counts from the next start") }

  // MARK: As on the first day

  package var canErase: Bool { device.canErase }

  /// The board restarts afterwards.
  package func erase(_ extent: EraseExtent) async throws(Fault) { try await device.erase(extent) }
}
