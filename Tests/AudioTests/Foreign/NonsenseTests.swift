import DecoderProtocol
import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("A decoder that lies")
struct NonsenseTests {
  static let program = "\(BuildProducts.folder / "NonsenseDecoder")"

  private func start(
    _ lie: String, patience: Duration = .seconds(30)
  ) throws -> (ForeignProgram, any ByteSource) {
    let source = MadeUpFile([UInt8](repeating: 1, count: 100_000))
    var help = ForeignHelp()
    help.patience = patience
    return (try ForeignProgram([Self.program, lie], reading: source, for: help), source)
  }

  /// Plays a little, goes somewhere, plays on.
  private func use(_ program: ForeignProgram, _ source: any ByteSource) throws {
    guard case .decoder(let decoder) = try ForeignDecoder.open(source, by: program) else {
      throw Tool.Failed(description: "refused")
    }
    _ = try decoder.readSome(250)
    try decoder.seek(toFrame: 5_000)
    _ = try decoder.readSome(250)
  }

  @Test("that does not lie is believed")
  func honest() throws {
    let (program, source) = try start("")
    try use(program, source)
  }

  @Test(
    "is ended, its track with it, and nothing else",
    arguments: [
      "open-end", "open-crash", "open-empty", "open-short", "open-unknown", "open-question", "open-nothing",
      "open-long", "open-rate-0", "open-rate-negative", "open-channels-0", "open-channels-9", "open-channels-most",
      "open-bits", "open-feint", "open-length", "open-length-negative", "open-flags", "open-frames", "open-fault",
      "open-fault-long", "open-tags", "open-tag-key", "open-tag-long", "open-need-0", "open-need-much",
      "open-need-before", "open-need-beyond", "open-need-for-ever", "open-need-unread", "read-end", "read-crash",
      "read-more", "read-most", "read-less", "read-planes-0", "read-planes-1", "read-planes-8", "read-planes-many",
      "read-damages", "read-damages-negative", "read-open", "read-landed", "seek-end", "seek-beyond", "seek-before",
      "seek-far", "seek-frames", "skip-end", "skip-more", "skip-most",
    ])
  func lies(_ lie: String) throws {
    var pid: pid_t = 0
    do {
      let (program, source) = try start(lie)
      pid = program.pid
      let fault = try faultOf { try use(program, source) }
      #expect(fault.kind == .damaged && fault.code == "A-211", "\(fault)")
      #expect(fault.message.contains("made up"), "\(fault)")
    }
    #expect(kill(pid, 0) == -1, "it is still there")
  }

  @Test("that says what cannot be played is refused in words that are safe to show")
  func refused() throws {
    let (fast, source) = try start("open-rate-fast")
    #expect(try faultOf { try use(fast, source) }.code == "A-213")
    let (control, other) = try start("open-fault-control")
    let fault = try faultOf { try use(control, other) }
    #expect(fault.code == "A-212" && fault.message.contains("bad"))
    #expect(!fault.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  @Test(
    "that says nothing is waited for as long as was agreed",
    arguments: ["open-silence", "read-silence", "seek-silence"])
  func silence(_ lie: String) throws {
    let (program, source) = try start(lie, patience: .milliseconds(300))
    let fault = try faultOf { try use(program, source) }
    #expect(fault.code == "A-211" && fault.message.contains("did not answer"))
  }

  @Test("is not asked again after its first lie")
  func onlyOnce() throws {
    let (program, source) = try start("read-more")
    guard case .decoder(let decoder) = try ForeignDecoder.open(source, by: program) else {
      throw Tool.Failed(description: "refused")
    }
    let first = try faultOf { try decoder.readSome(10) }
    #expect(try faultOf { try decoder.readSome(10) } == first)
    #expect(try faultOf { try decoder.seek(toFrame: 3) } == first)
  }

  @Test("is left alone as soon as something else is wanted")
  func given() throws {
    // For ever, as far as this test is concerned.
    let (program, source) = try start("seek-silence", patience: .seconds(86_400))
    guard case .decoder(let decoder) = try ForeignDecoder.open(source, by: program) else {
      throw Tool.Failed(description: "refused")
    }
    let waited = try decoder.seek(toFrame: 3, unless: { true })
    #expect(!waited && kill(program.pid, 0) == -1)
    let (honest, file) = try start("")
    guard case .decoder(let other) = try ForeignDecoder.open(file, by: honest) else {
      throw Tool.Failed(description: "refused")
    }
    let went = try other.seek(toFrame: 3_000, unless: { true })
    #expect(!went)
  }
}

