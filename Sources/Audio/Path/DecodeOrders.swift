import Formats
import Runtime
import Synchronization

/// What the decode thread was last told to do. A later order replaces an earlier one, so that ten quick skips are not
/// worked through one after the other.
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

    /// With a finder, the music may come from elsewhere, or may still be downloading.
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
  /// The track that follows the current one. It can be replaced until it is taken to be opened.
  var follow: Track? {
    didSet {
      isAnswered = true
      isTaken = false
    }
  }
  /// The follower was taken to be opened, and no other was named since.
  private(set) var isTaken = false
  /// The loudness that was reported while it was being opened, in case the opening is put off.
  private var late: (entry: UInt64, hint: LoudnessHint)?
  /// The main loop has said what follows the file that was opened last, even if that is nothing.
  var isAnswered = false
  /// The effects; they apply from the next start on.
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

  /// Updates the follower's loudness. A track that is open already keeps its gain.
  mutating func hint(_ hint: LoudnessHint, for entry: UInt64) {
    if follow?.entry == entry { follow?.hint = hint }
    if isTaken { late = (entry, hint) }
  }

  /// Gives the follower back: it could not be opened yet and is tried again.
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

/// What the library knows of a track's loudness, which its file or decoder may not say.
package struct LoudnessHint: Equatable, Sendable {
  /// From the tags, as an import read them. It takes precedence over what the decoder reads.
  package var tagged = LoudnessFacts()
  /// As it was measured.
  package var measured = LoudnessFacts()
  /// Whether the track is played as part of its album, so that the album's gain applies.
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

/// The effects that are applied between the decoder and the device.
package struct SoundShape: Equatable, Sendable {
  package var effects = EffectSettings.nothing
  /// The length of the crossfade; zero for none.
  package var crossfade = Duration.zero
  /// Whether tracks of one album are crossfaded too.
  package var crossfadesInAlbums = false

  package init() {}
}

/// What the decode thread tells the main loop.
package enum DecodeNews: Sendable, Equatable {
  /// The file is open and can be decoded; the main loop may name its follower now.
  case opened(entry: UInt64, generation: UInt32, TrackInfo)
  /// All its frames are in the ring; `damages` counts the damaged places that were passed over.
  case finished(entry: UInt64, generation: UInt32, damages: Int)
  /// It cannot be opened, cannot be decoded any further, or cannot be played by the device.
  case failed(entry: UInt64, generation: UInt32, Fault)
}

package struct TrackInfo: Sendable, Equatable {
  package var format: AudioFormat
  /// In frames; nil when the file does not say.
  package var length: Int64?
  package var tags: Tags
  /// Whether some of it is still downloading while it is played.
  package var isStreamed = false
}
