import Glibc
import Runtime
import TestSupport
import Testing
import VirtualBoard

/// Says what it was told to, whoever connects and whatever they say, and then nothing more.
private final class TalkingPeer {
  let folder = TempFolder()
  var path: FilePath { folder.path / "socket" }

  init(saying bytes: [UInt8], thenGoing goes: Bool = false) throws {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(socket, 1) == 0 else { throw Fault.system("T-90", doing: "listen at \(path)") }
    try NamedThread.start("peer") {
      let connection = accept(socket, nil, nil)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      // Until the other end goes.
      var byte: UInt8 = 0
      while !goes, read(connection, &byte, 1) > 0 {}
      close(connection)
      close(socket)
    }
  }
}

@Suite("Talking to the emulator")
struct TalkTests {
  private static let greeting = #"{"QMP":{"version":{}}}"# + "\n" + #"{"return":{},"id":1}"# + "\n"

  @Test("an answer is the one to the question, and events on the way are kept until somebody waits for them")
  func answers() throws {
    let peer = try TalkingPeer(
      saying: Array(
        (Self.greeting + #"{"event":"RESET"}"# + "\n" + #"{"return":{"old":1},"id":1}"# + "\n"
          + #"{"return":{"status":"running"},"id":2}"# + "\n" + #"{"event":"WATCHDOG","data":{"action":"reset"}}"#
          + "\n").utf8))
    let qmp = try QMP(connectingTo: peer.path, within: .seconds(5))
    #expect(try qmp.ask("query-status")["status"]?.string == "running")
    #expect(try qmp.event("WATCHDOG", within: .seconds(5))["data"]?["action"]?.string == "reset")
    #expect(qmp.events.map { $0["event"]?.string } == ["RESET"])
  }

  @Test("a refusal is a fault with its words")
  func refusal() throws {
    let peer = try TalkingPeer(
      saying: Array((Self.greeting + #"{"error":{"class":"GenericError","desc":"no such thing"},"id":2}"# + "\n").utf8))
    let qmp = try QMP(connectingTo: peer.path, within: .seconds(5))
    let fault = try faultOf { try qmp.ask("device_del") }
    #expect(fault.code == "V-121" && fault.message == "device_del: no such thing")
  }

  @Test("whoever waits for an event that does not come is told what came instead")
  func missing() throws {
    let peer = try TalkingPeer(saying: Array((Self.greeting + #"{"event":"RESET"}"# + "\n").utf8))
    let qmp = try QMP(connectingTo: peer.path, within: .seconds(5))
    let fault = try faultOf { try qmp.event("WATCHDOG", within: .milliseconds(50)) }
    #expect(fault.code == "V-122" && fault.message.contains("seen: RESET"))
  }

  @Test("a command's answer is its code and exactly its bytes")
  func agent() throws {
    let peer = try TalkingPeer(saying: Array("noise\nREADY 3.5\n0 6\nab\ncd\n1 0\n255 1\nxjunk\n".utf8))
    let agent = try Agent(connectingTo: peer.path, within: .seconds(5))
    try agent.waitUntilReady(until: .now + .seconds(5))
    let first = try agent.run("first", within: .seconds(5))
    #expect(first.code == 0 && first.text == "ab\ncd\n" && first.line == "ab\ncd")
    #expect(try agent.run("second", within: .seconds(5)).code == 1)
    #expect(try agent.run("third", within: .seconds(5)).bytes == [UInt8(ascii: "x")])
    #expect(try faultOf { try agent.run("fourth", within: .seconds(5)) }.code == "V-130")
  }

  @Test("a guest that falls silent or goes away is a fault that names the command")
  func silent() throws {
    for goes in [false, true] {
      let peer = try TalkingPeer(saying: Array("0 6\nab".utf8), thenGoing: goes)
      let agent = try Agent(connectingTo: peer.path, within: .seconds(5))
      let fault = try faultOf { try agent.run("dmesg", within: .milliseconds(100)) }
      #expect(["V-111", "V-112", "V-114", "V-115"].contains(fault.code) && fault.message.hasPrefix("dmesg"))
    }
  }

  @Test("an answer's head is bounded", arguments: ["", "0", "0 -1", "256 0", "0 99999999999", "a b", "0 1 2"])
  func heads(_ line: String) throws {
    #expect(try faultOf { try Agent.header(Array(line.utf8)) }.code == "V-130")
  }

  @Test("a command travels as the alphabet of RFC 4648")
  func base64() {
    #expect(
      ["", "f", "fo", "foo", "foob"].map { Base64.encode(Array($0.utf8)) } == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="])
  }
}

@Suite("A spawned process")
struct SpawnedTests {
  @Test("gives its exit code, and its last words when it complains")
  func codes() throws {
    let folder = TempFolder()
    let output = folder.path / "out"
    #expect(try Spawned(["sh", "-c", "exit 3"], output: output).exitCode(within: .seconds(20)) == 3)
    let fault = try faultOf { try Spawned.run(["sh", "-c", "echo so not; exit 1"], output: output) }
    #expect(fault.code == "V-104" && fault.message.contains("so not"))
  }

  @Test("is gone with its owner, and so is what it started")
  func gone() throws {
    let folder = TempFolder()
    let output = folder.path / "out"
    var pid: pid_t = 0
    do {
      let process = try Spawned(["sh", "-c", "sleep 600 & wait"], output: output)
      pid = process.pid
      #expect(!process.hasEnded)
      #expect(try faultOf { try process.exitCode(within: .milliseconds(20)) }.code == "V-103")
    }
    // The child of the child is init's to wait for; it has the signal already.
    #expect(Waiting.poll(until: .now + .seconds(20)) { kill(-pid, 0) != 0 })
  }
}
