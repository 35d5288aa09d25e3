import Canvas
import Pictures
import Runtime

/// All that the now-playing screen shows. Two equal values are the same picture, so who holds the last one shown knows
/// whether there is anything to draw.
package struct NowPlaying: Equatable, Sendable {
  package enum State: Sendable {
    case playing, paused, stopped
    /// It shall play, and waits for the music (a stick, the network).
    case waiting
    /// It cannot play yet, whatever it shall do.
    case starting
  }

  package enum Repeat: Sendable { case off, one, all }

  /// What is said in words beside the signs, as long as it lasts.
  package enum Condition: Sendable {
    /// Streamed music does not come in time, so nothing is heard.
    case loading
    /// What is fetched cannot be: what is stored plays on.
    case offline
  }

  /// Whether it falls asleep by itself, and when.
  package enum Sleep: Equatable, Sendable {
    case off, unknown
    /// Begun ones count: the last is the first.
    case minutes(Int)
  }

  /// What it runs on where there is one, in steps that an eye tells apart.
  package struct Battery: Equatable, Sendable {
    package let level: Int
    package let isPlugged: Bool

    package init(level: Int, isPlugged: Bool) {
      self.level = level > Self.low ? level / 10 * 10 : level
      self.isPlugged = isPlugged
    }

    private static let low = 20
    var isLow: Bool { level <= Self.low && !isPlugged }
  }

  package var title = ""
  package var artist = ""
  package var album = ""
  /// The name of the chapter that is heard; in a book one wants to know that more than what it is called twice.
  package var chapter: String?
  /// Below the artist.
  var origin: String { chapter ?? album }
  /// In whole seconds: nothing finer is shown.
  package var position: Duration = .zero { didSet { position = Self.shown(position) } }
  /// Nil while it is not known.
  package var duration: Duration? { didSet { duration = duration.map(Self.shown) } }
  package var volume = 0 { didSet { volume = min(max(volume, 0), 100) } }
  /// It is being turned, so it is shown.
  package var showsVolume = false
  /// The time of day; nil while the clock is not to be believed.
  package var clock: String?
  package var state = State.stopped
  /// Place in the queue, from 0.
  package var index = 0 { didSet { index = max(index, 0) } }
  /// 0: there is nothing to play.
  package var count = 0 { didSet { count = max(count, 0) } }
  package var repeatMode = Repeat.off
  package var isShuffled = false
  package var sleep = Sleep.off
  package var battery: Battery?
  package var condition: Condition?
  /// Music that was asked for is on its way.
  package var isFetching = false
  /// Takes the place of `upNext` while it is there.
  package var notice: String?
  /// The same where all of it has no room.
  var noticeInShort: String?
  /// The notice does not pass. Its first sentence is its title, and it looks like something to be seen to.
  package var noticeStands = false
  /// Shown as a notice that stands, while there is no other.
  var warning: PanelState?
  /// In place of the music when there is nothing to play, else in a few words beside it.
  var told: PanelState?
  package var upNext: String?
  /// Of what comes next, where there is a place for it.
  package var nextCover: Picture?
  /// As large as the screen's place for it, or smaller.
  package var cover: Picture?
  /// In the cover's colours, where it has some and the owner wants them.
  package var theme: Theme?

  /// Nil also where a file or a server claims that it is nothing: then only the elapsed time is shown.
  var length: Duration? { duration.flatMap { $0 > .zero ? $0 : nil } }

  package init() {}

  /// Sets what it likes and keeps the rest.
  package init(_ set: (inout NowPlaying) -> Void) { set(&self) }

  /// Begun ones too, so that nothing is left when none is.
  static func minutes(_ time: Duration) -> Int { Int(clamping: (max(0, time.milliseconds) + 59_999) / 60_000) }

  static func untilNextMinute(_ time: Duration) -> Duration {
    time <= .zero ? .seconds(60) : .milliseconds((time.milliseconds + 59_999) % 60_000 + 1)
  }

  /// A damaged file may claim any length.
  private static func shown(_ time: Duration) -> Duration {
    .seconds(min(max(0, time.components.seconds), 360_000_000))
  }
}

extension Duration {
  /// `4:05`, `1:02:03`; after a hundred hours the hours just get longer.
  package var clock: String {
    let seconds = max(0, components.seconds)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
