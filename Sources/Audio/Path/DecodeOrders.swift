import Runtime
import Synchronization

/// What the decode thread was last told to do. Later orders take the place of earlier ones, so it never has to hurry
/// after a queue of skips.
struct DecodeOrders: Sendable {
  struct Track: Equatable, Sendable {
    var entry: UInt64
    var music: Music
  }

  enum Music: Equatable, Sendable {
    case file(FilePath)
    case chime

    func open() throws(Fault) -> any Decoder {
      switch self {
      case .file(let path): try openDecoder(path)
      case .chime: Chime()
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
  var follow: Track?

  mutating func start(_ track: Track, at place: TrackPlace, generation: UInt32) {
    change = .start(track, at: place, generation: generation)
    follow = nil
  }

  mutating func halt() {
    change = .halt
    follow = nil
  }
}

/// What the decode thread tells the deck.
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
}
