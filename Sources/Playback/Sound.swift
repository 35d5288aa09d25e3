import Audio
import Formats
import Runtime

/// The sound path as the transport uses it. Calls return at once; what comes of them is told as news. Tests put
/// their own in its place.
package protocol Sound: AnyObject, Sendable {
  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint)
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint)
  /// More is known of what follows, and was not opened yet.
  func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry)
  /// Of all that is started from now on.
  func setShape(_ shape: SoundShape)
  /// The device is given more sound at a time. Nobody hears when that changes.
  func setDeepBuffer(_ isDeep: Bool)
  func halt(generation: UInt32)
  func pause()
  func resume()
  func setGain(_ gain: Double)
  /// Ends the threads; what is recorded is finished. `closed` is the last news.
  func shutdown()
  /// What the listener hears now; nil before the first sample of the last start. May be asked on any thread.
  var heard: Heard? { get }
  /// Readable when there are news.
  var bell: Int32 { get }
  /// The next of them; nil when there is none, and then the bell is silent.
  func takeNews() -> SoundNews?
}

extension Sound {
  /// For those that play nothing.
  package func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry) {}
}

/// What the sound path's threads tell, and the transport hears on the main loop.
package enum SoundNews: Sendable {
  case opened(EntryID, generation: UInt32, TrackInfo)
  case failed(EntryID, Fault, generation: UInt32)
  /// Decoded to its end, except for what was lost at so many damaged places.
  case finished(EntryID, damages: Int)
  case heard(EntryID, generation: UInt32)
  case drained(generation: UInt32)
  case deviceLost(Fault)
  case deviceBack
  /// The device plays other rates than was thought; what is decoded is of no use.
  case unfit(generation: UInt32)
  /// Nothing will be heard or recorded any more.
  case outputFailed(Fault)
  /// Both threads have ended, and a recording is whole.
  case closed

  var forPlayer: Player.News? {
    switch self {
    case .opened(let id, let generation, let info):
      .opened(id, generation: generation, info.item)
    case .failed(let id, let fault, let generation): .failed(id, fault, generation: generation)
    case .heard(let id, let generation): .heard(id, generation: generation)
    case .drained(let generation): .drained(generation: generation)
    case .closed, .finished, .unfit: nil
    case .deviceLost(let fault): .deviceLost(fault)
    case .deviceBack: .deviceBack
    case .outputFailed(let fault): .outputFailed(fault)
    }
  }
}

extension TrackInfo {
  fileprivate var item: Player.Item {
    Player.Item(length: playedFor, isSpoken: tags.isSpoken, isStreamed: isStreamed)
  }

  private var playedFor: Duration? {
    guard let length, format.sampleRate > 0 else { return nil }
    return Spot(frame: length, rate: format.sampleRate).elapsed
  }
}

extension Tags {
  /// A podcast or a book, by its genre: in words, or as ID3 numbers them.
  fileprivate var isSpoken: Bool {
    let genres = values("GENRE") + values("TCON") + values("GNRE")
    return genres.contains { genre in
      let genre = genre.lowercased()
      return ["podcast", "audiobook", "audio book", "speech"].contains { genre.has($0) }
        || ["(101)", "(183)", "(186)", "101", "183", "186"].contains(genre)
    }
  }
}
