import Glibc
import Runtime

/// Reads the keys of a terminal on the main loop and delivers the inputs that they stand for, on a computer without knob
/// and buttons.
///
/// `run` ends when it is cancelled, and restores the terminal. When the terminal is closed it delivers `quit`. Without a
/// terminal it logs that and ends at once; the music plays on.
@MainLoop
package final class TerminalKeys: Part {
  nonisolated package let name = "keys"
  private let number: Int32
  private let deliver: @MainLoop (Input) -> Void
  private var parser = KeyParser()
  private var decision: Task<Void, Never>?
  private let log = Log("keys")

  /// Bytes of one sequence come in one go; a person's next key comes later than this.
  nonisolated package static let patience: Duration = .milliseconds(50)

  package init(from number: Int32 = STDIN_FILENO, deliver: @escaping @MainLoop (Input) -> Void) {
    self.number = number
    self.deliver = deliver
  }

  package func run() async throws(Fault) {
    let terminal: RawTerminal
    do throws(Fault) {
      terminal = try RawTerminal(number)
    } catch {
      log.notice("no keys", ["code": error.code, "reason": error.message])
      return
    }
    while let bytes = terminal.read() {
      take(bytes)
      guard await MainLoop.loop.readable(number) else { break }
    }
    decision?.cancel()
    MainLoop.loop.forget(number)
    guard !Task.isCancelled else { return }
    // Whoever closes the window wants no music from nowhere.
    log.notice("the terminal is gone")
    deliver(.quit)
  }

  private func take(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    decision?.cancel()
    decision = nil
    for key in parser.take(bytes) { press(key) }
    if parser.isWaiting { decideLater() }
  }

  /// A lone ESC is a key once nothing has followed it for a while.
  private func decideLater() {
    decision = MainLoop.start { [weak self] in
      // Cancelled by the next bytes; that may come when the time is up already, but never after `pause`.
      guard await MainLoop.loop.sleep(for: Self.patience), !Task.isCancelled, let self else { return }
      if let key = parser.pause() { press(key) }
    }
  }

  private func press(_ key: Key) {
    guard let input = DeskKeys.input(for: key) else { return }
    deliver(input)
    // A terminal does not say when a key goes up.
    if case .press(let button) = input { deliver(.release(button)) }
  }
}
