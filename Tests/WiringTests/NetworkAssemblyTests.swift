import Glibc
import Panel
import Runtime
import TestSupport
import Testing

@testable import Hardware
@testable import layby

@Suite("The network, made of real parts", .timeLimit(.minutes(1)))
struct NetworkAssemblyTests {
  @Test("the panel hears that nothing can be reached, and it matters only where music is fetched")
  func unreachable() async throws {
    for (owner, isOffline) in [("[source home]\nurl = http://127.0.0.1:9/music/\n", true), ("", false)] {
      let folder = TempFolder()
      let surroundings = Self.cableWithoutNetwork(folder.path / "net")
      let seen = try await AssemblyWorld.live(in: folder.path, owner: owner) { world throws(Fault) in
        let panel = PanelAssembly(
          world.context, world.library.application.playing, world.keeping, world.streaming)
        guard let screen = panel.part else { throw Fault(.missing, "T-72", "there is no panel") }
        let network = NetworkAssembly(world.context, world.storage, panel)
        if !owner.isEmpty { world.keeping.availability = .opening }
        let before = (screen.isReached, screen.isOffline)
        let states = Mailbox<NetworkState>()
        await network.keep(in: surroundings)
        network.part?.follow(states)
        let state = await states.receive()
        return (
          before: before, links: state?.links.map(\.name), after: (screen.isReached, screen.isOffline),
          parts: world.context.supervisor.health.map(\.name)
        )
      }
      #expect(seen.before == (true, false) && seen.links == ["eth0"])
      #expect(seen.after == (false, isOffline), "\(owner)")
      #expect(seen.parts == ["network"])
    }
  }

  /// A kernel with a network card, into which no cable is put.
  private static func cableWithoutNetwork(_ devices: FilePath) -> NetworkSurroundings {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    // ifinfomsg: family and padding, Ethernet, the second link, no flags, no changes.
    var body = bytes(UInt16(0)) + bytes(UInt16(1)) + bytes(UInt32(2)) + bytes(UInt32(0)) + bytes(UInt32(0))
    // Its name, and that it is down.
    body += bytes(UInt16(9)) + bytes(UInt16(3)) + Array("eth0\0".utf8) + [0, 0, 0]
    body += bytes(UInt16(5)) + bytes(UInt16(16)) + [2, 0, 0, 0]
    let link = NetlinkMessage(type: 16, flags: 0, sequence: 1, body: body[...])
    // A real card has a device behind it.
    for folder in [devices, devices / "eth0", devices / "eth0/device"] { folder.withCString { _ = mkdir($0, 0o700) } }
    var surroundings = NetworkSurroundings()
    surroundings.devices = devices
    surroundings.ask = { _, request in request == .links ? [link] : [] }
    return surroundings
  }
}
