import DecoderProtocol
import Formats
import Runtime

/// All that our own decoders do not take (AAC, ALAC, WMA, APE, WavPack, Musepack ...), by a program of its own that may
/// be there or not. It is started with the file and gone with it. Gaps, seeks and what encoders put around the music
/// are settled there; here its answers are bounded and folded.
final class ForeignDecoder: Decoder {
  let format: AudioFormat
  let length: Int64?
  let lengthIsStated: Bool
  let tags: Tags
  private(set) var damages = 0
  private let program: ForeignProgram
  private let source: any ByteSource
  private let fold: ChannelFold
  private let channels: Int
  private var ended = false
  /// It cannot be asked any more.
  private var last: Fault?

  enum Opening {
    case decoder(ForeignDecoder)
    /// It is not for us to play; why, as the end of a sentence.
    case refused(String)
  }

  static func open(_ source: any ByteSource, with help: ForeignHelp = ForeignHelp()) throws(Fault) -> Opening {
    guard let words = help.program else {
      return .refused("\(ForeignProgram.name), which plays more, is not installed")
    }
    return try open(source, by: ForeignProgram(words, reading: source, for: help))
  }

  static func open(_ source: any ByteSource, by program: ForeignProgram) throws(Fault) -> Opening {
    var comments = VorbisComments()
    var count = 0
    var answer = try program.ask(.open(length: source.length))
    while case .tag(let key, let value) = answer {
      count += 1
      if count > Reply.mostTags + 2 * Reply.mostChapters { throw program.nonsense() }
      comments.add(key: key, value: value)
      answer = try program.next()
    }
    guard let reply = answer else { throw .givenUp(source.name) }
    comments.nameFields()
    switch reply {
    case .opened(let found):
      return .decoder(try ForeignDecoder(source, program, found, comments.tags))
    case .fault(.unknown, _): return .refused("\(ForeignProgram.name) does not know it either")
    case .fault(.open, let why): return .refused("\(ForeignProgram.name) does not run: \(Tags.clean(why))")
    case .fault(_, let why):
      throw Fault(.malformed, "A-212", "\(source.name) cannot be played: \(Tags.clean(why))")
    default: throw program.nonsense()
    }
  }

  private init(
    _ source: any ByteSource, _ program: ForeignProgram, _ found: ForeignFormat, _ tags: Tags
  ) throws(Fault) {
    guard AudioFormat.rates.contains(found.rate) else {
      throw Fault(.unsupported, "A-213", "\(source.name) has \(found.rate) Hz; 1,000 to 768,000 can be played")
    }
    let order: ChannelOrder = found.speakers == 0 ? .flac : .mask(found.speakers)
    guard let fold = ChannelFold(channels: Int(found.channels), order: order) else {
      throw Fault(.unsupported, "A-214", "\(source.name) has \(found.channels) channels; 1 to 8 can be played")
    }
    self.source = source
    self.program = program
    self.fold = fold
    self.tags = tags
    channels = Int(found.channels)
    format = AudioFormat(
      sampleRate: found.rate, channels: found.channels, bitsPerSample: found.bits, lossless: found.isLossless)
    length = found.length
    lengthIsStated = found.isLengthStated && found.length != nil
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    if ended || count <= 0 { return 0 }
    let wanted = min(count, Envelope.most / (4 * channels))
    let reply = try ask(.read(frames: wanted))
    guard case .frames(let got, let planes, let damages) = reply, got <= wanted, planes == channels else {
      throw wrong(reply)
    }
    self.damages = damages
    ended = got == 0
    let samples = program.envelope.content.bindMemory(to: Int32.self)
    guard got > 0, let first = samples.baseAddress, samples.count == got * planes else { return 0 }
    withUnsafeTemporaryAllocation(of: UnsafePointer<Int32>?.self, capacity: planes) { starts in
      for plane in 0..<planes { starts[plane] = first + plane * got }
      guard let starts = starts.baseAddress else { return }
      fold.fold(UnsafePointer(starts), count: got, shift: 0, into: frames)
    }
    return got
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let frame = max(frame, 0)
    ended = frame > Reply.farthest || lengthIsStated && length.map { frame >= $0 } == true
    if ended { return true }
    guard let reply = try answer(.seek(frame: frame), unless: shouldStop) else { return false }
    guard case .landed(let landed) = reply, landed <= frame else { throw wrong(reply) }
    var left = frame - landed
    while left > 0 {
      if shouldStop() { return false }
      let helping = Int(min(left, Int64(Question.longestSkip)))
      guard let reply = try answer(.skip(frames: helping), unless: shouldStop) else { return false }
      guard case .skipped(let skipped) = reply, skipped <= helping else { throw wrong(reply) }
      left -= Int64(skipped)
      if skipped < helping {
        ended = true
        break
      }
    }
    return true
  }

  private func ask(_ question: Question) throws(Fault) -> Reply {
    guard let reply = try answer(question, unless: { false }) else { throw .givenUp(source.name) }
    return reply
  }

  private func answer(_ question: Question, unless shouldStop: () -> Bool) throws(Fault) -> Reply? {
    if let last { throw last }
    do throws(Fault) {
      let reply = try program.ask(question, unless: shouldStop)
      if reply == nil { last = .givenUp(source.name) }
      return reply
    } catch {
      last = error
      throw error
    }
  }

  /// It said something else than was asked; what it complains of is told.
  private func wrong(_ reply: Reply) -> Fault {
    let fault: Fault
    if case .fault(_, let why) = reply {
      fault = Fault(.damaged, "A-216", "\(source.name) cannot be decoded any further: \(Tags.clean(why))")
    } else {
      fault = program.nonsense()
    }
    last = fault
    return fault
  }
}
