import Glibc
import Runtime

/// A terminal without a window: the test is the person (`keyboard`), the product has `screen`.
final class PseudoTerminal: Sendable {
  let keyboard: Int32
  let screen: Int32

  init() {
    var (first, second): (Int32, Int32) = (-1, -1)
    guard openpty(&first, &second, nil, nil, nil) == 0 else { fatalError("no terminal: \(Fault.describe(errno))") }
    (keyboard, screen) = (first, second)
  }

  deinit {
    close(screen)
    if fcntl(keyboard, F_GETFD) >= 0 { close(keyboard) }
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    guard write(keyboard, bytes, bytes.count) == bytes.count else { fatalError("cannot type") }
  }

  /// The window is closed.
  func hangUp() { close(keyboard) }

  /// All that the terminal's modes say, comparable.
  var modes: [UInt32] {
    var modes = termios()
    guard tcgetattr(screen, &modes) == 0 else { return [] }
    let characters = withUnsafeBytes(of: &modes.c_cc) { $0.map { UInt32($0) } }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
  }
}
