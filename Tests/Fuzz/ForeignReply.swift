import DecoderProtocol

/// What the program that decodes foreign files says: it is not trusted, and these bytes are all that it can send.
@Sendable func foreignReply(_ bytes: [UInt8]) {
  let envelope = Envelope()
  guard envelope.fill(bytes), let reply = Reply(envelope) else { return }
  switch reply {
  case .need(let offset, let count):
    precondition((0...Reply.farthest).contains(offset) && (1...Envelope.most).contains(count), "bytes out of bounds")
  case .opened(let format):
    precondition(format.rate > 0 && (1...8).contains(format.channels) && (4...32).contains(format.bits), "a bad format")
    precondition((0...Reply.farthest).contains(format.length ?? 0), "a bad length")
  case .frames(let count, let planes, _):
    precondition(count * planes * 4 == envelope.content.count && (1...8).contains(planes), "frames without samples")
  case .landed(let frame): precondition((0...Reply.farthest).contains(frame), "landed nowhere")
  case .skipped(let frames): precondition((0...Question.longestSkip).contains(frames), "skipped too much")
  case .tag(let key, _): precondition(!key.isEmpty, "a tag without a name")
  case .fault: break
  }
  // What was taken and is written again says the same. Samples stand in the space already; text may have been mended.
  let again = Envelope()
  again.space.copyMemory(from: envelope.content)
  reply.write(to: again)
  switch reply {
  case .tag, .fault: break
  default: precondition(Reply(again) == reply, "a reply changes when it is written and read again")
  }
}
