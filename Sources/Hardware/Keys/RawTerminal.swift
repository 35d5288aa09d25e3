internal import CLinux
import Glibc
import Runtime
import Synchronization

/// Puts the terminal into raw mode: each key arrives at once, without echo and unchanged, Ctrl-C too. The old modes are
/// restored when this value goes. `giveBack` restores them in a process that exits without that.
///
/// It does not own the descriptor, and does not make it non-blocking, because that would change the open file that the
/// shell shares. Instead the modes (VMIN and VTIME 0) make reads return at once.
package struct RawTerminal: ~Copyable {
  package let number: Int32

  private struct Saved {
    let number: Int32
    let modes: termios
  }

  /// A process has one terminal whose keys it reads; a second one is refused.
  private static let saved = Mutex<Saved?>(nil)

  package init(_ number: Int32) throws(Fault) {
    var modes = termios()
    guard isatty(number) == 1, tcgetattr(number, &modes) == 0 else {
      throw Fault(.unsupported, "H-101", "cannot read keys: standard input is not a terminal")
    }
    // In the background, the attempt alone would stop the process. -1: not this session's terminal, so nobody's.
    let foreground = tcgetpgrp(number)
    guard foreground <= 0 || foreground == getpgrp() else {
      throw Fault(.busy, "H-102", "cannot read keys: another program has the terminal (this one is in the background)")
    }
    let before = Saved(number: number, modes: modes)
    let isFree = Self.saved.withLock { saved -> Bool in
      guard saved == nil else { return false }
      saved = before
      return true
    }
    guard isFree else { throw Fault(.busy, "H-103", "cannot read keys: a terminal's keys are read already") }
    var raw = Self.raw(modes)
    guard tcsetattr(number, TCSANOW, &raw) == 0 else {
      let fault = Fault.system("H-104", doing: "read single keys from the terminal")
      Self.saved.withLock { $0 = nil }
      throw fault
    }
    self.number = number
    Self.giveBackInCrashes()
  }

  deinit { Self.giveBack() }

  /// What can be read now, at most `limit` bytes; empty when there is nothing. Nil when the terminal is gone.
  package borrowing func read(limit: Int = 256) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(number, &bytes, limit)
    if count > 0 { return Array(bytes[..<count]) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    // Nothing was there, or nobody is: only the kernel can tell the two apart.
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) == 1 else { return [] }
    return Int32(request.revents) & (POLLHUP | POLLERR | POLLNVAL) == 0 ? [] : nil
  }

  /// The modes as they were; harmless when there is nothing to give back. Waits for nothing: a terminal held by
  /// Ctrl-S never drains. Keys that nobody read are dropped, so that the shell does not take them for commands.
  package static func giveBack() {
    // Not available: somebody is about to do the same, or a crash came in the middle of it; neither may wait.
    let taken = saved.withLockIfAvailable { saved -> Saved? in
      defer { saved = nil }
      return saved
    }
    guard let taken, let before = taken else { return }
    var modes = before.modes
    tcflush(before.number, TCIFLUSH)
    tcsetattr(before.number, TCSANOW, &modes)
  }

  /// A program that dies must not leave a shell behind in which nothing typed is seen. Whoever handles such a signal
  /// already (a sanitizer, the debugger's) keeps it.
  private static func giveBackInCrashes() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      var present = sigaction()
      guard sigaction(number, nil, &present) == 0, present.__sigaction_handler.sa_handler == nil else { continue }
      signal(number) { number in
        RawTerminal.giveBack()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// No line editing, no echo, no signals, no flow control, Return as it is sent. Output stays as it was, so that a
  /// line written by somebody else still looks like one.
  private static func raw(_ modes: termios) -> termios {
    var raw = modes
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    return raw
  }
}
