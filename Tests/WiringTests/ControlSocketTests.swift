import Application
import Glibc
import Panel
import Playback
import Runtime
import TestSupport
import Testing

@testable import Remote
@testable import layby

@Suite("The control socket, made of real parts")
struct ControlSocketTests {
  @Test("a follower that reads nothing for a minute is told so and cut off, and one that reads hears all that happens")
  func deaf() async throws {
    let folder = TempFolder()
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      let application = world.library.application
      let performer = GesturePerformer(
        nil, application, world.context.questions, kiosk: nil, speech: nil, world.context.supervisor)
      let service = PlayerService(application, panel: performer, questions: world.context.questions)
      let path = folder.path / "run" / "control"
      await world.context.supervisor.keep(ControlSocket(at: path, for: service), when: .restart)
      let (deaf, reader) = (try Follower(of: path), try Follower(of: path))
      /// Whether the reader is told of this volume.
      @MainLoop func hears(_ volume: Int) async throws(Fault) -> Bool {
        for _ in 0..<1_000 {
          await MainLoop.loop.advance(by: .zero)
          if try reader.lines().contains(where: { $0["volume"]?.whole == Int64(volume) }) { return true }
        }
        return false
      }
      // At first both have yet to be let in.
      var isIn = false
      for percent in 21...90 where !isIn {
        try await application.playing.perform(.setVolume(percent))
        isIn = try await hears(percent)
      }
      var heard: [Bool] = []
      for percent in [11, 12, 13, 14] {
        try await application.playing.perform(.setVolume(percent))
        heard.append(try await hears(percent))
        // Whoever watches begins in a job of its own.
        await MainLoop.loop.advance(by: .zero)
        await MainLoop.loop.advance(by: .seconds(61))
      }
      let last = try deaf.lines().last
      return (heard: heard, code: last?["error"]?["code"]?.string, ended: [deaf.hasEnded, reader.hasEnded])
    }
    #expect(seen.heard == [true, true, true, true], "\(seen)")
    #expect(seen.code == "X-116" && seen.ended == [true, false], "\(seen)")
  }
}

/// Asks for events, and reads them only when it is told to; it never waits.
private final class Follower {
  private let socket: Descriptor
  private var reader = LineReader(limit: 1 << 24)
  /// The other end has closed.
  private(set) var hasEnded = false

  init(of path: FilePath) throws(Fault) {
    socket = Descriptor.streamSocket()
    var address = sockaddr_un(path: path)
    let refused = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard refused == 0 else { throw Fault.system("T-74", doing: "reach \(path)") }
    let line = Request(verb: "events").line
    guard line.withUnsafeBytes({ send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == line.count
    else { throw Fault.system("T-74", doing: "ask for events") }
  }

  /// All that has come.
  func lines() throws(Fault) -> [JSON] {
    var block = [UInt8](repeating: 0, count: 65_536)
    while !hasEnded, case let count = recv(socket.number, &block, block.count, Int32(MSG_DONTWAIT)), count >= 0 {
      if count == 0 { hasEnded = true } else { try reader.add(block[..<count]) }
    }
    var lines: [JSON] = []
    while let line = reader.next() {
      lines.append(try JSON(parsing: line, limits: JSON.Limits(depth: 32, size: 1 << 24)))
    }
    return lines
  }
}
