import Application
import Panel
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Colours by the light, made of real parts")
struct LightAssemblyTests {
  private static let colours = Setting<PanelColours>.colours.name

  @Test("the owner's choice comes before the car's headlights, and these before the time of day")
  func headlights() async throws {
    let folder = TempFolder()
    // Around the clock it is bright outside, so that the test does not depend on when it runs.
    let owner = "[panel]\ncolours = day\ndaylight = 0:00-23:59\n"
    let seen = try await AssemblyWorld.live(in: folder.path, owner: owner) { world throws(Fault) in
      let panel = PanelAssembly(
        world.context, world.library.application.playing, world.keeping, world.streaming)
      guard let part = panel.part else { throw Fault(.missing, "T-71", "there is no panel") }
      let lights = LightAssembly(world.context, part)
      await lights.keep()
      var seen = [part.look.theme.name]
      lights.hear(headlights: true)
      seen.append(part.look.theme.name)
      let preferences = world.library.application.preferences
      try await preferences.choose(Self.colours, "auto", by: .all)
      seen.append(part.look.theme.name)
      lights.hear(headlights: false)
      seen.append(part.look.theme.name)
      try await preferences.choose(Self.colours, "night", by: .all)
      seen.append(part.look.theme.name)
      return seen
    }
    #expect(seen == ["day", "day", "night", "day", "night"])
  }
}
