import DecoderProtocol
import Glibc
import Runtime

@testable import ForeignDecoder

/// Heads, one after the other, as the program that decodes foreign files reads them: what is asked lies within bounds,
/// and says the same when it is asked again.
@Sendable func foreignQuestion(_ bytes: [UInt8]) {
  let envelope = Envelope()
  for start in stride(from: 0, to: bytes.count, by: Envelope.headSize) {
    let head = bytes[start...].prefix(Envelope.headSize)
    guard envelope.fill(head), let question = Question(envelope.head) else { continue }
    check(question)
    envelope.close(question.head)
    precondition(Question(envelope.head) == question, "a question changes when it is asked again")
  }
}

private func check(_ question: Question) {
  switch question {
  case .open(let length): precondition((0...Reply.farthest).contains(length ?? 0), "a length out of bounds")
  case .read(let frames): precondition((0...Int(UInt32.max)).contains(frames), "frames out of bounds")
  case .seek(let frame): precondition((0...Reply.farthest).contains(frame), "a place out of bounds")
  case .skip(let frames): precondition((0...Question.longestSkip).contains(frames), "skips too much")
  // What the program gets is held against the place that it asked for.
  case .bytes: break
  }
}

/// The program itself, without its sandbox, and the bytes as the file that it is asked to decode: whatever they are, all
/// that it says is understood by the player, and answers what was asked.
@Sendable func foreignFile(_ bytes: [UInt8]) {
  var ends: [Int32] = [-1, -1]
  precondition(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0, "no line to the program")
  let player = MadeUpPlayer(socket: ends[0], file: bytes)
  do throws(Fault) { try NamedThread.start("player") { player.play() } } catch { preconditionFailure("\(error)") }
  var conversation = Conversation(ends[1])
  // Until the player hangs up.
  conversation.hold()
  close(ends[1])
}

/// The other end of the line. It gives the bytes that are asked for, and wants what the file's own last bytes say.
private struct MadeUpPlayer: Sendable {
  let socket: Int32
  let file: [UInt8]

  func play() {
    defer { close(socket) }
    let envelope = Envelope()
    let length = file.count % 5 == 4 ? nil : Int64(file.count)
    guard case .opened(let format)? = answer(to: .open(length: length), envelope) else { return }
    var place: Int64 = 0
    for question in questions {
      switch (question, answer(to: question, envelope)) {
      case (.read(let wanted), .frames(let count, let planes, _)?):
        precondition(count <= wanted && planes == Int(format.channels), "frames that nobody asked for")
        place += Int64(count)
      case (.seek(let frame), .landed(let landed)?):
        precondition(landed <= frame, "it went too far")
        place = landed
      case (.skip(let wanted), .skipped(let frames)?):
        precondition(frames <= wanted, "it left too much out")
        place += Int64(frames)
      case (_, .fault?), (_, nil): return
      default: preconditionFailure("an answer to something else")
      }
      if format.isLengthStated, let length = format.length {
        precondition(place <= length, "more than it says there is")
      }
    }
  }

  /// A few that every file is asked, and a few that it makes up itself.
  private var questions: [Question] {
    var all: [Question] = [.read(frames: 700), .read(frames: 20_000), .seek(frame: 300), .read(frames: 100)]
    let wishes = Array(file.suffix(24))
    for start in stride(from: 0, to: wishes.count - 2, by: 3) {
      let number = (Int(wishes[start + 1]) << 8 | Int(wishes[start + 2])) << (Int(wishes[start]) >> 4)
      switch wishes[start] % 4 {
      case 0: all.append(.read(frames: number))
      case 1: all.append(.skip(frames: number))
      case 2: all.append(.seek(frame: Int64(number)))
      default: all.append(.seek(frame: .max - Int64(number)))
      }
    }
    return all + [.seek(frame: 0), .skip(frames: Question.longestSkip), .read(frames: 1)]
  }

  /// Nil when the program has ended, or is not understood by the player's end.
  private func answer(to question: Question, _ envelope: Envelope) -> Reply? {
    envelope.close(question.head)
    guard envelope.send(to: socket) else { return nil }
    while envelope.receive(from: socket) {
      guard let reply = Reply(envelope) else { preconditionFailure("it says what the player does not understand") }
      switch reply {
      case .tag: continue
      case .need(let offset, let count):
        let part = file.dropFirst(Int(offset)).prefix(count)
        envelope.close(Question.bytes(offset: offset).head, part)
        guard envelope.send(to: socket) else { return nil }
      default: return reply
      }
    }
    return nil
  }
}
