import Glibc
import Runtime
import TestSupport
import Testing

@testable import Remote

@Suite("Control socket")
struct ControlSocketTests {
  private let folder = TempFolder()
  private var path: FilePath { folder.path / "run" / "control" }

  /// A socket that listens while `body` runs.
  private func listening(
    _ service: any ControlService, _ body: @Sendable (FilePath) async throws -> Void
  ) async throws {
    let path = path
    try await TestMainLoop.alone {
      let socket = ControlSocket(at: path, for: service)
      let life = await onMainLoop { () -> Task<Void, Never> in
        do throws(Fault) { try await socket.prepare() } catch { Issue.record("\(error)") }
        return MainLoop.start { try? await socket.run() }
      }
      defer { life.cancel() }
      try await body(path)
      life.cancel()
      await until("the end") { path.withCString { access($0, F_OK) } != 0 }
    }
  }

  private func mode(_ path: FilePath) -> UInt32 {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("it is open to its own user and group only")
  func modes() async throws {
    try await listening(EchoService()) { path in
      #expect(mode(path) == 0o660)
      #expect(mode(path.folder) & ~0o750 == 0 && mode(path.folder) & 0o700 == 0o700)
    }
  }

  @Test("several clients are answered, each its own")
  func several() async throws {
    try await listening(EchoService()) { path in
      let clients = try (0..<8).map { _ in try RawClient(path) }
      for (number, client) in clients.enumerated() { client.say(#"{"verb":"v\#(number)"}"# + "\n") }
      for (number, client) in clients.enumerated().reversed() {
        #expect(try client.hear()?["verb"]?.string == "v\(number)")
      }
    }
  }

  @Test("who sends rubbish gets an error and keeps the connection")
  func rubbish() async throws {
    try await listening(EchoService()) { path in
      let client = try RawClient(path)
      for line in ["", "play", "{", #"{"verb":3}"#, "\u{0}\u{1}\u{7f}"] {
        let answer = try #require(try client.ask(line))
        #expect(answer["ok"]?.truth == false && answer["error"]?["code"]?.string != nil, "\(line)")
      }
      client.say([0xFF, 0xFE, 0x0A])
      #expect(try client.hear()?["ok"]?.truth == false)
      #expect(try client.ask(#"{"verb":"a"}"#)?["ok"]?.truth == true)
    }
  }

  @Test("bytes in pieces and lines in one piece are the same requests")
  func pieces() async throws {
    try await listening(EchoService()) { path in
      let client = try RawClient(path)
      for byte in #"{"verb":"slow"}"#.utf8 { client.say([byte]) }
      client.say("\n" + #"{"verb":"b"}"# + "\n" + #"{"verb":"c"}"# + "\n")
      for verb in ["slow", "b", "c"] { #expect(try client.hear()?["verb"]?.string == verb) }
    }
  }

  @Test("a line too long is told, and ends the connection and nothing else")
  func tooLong() async throws {
    try await listening(EchoService()) { path in
      let client = try RawClient(path)
      client.say([UInt8](repeating: 0x20, count: Request.limit + 1))
      let answer = try client.hear()
      #expect(answer?["error"]?["code"]?.string == "X-104")
      #expect(try RawClient(path).ask(#"{"verb":"a"}"#)?["ok"]?.truth == true)
    }
  }

  @Test("a client that never reads its events loses them, and keeps nobody waiting")
  func deaf() async throws {
    let service = EchoService()
    try await listening(service) { path in
      var deaf: RawClient? = try RawClient(path)
      deaf?.say(#"{"verb":"events"}"# + "\n")
      await until("a listener") { service.boxes.count == 1 }
      let event = JSON(String(repeating: "x", count: 10_000))
      await onMainLoop { for _ in 0..<1_000 { service.boxes[0].send(event) } }
      let other = try RawClient(path)
      #expect(try other.ask(#"{"verb":"a"}"#)?["ok"]?.truth == true)
      await onMainLoop { for _ in 0..<1_000 { service.boxes[0].send(event) } }
      #expect(await onMainLoop { service.boxes[0].dropped } > 0)
      // And when it goes that is noticed, though it still had to be told much.
      deaf = nil
      await until("its box to close") { service.boxes[0].isClosed }
    }
  }

  @Test("events come in order, one line each")
  func events() async throws {
    let service = EchoService()
    try await listening(service) { path in
      let client = try RawClient(path)
      client.say(#"{"verb":"events"}"# + "\n")
      await until("a listener") { service.boxes.count == 1 }
      await onMainLoop { for number in 0..<100 { service.boxes[0].send(["n": JSON(number)]) } }
      for number in 0..<100 { #expect(try client.hear()?["n"]?.whole == Int64(number)) }
    }
  }

  @Test("who says nothing for a minute is let go, who listens to events is not")
  func patience() async throws {
    let service = EchoService()
    try await listening(service) { path in
      let silent = try RawClient(path)
      #expect(try silent.ask(#"{"verb":"a"}"#) != nil)
      let listener = try RawClient(path)
      listener.say(#"{"verb":"events"}"# + "\n")
      await until("a listener") { service.boxes.count == 1 }
      await MainLoop.loop.advance(by: .seconds(59))
      #expect(try silent.ask(#"{"verb":"b"}"#) != nil)
      // Its wait for the next line begins in the job that answered this one.
      await MainLoop.loop.advance(by: .zero)
      await MainLoop.loop.advance(by: .seconds(61))
      #expect(try silent.hear() == nil)
      await onMainLoop { service.boxes[0].send(7) }
      #expect(try listener.hear() == 7)
    }
  }

  @Test("one connection too many takes the place of the one that was used least lately, which is told")
  func limit() async throws {
    try await listening(EchoService()) { path in
      var clients: [RawClient] = []
      for _ in 0..<32 {
        let client = try RawClient(path)
        #expect(try client.ask(#"{"verb":"a"}"#) != nil)
        clients.append(client)
        await MainLoop.loop.advance(by: .milliseconds(1))
      }
      // The first one is used again, so the second has to go.
      #expect(try clients[0].ask(#"{"verb":"a"}"#) != nil)
      #expect(try RawClient(path).ask(#"{"verb":"a"}"#) != nil)
      #expect(try clients[1].hear()?["error"]?["code"] == "X-115")
      #expect(try clients[1].hear() == nil)
      for client in [clients[0], clients[2], clients[31]] { #expect(try client.ask(#"{"verb":"a"}"#) != nil) }
    }
  }

  @Test("a follower that reads nothing for a minute is cut off, one that reads is not")
  func unread() async throws {
    let service = EchoService()
    try await listening(service) { path in
      let (deaf, reader) = (try RawClient(path), try RawClient(path))
      for client in [deaf, reader] { client.say(#"{"verb":"events"}"# + "\n") }
      await until("two listeners") { service.boxes.count == 2 }
      for round in 0..<3 {
        await onMainLoop { for box in service.boxes { box.send(["n": JSON(round)]) } }
        #expect(try reader.hear()?["n"]?.whole == Int64(round))
        // Whoever watches begins in a job of its own.
        await MainLoop.loop.advance(by: .zero)
        await MainLoop.loop.advance(by: .seconds(61))
      }
      await until("one box to close") { service.boxes.filter(\.isClosed).count == 1 }
      await onMainLoop { for box in service.boxes { box.send(["n": 9]) } }
      #expect(try reader.hear()?["n"] == 9)
    }
  }

  @Test("long lines that do not end are bounded all together: the one that came on least lately is cut off")
  func unfinished() async throws {
    try await listening(EchoService()) { path in
      let line = [UInt8](repeating: 0x20, count: Request.limit - 1_000)
      let first = try (0..<2).map { _ in try RawClient(path) }
      for client in first {
        client.say(line)
        _ = try RawClient(path).ask(#"{"verb":"a"}"#)
        await MainLoop.loop.advance(by: .milliseconds(1))
      }
      let last = try RawClient(path)
      last.say(line)
      last.say(#"{"verb":"b"}"# + "\n")
      #expect(try last.hear()?["verb"] == "b")
      #expect(try first[0].hear()?["error"]?["code"] == "X-117")
      first[1].say(#"{"verb":"c"}"# + "\n")
      #expect(try first[1].hear()?["verb"] == "c")
    }
  }

  @Test("a name too long for a socket is told")
  func longName() async throws {
    let path = folder.path / String(repeating: "n", count: 120)
    let code = await TestMainLoop.alone {
      await onMainLoop { () -> String? in
        do throws(Fault) { try await ControlSocket(at: path, for: EchoService()).prepare() } catch { return error.code }
        return nil
      }
    }
    #expect(code == "X-110")
  }

  @Test("what a crash left in its place is no hindrance, nor is a second prepare")
  func leftOver() async throws {
    try Folder.make(path.folder)
    leaveSocket(at: path)
    let path = path
    try await TestMainLoop.alone {
      let socket = ControlSocket(at: path, for: EchoService())
      let life = await onMainLoop { () -> Task<Void, Never> in
        for _ in 0..<2 { do throws(Fault) { try await socket.prepare() } catch { Issue.record("\(error)") } }
        return MainLoop.start { try? await socket.run() }
      }
      defer { life.cancel() }
      let answer = try RawClient(path).ask(#"{"verb":"a"}"#)
      #expect(answer != nil)
      life.cancel()
      await until("the end") { path.withCString { access($0, F_OK) } != 0 }
    }
  }

  @Test("what is no socket is not removed, and is told the same way each time")
  func foreignFile() async throws {
    try Folder.make(path.folder)
    try AtomicFile.replace(path, with: [1, 2, 3])
    let path = path
    let codes = await TestMainLoop.alone {
      await onMainLoop { () -> [String] in
        let socket = ControlSocket(at: path, for: EchoService())
        var codes: [String] = []
        for _ in 0..<2 { do throws(Fault) { try await socket.prepare() } catch { codes.append(error.code) } }
        _ = path.withCString { unlink($0) }
        do throws(Fault) { try await socket.prepare() } catch { codes.append(error.code) }
        return codes
      }
    }
    #expect(codes == ["X-114", "X-114"])
  }

  /// As a crash leaves it: the name is there, and nobody behind it.
  private func leaveSocket(at path: FilePath) {
    let socket = Descriptor.streamSocket()
    var address = sockaddr_un(path: path)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
  }
}
