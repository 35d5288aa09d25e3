import Glibc
import Runtime

/// One life of the program that reads aloud: it is given its text and says a WAV file. It is ended when nobody holds it
/// any more.
final class SpeechProcess {
  struct Said {
    var bytes: [UInt8] = []
    /// It had more to say than anybody listens to.
    var goesOn = false
  }

  private let socket: Descriptor
  private let process: ChildProcess

  init(_ command: [String], reading text: SpokenText) throws(Fault) {
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("A-221", doing: "make a socket pair") }
    socket = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    var surroundings = SpawnOptions()
    surroundings.isBare = true
    surroundings.processGroup = .ownGroup
    surroundings.input = .open(theirs.number)
    surroundings.output = .open(theirs.number)
    surroundings.errors = .nothing
    do throws(Fault) { process = try ChildProcess(command, in: surroundings) } catch {
      throw Fault(error.kind, "A-222", "\(SpeechProgram.name) cannot be run: \(error.message)")
    }
    // Far less than a socket holds, so nothing is waited for; that nobody reads it is told by what comes.
    let bytes = Array(text.text.utf8) + [0x0A]
    _ = send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    shutdown(socket.number, Int32(SHUT_WR))
  }

  func end() { process.end() }

  /// Nil when it was interrupted.
  func listen(
    until last: Moment, or interruption: SpeechProgram.Interruption, mostBytes: Int
  ) throws(Fault) -> Said? {
    var said = Said()
    var block = [UInt8](repeating: 0, count: 32_768)
    while true {
      let ready = Readiness.readable([socket.number, interruption.bell.number], until: last)
      if ready.contains(interruption.bell.number) { return nil }
      guard ready.contains(socket.number) else { throw SpeechProgram.failed("it took too long") }
      let count = recv(socket.number, &block, block.count, Int32(MSG_DONTWAIT))
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      // One that was ended while there was something for it to read hangs up less politely.
      if count <= 0 { break }
      said.bytes += block[..<count]
      if said.bytes.count > mostBytes {
        said.bytes.removeLast(said.bytes.count - mostBytes)
        said.goesOn = true
        return said
      }
    }
    // It has hung up and is about to end; one that only says so is not waited for.
    _ = Readiness.readable([process.ended], until: min(last, .now + .milliseconds(200)))
    guard process.hasEnded else { return said }
    let code = process.reap().code
    guard code == 0 else { throw SpeechProgram.failed("it ended with code \(code)") }
    return said
  }
}
