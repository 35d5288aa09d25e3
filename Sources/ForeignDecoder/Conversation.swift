import DecoderProtocol
import Glibc

/// Answers the player's questions, one after the other, until it hangs up.
struct Conversation {
  private let socket: Int32
  private let envelope = Envelope()
  private var file: ForeignFile?

  init(_ socket: Int32) { self.socket = socket }

  mutating func hold() {
    while envelope.receive(from: socket) {
      guard let question = Question(envelope.head) else { exit(EX_PROTOCOL) }
      do throws(Refusal) {
        try answer(question)
      } catch {
        Reply.fault(error.trouble, error.text).write(to: envelope)
      }
      guard envelope.send(to: socket) else { return }
    }
  }

  private mutating func answer(_ question: Question) throws(Refusal) {
    switch question {
    case .open(let length):
      let file = try ForeignFile(PlayerBytes(socket, envelope, length: length))
      self.file = file
      tell(file.tags)
      Reply.opened(file.format).write(to: envelope)
    case .read(let frames):
      let file = try opened()
      let channels = Int(file.format.channels)
      let most = Envelope.most / 4 / channels
      // The library asks for bytes in the same envelope: samples go into it last, and all at once.
      let count = try file.read(wanted: min(frames, most), into: envelope)
      Reply.frames(count: count, planes: channels, damages: file.damages).write(to: envelope)
    case .seek(let frame): Reply.landed(frame: try opened().seek(before: frame)).write(to: envelope)
    case .skip(let frames): Reply.skipped(frames: try opened().skip(frames)).write(to: envelope)
    case .bytes: exit(EX_PROTOCOL)
    }
  }

  private func opened() throws(Refusal) -> ForeignFile {
    guard let file else { throw Refusal(.unplayable, "nothing was opened") }
    return file
  }

  private func tell(_ tags: [(key: String, value: String)]) {
    for (key, value) in tags {
      let key = Known.tagName(key)
      guard (1...Reply.longestKey).contains(key.utf8.count) else { continue }
      let room = Reply.longestTag - key.utf8.count
      Reply.tag(key: key, value: String(decoding: value.utf8.prefix(room), as: UTF8.self).shortened(to: room))
        .write(to: envelope)
      guard envelope.send(to: socket) else { return }
    }
  }
}

extension String {
  /// Cutting inside a letter put something in its place that may be longer.
  fileprivate func shortened(to bytes: Int) -> String {
    var text = self
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}
