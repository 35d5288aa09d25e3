import Canvas
import DecoderProtocol
import Runtime
import TestSupport
import Testing

@testable import Pictures

/// The messages, without a process: this end in a thread of the test. The process itself is started by `ProgramTests`.
@Suite("Pictures decoded in a process of their own")
struct PictureProcessTests {
  private func packet(_ head: Envelope.Head, _ content: [UInt8] = []) -> Envelope {
    let envelope = Envelope()
    envelope.close(head, content)
    return envelope
  }

  @Test("a question and an answer arrive as they were meant")
  func messages() throws {
    let envelope = Envelope()
    for frame in [PictureFrame.filling(Size(width: 320, height: 7)), .fitting(Size(width: 1, height: 1_024))] {
      var limits = PictureLimits()
      (limits.pixels, limits.memory, limits.work) = (5, 6, 7)
      let request = PictureRequest(frame: frame, limits: limits, byteCount: 99, name: "Über.jpg")
      request.write(to: envelope)
      #expect(PictureRequest(envelope) == request)
    }
    for reply in [
      PictureReply.size(Size(width: 3, height: 1_024)), .fault(Fault(.malformed, "K-141", "the picture is broken")),
      .fault(Fault(.unsupported, "K-142", "the picture is too large")),
    ] {
      reply.write(to: envelope)
      #expect(PictureReply(envelope) == reply)
    }
  }

  @Test("what fits no message is nonsense")
  func nonsense() {
    #expect(PictureRequest(packet(.init(kind: 41), [1, 2, 3])) == nil)
    let tooMuch = withUnsafeBytes(of: [Int64(1), 1, 1, 1 << 40]) { Array($0) }
    #expect(PictureRequest(packet(.init(kind: 41), tooMuch + tooMuch)) == nil)
    for number in [0, 1 << 32, 5, 2_000 << 32 | 5, 5 << 32 | 2_000, -1] as [Int64] {
      #expect(PictureReply(packet(.init(kind: 51, number: number))) == nil, "\(number)")
    }
    let text = Array("K-141broken".utf8)
    #expect(PictureReply(packet(.init(kind: 53, count: 7, number: 5), text)) == nil)
    #expect(PictureReply(packet(.init(kind: 53, number: 4), text)) == nil)
    #expect(PictureReply(packet(.init(kind: 53, number: 5), Array("X-141broken".utf8))) == nil)
    #expect(PictureReply(packet(.init(kind: 53, number: 5), text + [UInt8](repeating: 97, count: 2_000))) == nil)
    #expect(PictureReply(packet(.init(kind: 52))) == nil)
  }

  @Test("a program that is none of ours costs its picture, and says how it ended", arguments: ["true", "cat"])
  func stranger(program: String) throws {
    let process = PictureProcess(["/bin/\(program)"], patience: .seconds(5))
    for _ in 1...2 {
      let fault = try faultOf { try process.decode([1, 2, 3], named: "a", as: .square(8)) }
      #expect(fault.code == "K-167" && fault.kind == .malformed, "\(fault)")
      #expect(process.pid == nil)
    }
  }

  @Test(
    "one that lies, or says nothing, costs its picture and is ended",
    arguments: ["silence", "unknown", "other-size", "more", "half"])
  func lies(lie: String) throws {
    let program = "\(BuildProducts.folder / "NonsenseDecoder")"
    // Silence is ended soon; who answers has time for it.
    let process = PictureProcess(
      [program, "picture-\(lie)"], patience: lie == "silence" ? .milliseconds(200) : .seconds(60))
    let fault = try faultOf { try process.decode([1, 2, 3], named: "a", as: .square(8)) }
    #expect(fault.code == "K-167" && fault.kind == .malformed, "\(fault)")
    #expect(fault.message.contains(lie == "silence" ? "did not answer" : "answered nonsense"), "\(fault)")
    #expect(process.pid == nil)
  }

  @Test("no process is started for a file that is larger than any cover")
  func tooLarge() throws {
    let process = PictureProcess(["/bin/cat"])
    let bytes = [UInt8](repeating: 0, count: PictureRequest.mostBytes + 1)
    let fault = try faultOf { try process.decode(bytes, named: "a", as: .square(8)) }
    #expect(fault.code == "K-168" && fault.kind == .unsupported && process.pid == nil, "\(fault)")
  }
}
