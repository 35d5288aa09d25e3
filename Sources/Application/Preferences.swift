import Runtime

/// Where choices are kept, and which settings count because of them.
@MainLoop
package protocol ChoiceStore: AnyObject {
  /// As they count now, with the choices.
  var settings: Settings { get }
  /// As the owner's file has them.
  var owned: Settings { get }
  /// Chosen, and not in use before the next start.
  var waiting: Set<SettingName> { get }
  /// The choice is on the disk before it counts.
  func choose(_ name: SettingName, _ text: String) async throws(Fault)
  /// Counts until the next start, or until a kiosk's visitor has gone. Nothing is kept. Only the sound can be tried.
  func tryOut(_ name: SettingName, _ text: String)
}

/// The settings, and what the owner chooses in their place. The owner's file stays as it is.
@MainLoop
package final class Preferences {
  private let store: any ChoiceStore
  private let program: any ProgramStopping

  package init(_ store: any ChoiceStore, _ program: any ProgramStopping) {
    (self.store, self.program) = (store, program)
  }

  /// As they count now, with what was chosen.
  package var settings: Settings { store.settings }
  /// As the owner's file has them.
  package var ownersFile: Settings { store.owned }
  /// Chosen, and not in use before the next start.
  package var waiting: Set<SettingName> { store.waiting }

  /// What the owner chooses lasts. What a visitor of a kiosk chooses is gone when the visitor is.
  package func choose(_ name: SettingName, _ text: String, by rights: AccessRights) async throws(Fault) {
    guard rights.areAll else { return store.tryOut(name, text) }
    try await store.choose(name, text)
  }

  /// The program starts again, so that what waits is in use. The music goes on where it is.
  package func restart() { program.wantStop(because: "what was chosen on the panel counts from the next start") }
}
