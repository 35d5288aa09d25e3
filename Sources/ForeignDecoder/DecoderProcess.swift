internal import CAV
import DecoderProtocol
import Glibc

/// What layby-decode does: it shuts itself in before it sees the first foreign byte, and then answers the player's
/// questions until the player hangs up.
package enum DecoderProcess {
  /// Where the player's socket arrives.
  private static let socket: Int32 = 3

  /// `--try WHAT` proves that it is shut in: it must die of WHAT (open, socket, exec, fork, kill, execmem).
  package static func run(_ arguments: [String]) {
    av_log_set_level(AV_LOG_QUIET)
    // What the library looks up once is looked up while that is still allowed.
    _ = av_get_cpu_flags()
    _ = av_cpu_count()
    let refused = Sandbox.enter()
    if arguments.count == 3, arguments[1] == "--try" {
      if refused != 0 { exit(EX_UNAVAILABLE) }
      Sandbox.attempt(arguments[2])
      exit(1)
    }
    guard refused == 0 else {
      let envelope = Envelope()
      Reply.fault(.open, "the kernel refuses to shut it in (error \(refused))").write(to: envelope)
      _ = envelope.send(to: socket)
      exit(EX_UNAVAILABLE)
    }
    var conversation = Conversation(socket)
    conversation.hold()
  }
}
