import Formats
import Runtime
import Synchronization

/// What the decode thread was last told to do. Later orders take the place of earlier ones, so it never has to hurry
/// after a queue of skips.
struct DecodeOrders: Sendable {
  struct Track: Equatable, Sendable {
    var entry: UInt64
    var music: Music
    var hint = LoudnessHint.none
  }

  enum Music: Equatable, Sendable {
    case file(FilePath)
    case chime

    var path: FilePath? { if case .file(let path) = self { path } else { nil } }

    /// With a finder, the file may lie elsewhere, or still be coming.
    func open(asking help: ForeignHelp, finding finder: (any MusicFinder)? = nil) throws(Fault) -> OpenedMusic {
      switch self {
      case .file(let path):
        guard let finder else { return OpenedMusic(decoder: try openDecoder(path, asking: help)) }
        return try finder.open(path, asking: help)
      case .chime: return OpenedMusic(decoder: Chime())
      }
    }
  }

  enum Change: Equatable, Sendable {
    case none
    case start(Track, at: TrackPlace, generation: UInt32)
    case halt
  }

  var change = Change.none
  /// What comes after what is being decoded. Taken when it is opened; until then it can be another.
  var follow: Track? {
    didSet {
      isAnswered = true
      isTaken = false
    }
  }
  /// What was to follow is being opened, and nothing else was said since.
  private(set) var isTaken = false
  /// What was learned of it while it was being opened, should that be put off.
  private var late: (entry: UInt64, hint: LoudnessHint)?
  /// The main loop has said what follows the file that was opened last, be it nothing.
  var isAnswered = false
  /// How all of it shall sound; taken up with the next start.
  var shape = SoundShape()

  mutating func start(_ track: Track, at place: TrackPlace, generation: UInt32) {
    change = .start(track, at: place, generation: generation)
    follow = nil
    isAnswered = false
  }

  mutating func takeFollower() -> Track? {
    guard change == .none, let track = follow else { return nil }
    follow = nil
    isTaken = true
    late = nil
    return track
  }

  /// More is known of what is to follow; what was opened already keeps what it has.
  mutating func hint(_ hint: LoudnessHint, for entry: UInt64) {
    if follow?.entry == entry { follow?.hint = hint }
    if isTaken { late = (entry, hint) }
  }

  /// It could not be opened yet.
  mutating func putOff(_ track: Track) {
    guard isTaken else { return }
    let late = late
    follow = track
    if let late { hint(late.hint, for: late.entry) }
  }

  mutating func halt() {
    change = .halt
    follow = nil
  }
}

/// What the main loop knows of a track that the file, or its decoder, may not say.
package struct LoudnessHint: Equatable, Sendable {
  /// As an import read it from all tags of the file. It goes before what the decoder reads.
  package var tagged = LoudnessFacts()
  /// As it was measured.
  package var measured = LoudnessFacts()
  /// It is played as part of its album.
  package var isInAlbum = false

  package static let none = LoudnessHint()

  package init(
    tagged: LoudnessFacts = LoudnessFacts(), measured: LoudnessFacts = LoudnessFacts(), isInAlbum: Bool = false
  ) {
    self.tagged = tagged
    self.measured = measured
    self.isInAlbum = isInAlbum
  }
}

/// What is done to the music between its files and the device.
package struct SoundShape: Equatable, Sendable {
  package var effects = EffectSettings.nothing
  /// How long one track is heard together with the next.
  package var crossfade = Duration.zero
  /// Between the tracks of one album too.
  package var crossfadesInAlbums = false

  package init() {}
}

/// What the decode thread tells the main loop.
package enum DecodeNews: Sendable, Equatable {
  /// It is taken up and works; what follows it may be given now.
  case opened(entry: UInt64, generation: UInt32, TrackInfo)
  /// All its frames are in the ring, but for what was lost at so many damaged places.
  case finished(entry: UInt64, generation: UInt32, damages: Int)
  /// It cannot be opened, not be decoded any further, or not be played by the device.
  case failed(entry: UInt64, generation: UInt32, Fault)
}

package struct TrackInfo: Sendable, Equatable {
  package var format: AudioFormat
  /// In frames, when the file says.
  package var length: Int64?
  package var tags: Tags
  /// Some of it comes from elsewhere while it is played.
  package var isStreamed = false
}
