import Application
import Runtime
import TestSupport
import Testing

@Suite("Preferences")
struct PreferencesTests {
  @MainLoop
  private final class Store: ChoiceStore, ProgramStopping, DeviceErasing {
    let settings = Settings()
    let owned = Settings()
    let waiting: Set<SettingName> = []
    var seen: [String] = []

    func choose(_ name: SettingName, _ text: String) async throws(Fault) {
      if text == "x" { throw Fault(.malformed, "T-1", "no") }
      seen.append("chosen \(name) = \(text)")
    }

    func tryOut(_ name: SettingName, _ text: String) { seen.append("tried \(name) = \(text)") }
    var canErase: Bool { true }
    func erase(_ extent: EraseExtent) async throws(Fault) { seen.append("erased \(extent.rawValue)") }
    func wantStop(because reason: String) { seen.append("stop") }
  }

  @Test("what the owner chooses lasts, what a visitor chooses is only tried, and to start again ends the program")
  func choosing() async {
    let seen = await onMainLoop { () -> [String] in
      let store = Store()
      let preferences = Preferences(store, store, store)
      let name = Setting<String>.equaliser.name
      for rights in [AccessRights.all, AccessRights(only: [.sound], opensByPIN: true)] {
        do throws(Fault) { try await preferences.choose(name, "rock", by: rights) } catch {
          store.seen.append(error.code)
        }
      }
      do throws(Fault) { try await preferences.choose(name, "x", by: .all) } catch { store.seen.append(error.code) }
      preferences.restart()
      do throws(Fault) { try await preferences.erase(.keepingMusic) } catch { store.seen.append(error.code) }
      return store.seen
    }
    let name = Setting<String>.equaliser.name
    #expect(seen == ["chosen \(name) = rock", "tried \(name) = rock", "T-1", "stop", "erased keep-music"])
  }
}
