import Canvas
import Hardware
import Panel
import Runtime

/// The screens that are measured, with something on them.
struct PanelScreens {
  private let music: NowPlayingScreen
  private let menu: MenuScreen

  init() throws(Fault) {
    let settings = Settings()
    let look = PanelLook(
      type: try PanelType(regular: settings[.panelFont], bold: settings[.panelBoldFont]))
    (music, menu) = (NowPlayingScreen(look), MenuScreen(look))
  }

  func play(_ second: Int, title: String = "So What", on canvas: Canvas) {
    var now = NowPlaying()
    (now.title, now.artist, now.album) = (title, "Miles Davis", "Kind of Blue")
    (now.position, now.duration, now.volume) = (.seconds(second % 500), .seconds(562), 42)
    (now.state, now.index, now.count, now.upNext) = (.playing, 2, 12, "Freddie Freeloader")
    music.draw(now, on: canvas)
  }

  private static let rows = (0..<200).map { number in
    MenuRow("A song with a name of its own, number \(number)") { $0.detail = "Somebody \(number % 17)" }
  }

  func list(_ step: Int, on canvas: Canvas) {
    let first = step % 150
    let shown = ShownMenu {
      $0.title = "Songs"
      $0.content = .rows(Array(Self.rows[first..<first + 24]), focus: 12, goesOn: true, goesBack: true)
    }
    menu.draw(shown, on: canvas)
  }

  /// Ten thousand letters, each of another script than the one before.
  static let madeUp: String = {
    let firsts: [UInt32] = [0x41, 0x410, 0x5D0, 0x627, 0x915, 0xE01, 0x3042, 0x4E00, 0xAC00, 0x1F600]
    var text = String.UnicodeScalarView()
    for index in 0..<10_000 {
      let (first, step) = (firsts[index % firsts.count], UInt32(index / firsts.count % 20))
      if let scalar = Unicode.Scalar(first + step) { text.append(scalar) }
      // A heap of accents on each seventh.
      if index % 7 == 0, let accent = Unicode.Scalar(0x300 + step) { for _ in 0..<9 { text.append(accent) } }
    }
    return String(text)
  }()
}
