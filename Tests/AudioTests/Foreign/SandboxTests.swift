import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("The foreign decoder's process", .enabled(if: Foreign.canRun, Foreign.why))
struct SandboxTests {
  let folder = TempFolder()

  private func program() throws -> String { "\(try #require(ForeignProgram.path))" }

  @Test("dies of what it may not do", arguments: ["open", "socket", "exec", "fork", "kill", "execmem"])
  func shutIn(what: String) throws {
    let process = try ChildProcess([try program(), "--try", what], in: SpawnOptions())
    #expect(process.reap().code == 128 + SIGSYS)
  }

  @Test("is seen not to die when it does nothing of that")
  func control() throws {
    #expect(try ChildProcess([program(), "--try", "nothing"], in: SpawnOptions()).reap().code == 1)
  }

  @Test("is gone with its decoder, and with who holds the other end")
  func gone() throws {
    let path = folder.path / "a.m4a"
    try Signal(frames: 5_000).write(path, ["-c:a", "alac"])
    var pid: pid_t = 0
    do {
      let source = try FileSource(path)
      let program = try ForeignProgram([try program()], reading: source)
      pid = program.pid
      guard case .decoder(let decoder) = try ForeignDecoder.open(source, by: program) else {
        throw Tool.Failed(description: "refused")
      }
      #expect(try decoder.readSome(10).count == 20)
      #expect(kill(pid, 0) == 0)
    }
    #expect(kill(pid, 0) == -1)
  }

  @Test("when it is killed, ends its own track")
  func killed() throws {
    let path = folder.path / "a.m4a"
    try Signal(frames: 50_000).write(path, ["-c:a", "alac"])
    let source = try FileSource(path)
    let program = try ForeignProgram([try program()], reading: source)
    guard case .decoder(let decoder) = try ForeignDecoder.open(source, by: program) else {
      throw Tool.Failed(description: "refused")
    }
    #expect(try decoder.readSome(10).count == 20)
    kill(program.pid, SIGKILL)
    let fault = try faultOf { try decoder.readAll() }
    #expect(fault.kind == .damaged && fault.message.contains("137"), "\(fault)")
    #expect(try openDecoder(path).readAll().count == 100_000)
  }

  @Test("is asked for nothing that our own decoders take")
  func notOurs() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 5_000).writeFLAC(path)
    #expect(!(try openDecoder(path) is ForeignDecoder))
  }

  @Test("refuses what is no music, and what a list names", arguments: ["text", "noise", "list", "picture"])
  func noMusic(kind: String) throws {
    var dice = SeededGenerator(seed: 3)
    let bytes: [UInt8]
    switch kind {
    case "text": bytes = Array("This is no music but a letter to the editor.\n".utf8)
    case "noise": bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &dice) }
    case "list": bytes = Array("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n".utf8)
    default: bytes = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [UInt8](repeating: 0, count: 500)
    }
    let path = folder.path / "a.m4a"
    try Bytes.write(bytes, to: path)
    let fault = try faultOf { try openDecoder(path) }
    #expect(fault.kind == .malformed && fault.code == "A-111", "\(fault)")
  }

  @Test("survives broken files, or dies alone", arguments: ["m4a", "wv", "wma", "mka"])
  func broken(ending: String) throws {
    let path = folder.path / "a.\(ending)"
    let codec = ["m4a": "aac", "wv": "wavpack", "wma": "wmav2", "mka": "aac"][ending] ?? "aac"
    try Signal(frames: 100_000).write(path, ["-c:a", codec])
    let good = try Bytes.read(path)
    let seed: UInt64 = 21
    var dice = SeededGenerator(seed: seed)
    var played = 0
    for round in 0..<24 {
      var bytes = good
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 1..<good.count, using: &dice)) }
      for _ in 0..<Int.random(in: 0...20, using: &dice) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      try Bytes.write(bytes.isEmpty ? [0] : bytes, to: path)
      do throws(Fault) {
        let heard = try openDecoder(path).readAll()
        #expect(heard.count % 2 == 0 && heard.count <= 2 * 4_000_000, "seed \(seed)")
        played += heard.isEmpty ? 0 : 1
      } catch {
        #expect([.malformed, .damaged, .unsupported].contains(error.kind), "\(error), seed \(seed)")
      }
    }
    #expect(played > 3)
  }

  @Test("that is cut off in the middle plays up to there, and its length says that more was meant")
  func cutOff() throws {
    let path = folder.path / "a.mp4"
    try Signal(frames: 300_000).write(path, ["-c:a", "aac", "-movflags", "+faststart"])
    let bytes = try Bytes.read(path)
    try Bytes.write(Array(bytes.prefix(bytes.count * 2 / 3)), to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.lengthIsStated && decoder.length == 300_000)
    let heard = try decoder.readAll()
    #expect((100_000..<500_000).contains(heard.count))
  }
}
