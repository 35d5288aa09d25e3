import Glibc
import Runtime

/// The program that reads words aloud, which may be there or not. It is started for each of them, with the text on its
/// standard input, says a WAV file and is gone; one that hangs, floods or breaks is ended, and costs its own words. It
/// never touches the sound device: what it says is mixed into our own stream.
package struct SpeechProgram: Sendable {
  package static let name = "espeak-ng"
  /// Of Debian, in which it comes.
  package static let package = "espeak-ng"

  package struct Manner: Equatable, Sendable {
    package var voice: String
    package var wordsAMinute: Int

    package init(voice: String, wordsAMinute: Int) { (self.voice, self.wordsAMinute) = (voice, wordsAMinute) }
  }

  /// The program's first words; nil while none is installed.
  let find: @Sendable () -> [String]?
  /// So long it may take for one text.
  var patience: Duration = .seconds(5)
  /// Of all that it says; half a minute is no line of a panel any more.
  var mostBytes = 22_050 * 2 * 30

  package init() { find = { ChildProcess.find(Self.name).map { [$0] } } }

  init(_ words: [String]?) { find = { words } }

  /// By which it is told to give up, at any time and from any thread.
  package final class Interruption: Sendable {
    let bell: Bell
    package init() throws(Fault) { bell = try Bell() }
    package func ring() { bell.ring() }
  }

  /// At `rate`, one channel. Nil when it was interrupted. Waits for the program, so it is called on no loop.
  package func say(
    _ text: SpokenText, _ manner: Manner, rate: Int32, until interruption: Interruption
  ) throws(Fault) -> [Int16]? {
    guard let words = find() else { throw Self.missing }
    guard let bytes = try output(of: words + Self.options(manner), reading: text, until: interruption) else {
      return nil
    }
    return try Self.samples(bytes, rate: rate)
  }

  package static var missing: Fault {
    Fault(.missing, "A-220", "\(name), which reads the panel aloud, is not installed; it is in the package \(package)")
  }

  /// UTF-8, no pause at the end, no markup.
  static func options(_ manner: Manner) -> [String] {
    ["-v", manner.voice, "-s", "\(manner.wordsAMinute)", "-b", "1", "-z", "--stdin", "--stdout"]
  }

  private func output(
    of command: [String], reading text: SpokenText, until interruption: Interruption
  ) throws(Fault) -> [UInt8]? {
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("A-221", doing: "make a socket pair") }
    let socket = Descriptor(taking: ends[0])
    let process = try start(command, with: Descriptor(taking: ends[1]))
    defer { process.end() }
    // Far less than a socket holds, so nothing is waited for; that nobody reads it is told by what comes.
    let bytes = Array(text.text.utf8) + [0x0A]
    _ = send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    shutdown(socket.number, Int32(SHUT_WR))
    return try receive(from: socket.number, process, until: interruption)
  }

  private func start(_ command: [String], with theirs: consuming Descriptor) throws(Fault) -> ChildProcess {
    var surroundings = Surroundings()
    surroundings.isBare = true
    surroundings.standing = .ownGroup
    surroundings.input = .open(theirs.number)
    surroundings.output = .open(theirs.number)
    surroundings.errors = .nothing
    do throws(Fault) { return try ChildProcess(command, in: surroundings) } catch {
      throw Fault(error.kind, "A-222", "\(Self.name) cannot be run: \(error.message)")
    }
  }

  private func receive(
    from socket: Int32, _ process: ChildProcess, until interruption: Interruption
  ) throws(Fault) -> [UInt8]? {
    let last = Moment.now + patience
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 32_768)
    while true {
      let ready = Readiness.readable([socket, interruption.bell.number], until: last)
      if ready.contains(interruption.bell.number) { return nil }
      guard ready.contains(socket) else { throw Self.failed("it took too long") }
      let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      // One that was ended while there was something for it to read hangs up less politely.
      if count <= 0 { break }
      bytes += block[..<count]
      if bytes.count > mostBytes { throw Self.failed("it says more than there was to read") }
    }
    // It has hung up and is about to end; one that only says so is not waited for.
    _ = Readiness.readable([process.ended], until: min(last, .now + .milliseconds(200)))
    guard process.hasEnded else { return bytes }
    let code = process.reap().code
    guard code == 0 else { throw Self.failed("it ended with code \(code)") }
    return bytes
  }

  private static func failed(_ why: String) -> Fault {
    Fault(.damaged, "A-223", "\(name) cannot read this aloud: \(why)")
  }

  // MARK: What it said

  /// A voice has some rate between these, and one side or two.
  private static let rates: ClosedRange<Int32> = 8_000...48_000

  static func samples(_ bytes: [UInt8], rate: Int32) throws(Fault) -> [Int16] {
    let decoder: any Decoder = try PCMDecoder(wave: HeldBytes(bytes, named: name))
    guard rates.contains(decoder.format.sampleRate) else {
      throw failed("it speaks at \(decoder.format.sampleRate) Hz")
    }
    let fitted = decoder.format.sampleRate == rate ? decoder : try ResampledDecoder(decoder, rate: rate)
    return try all(of: fitted)
  }

  private static func all(of decoder: any Decoder) throws(Fault) -> [Int16] {
    var samples: [Int16] = []
    let helping = 4_096
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * helping)
    frames.initialize(repeating: 0, count: 2 * helping)
    defer { frames.deallocate() }
    while samples.count < Aside.longest {
      let count = try decoder.read(into: frames, count: helping)
      if count == 0 { break }
      for frame in 0..<count {
        // To the nearest; what has 16 bits stays as it is.
        let sample = Int64(frames[2 * frame]) + (1 << 15)
        samples.append(Int16(clamping: sample >> 16))
      }
    }
    return samples
  }
}
