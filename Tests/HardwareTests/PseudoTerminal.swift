import Glibc
import Runtime
import Synchronization

/// A terminal without a window: the test is the person (`keyboard`), the product has `screen`.
final class PseudoTerminal: Sendable {
  let keyboard: Int32
  let screen: Int32
  private let isOpen = Mutex(true)

  init() {
    var (first, second): (Int32, Int32) = (-1, -1)
    guard openpty(&first, &second, nil, nil, nil) == 0 else { fatalError("no terminal: \(Fault.describe(errno))") }
    (keyboard, screen) = (first, second)
  }

  deinit {
    close(screen)
    hangUp()
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    guard write(keyboard, bytes, bytes.count) == bytes.count else { fatalError("cannot type") }
  }

  /// The window is closed. Once only: the number may be another file's the second time.
  func hangUp() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { close(keyboard) }
  }

  /// All that the terminal's modes say, comparable.
  var modes: [UInt32] {
    var modes = termios()
    guard tcgetattr(screen, &modes) == 0 else { return [] }
    let characters = withUnsafeBytes(of: &modes.c_cc) { $0.map { UInt32($0) } }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
  }
}
