import Glibc
import Runtime

/// The terminal as a screen. It owns a descriptor of its own that never blocks. A frame's bytes that the terminal did
/// not take yet are kept and go first; until they are gone further frames are only remembered, never queued, so a slow
/// terminal sees fewer frames and at the end the right one.
///
/// Lives on the main loop. `close`, or the end of it, gives the screen back as it was.
package final class Terminal: Sink {
  private let descriptor: Descriptor
  private var page: TerminalPage
  private var unsent: ArraySlice<UInt8>
  private var canvas: Canvas?
  private var isOpen = true
  /// At the end the terminal may take this long for its last bytes.
  private static let lastWait: Int32 = 200

  /// `descriptor` is set not to block, and is not shared with anyone who minds that.
  package init(taking descriptor: consuming Descriptor, size: Size, colours: TerminalColours) throws(Fault) {
    let flags = fcntl(descriptor.number, F_GETFL, 0)
    guard flags >= 0, fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw Fault.system("K-120", doing: "write to the terminal without waiting")
    }
    self.descriptor = descriptor
    page = TerminalPage(size: size, colours: colours)
    unsent = TerminalPage.begin[...]
  }

  /// The terminal that standard output is. It is opened once more, because not to block is a property of the open
  /// file, which the shell and standard input share.
  package static func onStandardOutput(colours: TerminalColours) throws(Fault) -> Terminal {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw Fault(.unsupported, "K-121", "cannot show the panel: standard output is not a terminal")
    }
    let own = try Descriptor.open(
      FilePath("/proc/self/fd/\(STDOUT_FILENO)"), O_WRONLY | O_NONBLOCK | O_NOCTTY, code: "K-122")
    return try Terminal(taking: own, size: measure(STDOUT_FILENO), colours: colours)
  }

  /// 80 x 24 when it does not say.
  package static func measure(_ descriptor: Int32) -> Size {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: Int(window.ws_col), height: Int(window.ws_row))
  }

  deinit { close() }

  package var size: Size { page.size }

  /// The line below the picture, for windows too small to read the picture. Shown with the next frame or `catchUp`.
  package var caption = "" {
    didSet { page.want(caption: caption) }
  }

  package func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    self.canvas = canvas
    page.want(canvas, changed: changed)
    try catchUp()
  }

  /// The window has another size: everything is drawn anew.
  package func resize(to size: Size) throws(Fault) {
    page = TerminalPage(size: size, colours: page.colours)
    page.want(caption: caption)
    if let canvas { page.want(canvas, changed: [canvas.bounds]) }
    try catchUp()
  }

  /// Something that was wanted is not written yet: `catchUp` when the descriptor takes bytes again.
  package var isBehind: Bool { isOpen && (!unsent.isEmpty || page.isBehind) }

  package var number: Int32 { descriptor.number }

  /// Writes what the terminal takes now.
  package func catchUp() throws(Fault) {
    guard isOpen else { return }
    try send()
    guard unsent.isEmpty, page.isBehind else { return }
    unsent = page.difference()[...]
    try send()
  }

  /// Gives the screen back; a second call does nothing.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    unsent += TerminalPage.end
    // A terminal that takes nothing (Ctrl-S) is left as it is: stopping must not wait for it.
    while !unsent.isEmpty {
      var request = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, Self.lastWait) == 1 else { return }
      let before = unsent.count
      do { try send() } catch { return }
      if unsent.count == before { return }
    }
  }

  private func send() throws(Fault) {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else { throw Fault.system("K-123", doing: "write to the terminal") }
      unsent = unsent.dropFirst(count)
    }
  }
}
