// layby-decode: decodes for the player what that cannot decode itself, in a process of its own that has shut itself in
// before it sees the first foreign byte. The player starts it with a socket as descriptor 3.
//   layby-decode --try WHAT    proves that it is shut in: it must die of WHAT (open, socket, exec, fork, kill, execmem)
internal import CAV
internal import CSandbox
import Foreign
import Glibc

/// Where the player's socket arrives.
let socket: Int32 = 3
av_log_set_level(AV_LOG_QUIET)
// What the library looks up once is looked up while that is still allowed.
_ = av_get_cpu_flags()
_ = av_cpu_count()

let refused = layby_sandbox_enter()
if CommandLine.argc == 3, CommandLine.arguments[1] == "--try" {
  if refused != 0 { exit(EX_UNAVAILABLE) }
  _ = layby_sandbox_try(CommandLine.arguments[2])
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
