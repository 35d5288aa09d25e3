import Application
import Offline
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Fetched music, made of real parts")
struct OfflineAssemblyTests {
  /// Nobody listens at this port.
  private static let owner = "[source home]\nurl = http://127.0.0.1:9/music/\n"

  @MainLoop
  private struct Made {
    let network: NetworkAssembly
    let conditions: ConditionsFeed
    let offline: OfflineAssembly

    init(_ world: AssemblyWorld) {
      network = NetworkAssembly(world.context, world.storage, nil)
      let lights = LightAssembly(world.context, nil)
      let power = PowerAssembly(world.context, world.sound.transport, lights, world.library, nil)
      conditions = ConditionsFeed(world.context, network, power)
      offline = OfflineAssembly(world.context, world.storage, world.library, network, power)
    }
  }

  private static func word(_ standing: Keeping.Availability) -> String {
    switch standing {
    case .withoutSources: "without sources"
    case .opening: "opening"
    case .open: "open"
    case .broken(let fault): fault.code
    }
  }

  @Test("with a source it begins when the library is open, and then the use case answers")
  func begins() async throws {
    let folder = TempFolder()
    let seen = try await AssemblyWorld.live(in: folder.path, owner: Self.owner) { world throws(Fault) in
      let made = Made(world)
      var seen = [Self.word(world.keeping.availability)]
      await world.openLibrary()
      await made.offline.open()
      seen.append(Self.word(world.keeping.availability))
      let health = try await world.keeping.health()
      seen += world.keeping.sources.map(\.id) + ["\(health.kept)"]
      seen += world.context.supervisor.health.map(\.name)
      return seen
    }
    #expect(seen == ["opening", "open", "home", "0", "import", "copy", "offline"])
    #expect(try Folder.names(in: folder.path / "state").map(\.description).contains("media"))
  }

  @Test("without a source nothing is made, and without a disk it says why")
  func doesNotBegin() async throws {
    let folder = TempFolder()
    let without = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      let made = Made(world)
      await world.openLibrary()
      await made.offline.open()
      return [Self.word(world.keeping.availability)] + world.context.supervisor.health.map(\.name)
    }
    #expect(without == ["without sources", "import", "copy"])
    #expect(try !Folder.names(in: folder.path / "state").map(\.description).contains("media"))
    let other = TempFolder()
    try AtomicFile.replace(other.path / "state", with: [1])
    let broken = try await AssemblyWorld.live(in: other.path, owner: Self.owner) { world throws(Fault) in
      let made = Made(world)
      await made.offline.open()
      return Self.word(world.keeping.availability)
    }
    #expect(broken == "X-195")
  }

  @Test("what transfers depend on is gathered: the disk, the heat and the time, when they are looked at")
  func conditions() async throws {
    let folder = TempFolder()
    let seen = try await AssemblyWorld.live(in: folder.path, owner: Self.owner) { world throws(Fault) in
      let conditions = Made(world).conditions
      conditions.begin()
      var seen = [conditions.now.minute == nil, conditions.now.bitsASecond == nil]
      conditions.take(free: 5, heat: 40, date: TransferConditions.firstCredible + 60)
      let now = conditions.now
      seen += [now.free == 5, now.heat == 40, now.minute != nil, !now.holdsWrites]
      return seen
    }
    #expect(seen == Array(repeating: true, count: 6))
  }

  @Test("connections are made when they are first needed, and are the same for all")
  func transfers() async throws {
    let folder = TempFolder()
    let isSame = try await AssemblyWorld.live(in: folder.path, owner: Self.owner) { world throws(Fault) in
      let network = Made(world).network
      let first = try await network.transfers()
      return try await network.transfers() === first
    }
    #expect(isSame)
  }
}
