import Canvas

/// The signs of the panel, drawn as shapes so that no font has to have them. Each fills a square.
///
/// Where one reads from the right, words, rows and what stands beside them change sides; signs stand at the other place
/// and look as they do everywhere, but for those that point along the line: the chevron, and the speaker, whose waves go
/// to its bar. What is on a player's keys is not turned round, nor is the bar of the time, nor a clock's digits: so ask
/// Microsoft's guide to mirroring (learn.microsoft.com/globalization/fonts-layout/mirroring: forward and rewind have the
/// same orientation in both layouts), Android's car library and KDE Plasma's player; Android's own speaker is among the
/// icons that do turn (`Icons.AutoMirrored.Filled.VolumeUp`).
enum Sign: Int {
  case playing = 1
  case paused, stopped, waiting, starting
  /// The louder, the more waves; crossed out at 0.
  case silent, quiet, middling, loud
  /// Two arrows that chase each other.
  case repeats
  /// Two ways that cross.
  case shuffle
  /// A crescent: what one circle leaves of another.
  case moon
  /// A triangle, and a mark of exclamation to be drawn in it.
  case warning, exclamation
  /// It leads on.
  case chevron
  /// The one that counts now.
  case dot
  /// Fetched and kept; some of it; here as long as its room is not needed; coming from the network; not here;
  /// on its way; a clock, for what is still to come.
  case stored, partly, cached, streamed, away, coming, later
  /// More can be done with it.
  case dots
  /// There is more that way.
  case up, down
  /// Two quavers under one beam.
  case note
  /// A list.
  case lines
  case less, more
  /// One step back.
  case back
  /// To the track behind, or before.
  case next, previous
  /// Its inside is drawn in it, by how full it is; a bolt while it is being filled.
  case battery, hollow, bolt
  /// A network that is not there; an arrow into a tray.
  case offline, importing
  case padlock

  init(_ state: NowPlaying.State) {
    self =
      switch state {
      case .playing: .playing
      case .paused: .paused
      case .stopped: .stopped
      case .waiting: .waiting
      case .starting: .starting
      }
  }

  init(volume: Int) {
    self =
      switch volume {
      case ..<1: .silent
      case ..<34: .quiet
      case ..<67: .middling
      default: .loud
      }
  }

  private var turnsRound: Bool {
    switch self {
    case .chevron, .back, .silent, .quiet, .middling, .loud: true
    default: false
    }
  }

  func draw(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    canvas.fill(rawValue, in: rect, turnsRound: turnsRound, colour) { outlines }
  }

  static func drawWarning(in rect: Rect, on canvas: Canvas, _ colour: Pixel, mark: Pixel) {
    Sign.warning.draw(in: rect, on: canvas, colour)
    Sign.exclamation.draw(in: rect, on: canvas, mark)
  }

  /// Numbers of batteries that are as full as that.
  private static let fullness = 1_000

  static func drawBattery(level: Int, isPlugged: Bool, in rect: Rect, on canvas: Canvas, _ colour: Pixel, ground: Pixel)
  {
    let level = min(max(level, 0), 100)
    Sign.battery.draw(in: rect, on: canvas, colour)
    Sign.hollow.draw(in: rect, on: canvas, ground)
    canvas.fill(fullness + level, in: rect, colour) {
      [SignShapes.box(0.08, 0.32, 0.08 + 0.74 * Double(level) / 100, 0.68)]
    }
    if isPlugged { Sign.bolt.draw(in: rect, on: canvas, colour) }
  }
}
