import Glibc
import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What `board/virtual/run` starts, with the keys and the terminal of a person who has no agent in the board.
@Suite("A person before the virtual board", .enabled(if: Board.isWanted, Board.whyNot))
struct SittingTests {
  @Test("sees it boot and play, stops it with Space and plays on with Space, and leaves no emulator behind")
  func sitting() async throws {
    try await Board.inTurn {
      let folder = TempFolder()
      let terminal = try PersonsTerminal()
      let program = try Spawned(
        [
          "bash", "-c", #"exec env TMPDIR="$1" TERM=xterm-256color "${@:3}" < "$2" > "$2" 2>&1"#, "virtual",
          "\(folder.path)", terminal.name, "\(Board.program("virtual"))", "--image", "\(Board.image.folder)",
          "--machine", "\(Board.top / "board" / "virtual" / "machine")",
        ], output: folder.path / "output")
      terminal.isTheirs()

      try terminal.waitUntilItSays("arrows: knob", within: .seconds(300))
      // How long it is still between two changes while it plays is what a pause has to be longer than.
      let gap = try terminal.longestGap(for: .seconds(12), within: .seconds(240))
      #expect(!Self.emulators(in: folder.path).isEmpty)
      let still = max(Duration.seconds(3), gap * 3)
      try terminal.type(" ")
      try terminal.waitUntilStill(for: still, within: .seconds(90))
      try terminal.type(" ")
      _ = try terminal.longestGap(for: .seconds(8), within: .seconds(120))
      try terminal.type("q")
      terminal.readToItsEnd(within: .seconds(30))
      #expect(try program.exitCode(within: .seconds(30)) == 0)
      #expect(Self.emulators(in: folder.path).isEmpty)
    }
  }

  /// Processes in whose words that folder stands: the board's sockets are in it.
  private static func emulators(in folder: FilePath) -> [String] {
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: FilePath("/proc")) } catch { return [] }
    return names.filter { Int("\($0)") != nil }.compactMap { name in
      let words: [UInt8]
      do throws(Fault) { words = try AtomicFile.read(FilePath("/proc") / "\(name)" / "cmdline", limit: 65_536) } catch {
        return nil
      }
      let text = String(decoding: words, as: UTF8.self)
      return text.hasPrefix("qemu") && text.contains("\(folder)/") ? text : nil
    }
  }
}

/// Owns a terminal without a window, 120 columns by 40 rows. One thread uses it; every wait has a limit.
final class PersonsTerminal {
  private let ours: Descriptor
  private var theirs: Int32
  let name: String
  private var said: [UInt8] = []

  init() throws(Fault) {
    var (first, second): (Int32, Int32) = (-1, -1)
    var window = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    var path = [CChar](repeating: 0, count: 128)
    guard openpty(&first, &second, nil, nil, &window) == 0, ttyname_r(second, &path, path.count) == 0 else {
      throw Fault.system("T-96", doing: "make a terminal")
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    _ = fcntl(second, F_SETFD, FD_CLOEXEC)
    ours = Descriptor(taking: first)
    theirs = second
    name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { letGo() }

  /// Once the program has it, so that its end is seen. Until the first byte came that is not sure.
  func isTheirs() {
    if next(until: .now + .seconds(60)) { letGo() }
  }

  private func letGo() {
    if theirs >= 0 { close(theirs) }
    theirs = -1
  }

  func type(_ text: String) throws(Fault) {
    try ours.writeAll(Array(text.utf8), code: "T-97", doing: "type")
  }

  func waitUntilItSays(_ words: String, within limit: Duration) throws(Fault) {
    let end = Moment.now + limit
    while said.firstRange(of: Array(words.utf8)) == nil {
      guard next(until: end) else { throw silence("it did not say \"\(words)\" within \(limit)") }
    }
  }

  /// Waits until the picture has changed again and again for `time`, with no break of more than half of that; how long
  /// the longest break was.
  func longestGap(for time: Duration, within limit: Duration) throws(Fault) -> Duration {
    let end = Moment.now + limit
    var longest = Duration.zero
    var first: Moment?
    var last = Moment.now
    while true {
      guard next(until: end) else { throw silence("nothing changed for so long as \(time) within \(limit)") }
      let gap = Moment.now - last
      last = .now
      if first == nil || gap > time / 2 {
        (first, longest) = (last, .zero)
        continue
      }
      longest = max(longest, gap)
      if let first, last - first >= time { return longest }
    }
  }

  func waitUntilStill(for time: Duration, within limit: Duration) throws(Fault) {
    let end = Moment.now + limit
    while next(until: .now + time) {
      guard Moment.now < end else { throw silence("it was not still for \(time) within \(limit)") }
    }
  }

  func readToItsEnd(within limit: Duration) {
    let end = Moment.now + limit
    while next(until: end) {}
  }

  /// False when nothing came, or the other end is gone.
  private func next(until: Moment) -> Bool {
    var request = pollfd(fd: ours.number, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(clamping: max((until - .now).milliseconds, 0))) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ours.number, &bytes, bytes.count)
    guard count > 0 else { return false }
    said = said.suffix(4_096) + bytes.prefix(count)
    return true
  }

  private func silence(_ words: String) -> Fault {
    Fault(.passing, "T-98", "\(words); last: \(shownPlain(String(decoding: said.suffix(600), as: UTF8.self)))")
  }
}
