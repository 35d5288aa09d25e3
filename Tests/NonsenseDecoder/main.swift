// In the place of a process that decodes foreign bytes: answers nonsense of the kind that its first word names. The player must end it, and
// nothing else may come of it. One that falls silent first writes its number into the pipe that its second word names.
import DecoderProtocol
import Glibc

let socket: Int32 = 3
let lie = CommandLine.argc > 1 ? CommandLine.arguments[1] : ""
// No test needs it for longer; one that was killed leaves none for ever.
alarm(900)

func say(_ kind: UInt32, _ count: UInt32 = 0, _ number: Int64 = 0, _ content: [UInt8] = []) {
  func bytes<Number>(_ number: Number) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
  let message = bytes(kind) + bytes(count) + bytes(number) + content
  _ = write(socket, message, message.count)
}

func open(
  rate: Int32 = 44_100, channels: Int32 = 2, bits: Int32 = 16, length: Int64 = 10_000, flags: UInt32 = 1
) {
  let words = [UInt32(bitPattern: rate), UInt32(bitPattern: channels), UInt32(bitPattern: bits), 0, flags, 1]
  say(
    13, 0, 0,
    words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } } + withUnsafeBytes(of: length) { Array($0) })
}

func frames(_ count: Int, planes: Int64 = 2, damages: Int64 = 0, bytes: Int? = nil) {
  say(14, UInt32(truncatingIfNeeded: count), damages << 8 | planes, [UInt8](repeating: 7, count: bytes ?? count * 8))
}

func wait() {
  tell()
  while true { pause() }
}

func tell() {
  guard CommandLine.argc > 2 else { return }
  let pipe = Glibc.open(CommandLine.arguments[2], O_WRONLY)
  var pid = getpid()
  _ = write(pipe, &pid, MemoryLayout<pid_t>.size)
  close(pipe)
}

/// The moment at which it begins to lie is the first part of its name.
func answer(_ head: Envelope.Head, _ envelope: Envelope) {
  switch (head.kind, lie) {
  // Of a picture of 8 x 8, in the place of the process that decodes pictures.
  case (41, "picture-silence"): wait()
  case (41, "picture-unknown"): say(99)
  case (41, "picture-other-size"):
    say(51, 0, 9 << 32 | 9)
    say(52, 0, 0, [UInt8](repeating: 7, count: 9 * 9 * 4))
  case (41, "picture-more"):
    say(51, 0, 8 << 32 | 8)
    say(52, 0, 0, [UInt8](repeating: 7, count: 65 * 4))
  case (41, "picture-half"):
    say(51, 0, 8 << 32 | 8)
    say(52, 0, 0, [UInt8](repeating: 7, count: 3))
  case (1, "open-silence"): wait()
  case (1, "open-end"): exit(3)
  case (1, "open-crash"): kill(getpid(), SIGSEGV)
  case (1, "open-empty"): _ = send(socket, [UInt8](), 0, 0)
  case (1, "open-short"): _ = write(socket, [UInt8](repeating: 13, count: 9), 9)
  case (1, "open-unknown"): say(99)
  case (1, "open-question"): say(1)
  case (1, "open-nothing"): say(13)
  case (1, "open-long"): say(13, 0, 0, [UInt8](repeating: 1, count: 60_000))
  case (1, "open-rate-0"): open(rate: 0)
  case (1, "open-rate-negative"): open(rate: -1)
  case (1, "open-rate-fast"): open(rate: 9_000_000)
  case (1, "open-channels-0"): open(channels: 0)
  case (1, "open-channels-9"): open(channels: 9)
  case (1, "open-channels-most"): open(channels: .max)
  case (1, "open-bits"): open(bits: 99)
  case (1, "open-length"): open(length: .max)
  case (1, "open-length-negative"): open(length: .min)
  case (1, "open-flags"): open(flags: 77)
  case (1, "open-frames"): frames(1)
  case (1, "open-fault"): say(17, 77)
  case (1, "open-fault-long"): say(17, 2, 0, [UInt8](repeating: 65, count: 50_000))
  case (1, "open-fault-control"): say(17, 2, 0, Array("\u{1B}[2J\u{202E}bad\u{FF}".utf8) + [0xFF, 0xC0, 0])
  case (1, "open-tags"): while write(socket, [12, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65, 66], 18) > 0 {}
  case (1, "open-tag-key"): say(12, 5_000, 0, [65, 66])
  case (1, "open-tag-long"): say(12, 1, 0, [UInt8](repeating: 65, count: 60_000))
  case (1, "open-need-0"): say(11, 0, 0)
  case (1, "open-need-much"): say(11, .max, 0)
  case (1, "open-need-before"): say(11, 100, -1)
  case (1, "open-need-beyond"): say(11, 100, .max)
  case (1, "open-need-for-ever"):
    while true {
      say(11, 4_096, 0)
      if !envelope.receive(from: socket) { exit(0) }
    }
  case (1, "open-need-unread"): while write(socket, [11, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16) > 0 {}
  // It says that it has ended, and stays: the player's two other ends of it are 3 and 4.
  case (1, "open-feint"):
    _ = write(4, [UInt8(0)], 1)
    close(4)
    close(3)
    wait()
  case (1, "open-stop"):
    tell()
    raise(SIGSTOP)
  case (1, "open-busy"):
    // It asks and asks, and never says anything.
    var asked = 0
    while true {
      say(11, 4_096, 0)
      if !envelope.receive(from: socket) { exit(0) }
      asked += 1
      if asked == 3 { wait() }
    }
  case (2, "read-hole"), (3, "seek-hole"):
    // It looks for a frame where there is none.
    var place: Int64 = 0
    while true {
      say(11, UInt32(Envelope.most), place)
      if !envelope.receive(from: socket) { exit(0) }
      place += Int64(Envelope.most)
    }
  case (2, "read-silence"), (3, "seek-silence"), (4, "skip-silence"): wait()
  case (2, "read-end"), (3, "seek-end"), (4, "skip-end"): exit(0)
  case (2, "read-crash"): kill(getpid(), SIGKILL)
  case (2, "read-more"): frames(Int(head.count) + 1)
  case (2, "read-most"): frames(-1, bytes: 64)
  case (2, "read-less"): frames(100, bytes: 792)
  case (2, "read-planes-0"): frames(10, planes: 0)
  case (2, "read-planes-1"): frames(10, planes: 1, bytes: 40)
  case (2, "read-planes-8"): frames(10, planes: 8, bytes: 320)
  case (2, "read-planes-many"): frames(10, planes: 200, bytes: 8_000)
  case (2, "read-damages"): frames(10, damages: 1 << 50)
  case (2, "read-damages-negative"): frames(10, damages: -5)
  case (2, "read-open"): open()
  case (2, "read-landed"): say(15)
  case (3, "seek-beyond"): say(15, 0, head.number + 1)
  case (3, "seek-before"): say(15, 0, -1)
  case (3, "seek-far"): say(15, 0, .max)
  case (3, "seek-frames"): frames(1)
  case (4, "skip-more"): say(16, head.count + 1)
  case (4, "skip-most"): say(16, .max)
  // Up to where it begins to lie it is honest.
  case (1, _): open()
  case (2, _): frames(min(Int(head.count), 100))
  case (3, _): say(15)
  case (4, _): say(16, head.count)
  default: exit(EX_PROTOCOL)
  }
}

let envelope = Envelope()
while envelope.receive(from: socket) { answer(envelope.head, envelope) }
