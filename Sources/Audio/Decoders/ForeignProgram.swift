import DecoderProtocol
import Formats
import Glibc
import Runtime

/// Owns the running program that decodes one file for us, and asks it. What it says is measured (`Reply`) and comes
/// within a time, or the program is ended: a file that takes it over, blocks it or makes it eat memory costs its own
/// track and nothing else.
final class ForeignProgram {
  static let name = "layby-decode"

  let envelope = Envelope()
  private let process: ChildProcess
  private let socket: Descriptor
  private let source: any ByteSource
  private let help: ForeignHelp

  /// Where it lies: beside the running program, as the build leaves it, or where it is installed.
  static var path: FilePath? {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &space, space.count - 1)
    let own = FilePath(bytes: space.prefix(max(count, 0)).map { UInt8(bitPattern: $0) })?.folder ?? FilePath(".")
    return [own / name, FilePath("/usr/libexec/layby") / name].first { path in
      path.withCString { access($0, X_OK) } == 0
    }
  }

  init(_ words: [String], reading source: any ByteSource, for help: ForeignHelp = ForeignHelp()) throws(Fault) {
    self.source = source
    self.help = help
    var ends: [Int32] = [-1, -1]
    let packets = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, packets, 0, &ends) == 0 else { throw Fault.system("A-210", doing: "make a socket pair") }
    socket = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    process = try ChildProcess(words, in: .shutIn(with: theirs.number))
  }

  var pid: pid_t { process.pid }

  /// For one question, however many answers it has.
  private var left: Duration = .zero
  private var pieces = 0
  /// Bytes that it may still be given for that question.
  private var bytesLeft: Int64 = 0

  /// Between one sound and the next; more than this nobody searches a damaged file.
  private static let bytesPerRead: Int64 = 16 << 20
  /// To open a file or to find a place in it. An index may have to be made of all of it, unless it is larger than music
  /// can be.
  private static let bytesPerSearch: Int64 = 256 << 20
  private static let largestFile: Int64 = 4 << 30

  /// The answer to one question; nil when nobody wants it any more, and then the program is gone.
  func ask(_ question: Question, unless shouldStop: () -> Bool = { false }) throws(Fault) -> Reply? {
    envelope.close(question.head)
    left = help.patience
    // First its libraries have to come, from a card that may be slow.
    if case .open = question { left += help.patience * 2 }
    // It may read everything a few times over; not for ever.
    let length = source.length ?? 0
    pieces = 20_000 + 8 * Int(clamping: length / 4_096)
    bytesLeft = Self.bytesPerSearch + (length <= Self.largestFile ? 2 * length : 0)
    if case .read = question { bytesLeft = Self.bytesPerRead }
    try post()
    return try next(unless: shouldStop)
  }

  /// What it says next, after it was given the bytes that it asked for.
  func next(unless shouldStop: () -> Bool = { false }) throws(Fault) -> Reply? {
    while true {
      guard let reply = try receive(unless: shouldStop) else { return nil }
      guard case .need(let offset, let count) = reply else { return reply }
      pieces -= 1
      guard pieces > 0, bytesLeft > 0 else { throw end("read more of it than there is") }
      if help.isUnwanted() || shouldStop() { return letGo() }
      try give(count, at: offset)
    }
  }

  private func receive(unless shouldStop: () -> Bool) throws(Fault) -> Reply? {
    let began = Moment.now
    switch help.wait(for: socket.number, until: began + left, unless: shouldStop) {
    case .answered: left -= Moment.now - began
    case .silent: throw end("did not answer")
    case .unwanted: return letGo()
    }
    guard envelope.receive(from: socket.number) else { throw gone() }
    guard let reply = Reply(envelope) else { throw nonsense() }
    return reply
  }

  private func give(_ count: Int, at offset: Int64) throws(Fault) {
    var got = 0
    do throws(Fault) {
      try source.seek(to: offset)
      got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: envelope.space[..<count]))
    } catch {
      process.end()
      throw error
    }
    bytesLeft -= Int64(got)
    envelope.close(Question.bytes(offset: offset).head, size: got)
    try post()
  }

  private func post() throws(Fault) {
    guard envelope.post(to: socket.number) else { throw gone() }
  }

  private func letGo() -> Reply? {
    process.end()
    return nil
  }

  /// It hung up. One that is about to end keeps the code it ends with; one that only says so is killed, and not waited
  /// for: what it does with its descriptors is no proof of its end.
  private func gone() -> Fault {
    process.end()
    return end("ended (code \(process.ending?.code ?? 0))")
  }

  /// It is not one of ours any more.
  func nonsense() -> Fault { end("answered nonsense") }

  private func end(_ why: String) -> Fault {
    process.end()
    return Fault(.damaged, "A-211", "\(source.name) cannot be decoded any further: \(Self.name) \(why)")
  }
}
