import Canvas
import Hardware
import Panel
import Pictures
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

  /// Of stripes, as busy as a cover can be.
  static func cover(_ side: Int) -> Picture? {
    let pixels = (0..<side * side).map { at -> UInt32 in (at % side + at / side) / 5 % 2 == 0 ? 0x2E546E : 0x8A4B2D }
    return Picture(size: Size(width: side, height: side), pixels: pixels)
  }

  /// As large as a row's at 800x480.
  static let covers: [MenuArt: Picture] = {
    guard let cover = PanelScreens.cover(56) else { return [:] }
    return Dictionary(uniqueKeysWithValues: (0..<Int64(rows.count)).map { (MenuArt.track($0), cover) })
  }()

  /// One that fills the screen, at another step each time.
  func state(_ step: Int, on canvas: Canvas) {
    let facts = PanelFacts { $0.importing = .init("BLUE 2", seen: step % 100, total: 100, left: .seconds(100)) }
    var now = NowPlaying()
    now.take(PanelState.all(of: facts, by: .all, .english))
    music.draw(now, on: canvas)
  }

  func play(_ second: Int, title: String = "So What", cover: Picture? = nil, on canvas: Canvas) {
    var now = NowPlaying()
    now.cover = cover
    (now.title, now.artist, now.album) = (title, "Miles Davis", "Kind of Blue")
    (now.position, now.duration, now.volume) = (.seconds(second % 500), .seconds(562), 42)
    (now.state, now.index, now.count, now.upNext) = (.playing, 2, 12, "Freddie Freeloader")
    music.draw(now, on: canvas)
  }

  private static let rows = (0..<200).map { number in
    MenuRow("A song with a name of its own, number \(number)") {
      ($0.detail, $0.art) = ("Somebody \(number % 17)", .track(Int64(number)))
    }
  }

  func list(_ step: Int, covers: [MenuArt: Picture] = [:], on canvas: Canvas) {
    let first = step % 150
    let shown = ShownMenu {
      $0.title = "Songs"
      $0.covers = covers
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