@Suite("Replies of the foreign decoder")
struct ReplyTests {
  @Test("come through as they were sent")
  func roundTrip() {
    let format = ForeignFormat(
      rate: 96_000, channels: 6, bits: 24, isLossless: true, speakers: 0x3F, length: 1 << 40, isLengthStated: true)
    let replies: [Reply] = [
      .need(offset: 1 << 33, count: 65_536), .tag(key: "TITLE", value: "Präludium"), .tag(key: "A", value: ""),
      .opened(format), .frames(count: 100, planes: 6, damages: 3), .frames(count: 0, planes: 1, damages: 0),
      .landed(frame: 77), .skipped(frames: 0), .fault(.damaged, "no more"),
    ]
    let envelope = Envelope()
    for reply in replies {
      reply.write(to: envelope)
      #expect(Reply(envelope) == reply)
    }
    for question: Question in [
      .open(length: nil), .open(length: 5), .read(frames: 9), .seek(frame: 1 << 50), .skip(frames: 500_000),
      .bytes(offset: 1 << 40),
    ] { #expect(Question(question.head) == question) }
  }

  @Test("are within their bounds, whatever the bytes are")
  func anything() {
    let seed: UInt64 = 7
    var dice = SeededGenerator(seed: seed)
    let envelope = Envelope()
    var taken = 0
    for _ in 0..<100_000 {
      var bytes = (0..<Int.random(in: 16...64, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      // Near enough to be taken now and then.
      bytes[0] = UInt8.random(in: 9...18, using: &dice)
      for index in 1..<4 { bytes[index] = 0 }
      for index in 5..<16 where Bool.random(using: &dice) { bytes[index] = 0 }
      for index in 6..<16 where Int.random(in: 0..<4, using: &dice) > 0 { bytes[index] = 0 }
      #expect(envelope.fill(bytes))
      guard let reply = Reply(envelope) else { continue }
      taken += 1
      #expect(ReplyLaw.holds(for: reply, envelope), "\(reply), seed \(seed)")
    }
    #expect(taken > 300)
  }

  @Test("and so are questions, as the program reads them, whatever their heads are")
  func anyQuestion() {
    let extremes: [Int64] = [.min, -1, 0, 1, Reply.farthest, Reply.farthest + 1, .max]
    for kind in UInt32(0)...6 {
      for number in extremes {
        for count in [UInt32(0), 1, 500_001, .max] {
          guard let question = Question(.init(kind: kind, count: count, number: number)) else {
            #expect(kind == 0 || kind == 6)
            continue
          }
          #expect(Question(question.head) == question)
          switch question {
          case .open(let length): #expect((0...Reply.farthest).contains(length ?? 0))
          case .seek(let frame): #expect((0...Reply.farthest).contains(frame))
          case .skip(let frames): #expect((0...Question.longestSkip).contains(frames))
          case .read(let frames): #expect(frames == count)
          case .bytes(let offset): #expect(offset == number)
          }
        }
      }
    }
  }
}

/// What holds for every reply that is not refused.
enum ReplyLaw {
  static func holds(for reply: Reply, _ envelope: Envelope) -> Bool {
    switch reply {
    case .need(let offset, let count): (0...Reply.farthest).contains(offset) && (1...Envelope.most).contains(count)
    case .tag(let key, let value):
      !key.isEmpty && key.unicodeScalars.count + value.unicodeScalars.count <= Reply.longestTag
    case .opened(let format): format.rate > 0 && (1...8).contains(format.channels) && (4...32).contains(format.bits)
    case .frames(let count, let planes, let damages):
      count * planes * 4 == envelope.content.count && (1...8).contains(planes) && damages >= 0
    case .landed(let frame): (0...Reply.farthest).contains(frame)
    case .skipped(let frames): (0...Question.longestSkip).contains(frames)
    case .fault(_, let text): text.unicodeScalars.count <= Reply.longestText
    }
  }
}

/// A file that is nowhere.
final class MadeUpFile: ByteSource {
  private let bytes: [UInt8]
  private(set) var position: Int64 = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var name: String { "made up" }
  var length: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard position < bytes.count else { return 0 }
    let part = bytes[Int(position)...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    position += Int64(part.count)
    return part.count
  }

  func seek(to position: Int64) throws(Fault) {
    guard position >= 0 else { throw Fault(.malformed, "T-90", "a seek before the beginning") }
    self.position = position
  }
}
