import Canvas
import Library
import Playback
import Runtime

/// The panel at work, on the deck: draws what plays when it has changed, and once a second while time passes on it.
/// With nowhere to show it draws only when somebody asks for a picture, and never wakes the board.
@Deck
package final class PanelPart: Part {
  nonisolated package let name = "panel"
  private let canvas: Canvas
  private let screen: NowPlayingScreen
  private let transport: Transport
  private let notices: NoticeBoard
  private var terminal: Terminal?
  private var shown: NowPlaying?
  private var ticker: Task<Void, Never>?
  private var help: String?
  private var catchingUp: Task<Void, Never>?
  private let log = Log("panel")

  package init(
    size: Size, type: PanelType, transport: Transport, notices: NoticeBoard, terminal: Terminal?
  ) {
    canvas = Canvas(size: size)
    screen = NowPlayingScreen(type: type)
    self.transport = transport
    self.notices = notices
    self.terminal = terminal
  }

  package func run() async throws(Fault) {
    let events = Mailbox<PlayerEvent>()
    transport.follow(events)
    if terminal != nil {
      show()
      while await events.receive() != nil {
        // A knob that is turned fast sends many; the last one counts.
        while events.tryReceive() != nil {}
        show()
      }
    } else {
      events.close()
      await Deck.loop.sleep(until: Moment(nanoseconds: .max))
    }
    events.close()
    ticker?.cancel()
    catchingUp?.cancel()
    terminal?.close()
  }

  /// The panel as a PNG, as it would look now.
  package func picture() throws(Fault) -> [UInt8] {
    draw()
    return try PNG.encode(canvas)
  }

  /// One line that stands below the picture in a terminal until the next.
  package func showHelp(_ text: String) {
    help = help == text ? nil : text
    show()
  }

  package func resized() {
    guard let terminal else { return }
    do throws(Fault) { try terminal.resize(to: Terminal.measure(terminal.number)) } catch { lose(terminal, error) }
    shown = nil
    canvas.forgetShown()
    show()
  }

  private func draw() {
    let now = NowPlaying(transport.status, notice: notices.current(at: Deck.loop.now))
    guard now != shown else { return }
    screen.draw(now, on: canvas)
    shown = now
  }

  private func show() {
    guard var terminal else { return }
    Deck.loop.lately = "panel"
    draw()
    if let shown { terminal.caption = help ?? screen.caption(of: shown) }
    do throws(Fault) {
      try canvas.present(to: &terminal)
      if terminal.isBehind { catchUp(terminal) }
    } catch { return lose(terminal, error) }
    ticker?.cancel()
    ticker = Deck.start { if await Deck.loop.sleep(for: self.untilNextChange) { self.show() } }
  }

  /// A terminal that does not read (Ctrl-S) is waited for by one task, however many frames come meanwhile.
  private func catchUp(_ terminal: Terminal) {
    guard catchingUp == nil else { return }
    catchingUp = Deck.start {
      while terminal.isBehind, await Deck.loop.writable(terminal.number) {
        do throws(Fault) { try terminal.catchUp() } catch {
          self.lose(terminal, error)
          break
        }
      }
      self.catchingUp = nil
    }
  }

  private func lose(_ lost: Terminal, _ fault: Fault) {
    log.error("lost the terminal", ["reason": fault.message])
    terminal = nil
    ticker?.cancel()
  }

  /// To the next whole second of the position, or to the end of a notice.
  private var untilNextChange: Duration {
    let now = Deck.loop.now
    let status = transport.status
    var next: Duration = .seconds(86_400)
    if status.wish == .playing {
      next = .seconds(1) - .nanoseconds(status.place.elapsed.nanoseconds % 1_000_000_000) + .milliseconds(1)
    }
    if let notice = notices.current(at: now) { next = min(next, notice.at + NoticeBoard.shownFor - now) }
    return max(next, .milliseconds(1))
  }
}

extension NowPlaying {
  package init(_ status: PlayerStatus, notice: NoticeBoard.Posted?) {
    self.init()
    title = status.track?.title ?? ""
    artist = status.track?.artist ?? ""
    album = status.track?.album ?? ""
    position = status.place.elapsed
    duration = status.track?.duration
    volume = status.volume
    index = status.index ?? 0
    count = status.count
    upNext = status.next?.title
    self.notice = notice?.notice.message
    state =
      switch status.wish {
      case .playing: status.waitsForDevice ? .waiting : .playing
      case .paused: .paused
      case .stopped: .stopped
      }
    repeatMode =
      switch status.repeats {
      case .off: .off
      case .one: .one
      case .all: .all
      }
  }
}
