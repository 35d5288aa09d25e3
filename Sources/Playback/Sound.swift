import Audio
import Formats
import Runtime

/// The sound path as `Transport` sees it. Calls return immediately; their results arrive as news. Tests use a fake.
package protocol Sound: AnyObject, Sendable {
  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint)
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint)
  /// Updates the loudness of the entry that follows, if it has not been opened yet.
  func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry)
  /// The effects for everything that is started from now on.
  func setShape(_ shape: SoundShape)
  /// Whether the device is filled further ahead, to save power. The change is not audible.
  func setDeepBuffer(_ isDeep: Bool)
  func halt(generation: UInt32)
  func pause()
  func resume()
  func setGain(_ gain: Double)
  /// Ends the threads and finishes a recording. `closed` is the last news.
  func shutdown()
  /// What is audible now; nil until the first sample after the last `start`. Any thread may ask.
  var heard: Heard? { get }
  /// A file descriptor that becomes readable when there is news.
  var bell: Int32 { get }
  /// The next piece of news; nil when there is none, which also resets the bell.
  func takeNews() -> SoundNews?
}

extension Sound {
  /// For fakes that play nothing.
  package func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry) {}
}

/// What the sound path's threads report; `Transport` handles it on the main loop.
package enum SoundNews: Sendable {
  case opened(EntryID, generation: UInt32, TrackInfo)
  case failed(EntryID, Fault, generation: UInt32)
  /// The entry was decoded to its end; `damages` counts the damaged places that were passed over.
  case finished(EntryID, damages: Int)
  case heard(EntryID, generation: UInt32)
  case drained(generation: UInt32)
  case deviceLost(Fault)
  case deviceBack
  /// The device does not support the sample rate that was decoded for, so the track must be started again.
  case unfit(generation: UInt32)
  /// The output failed for good: nothing can be played or recorded any more.
  case outputFailed(Fault)
  /// Both threads have ended, and a recording is complete.
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
    Player.Item(length: playedFor, isSpoken: tags.isSpoken, isStreamed: isStreamed, chapters: tags.chapters)
  }

  private var playedFor: Duration? {
    guard let length, format.sampleRate > 0 else { return nil }
    return Spot(frame: length, rate: format.sampleRate).elapsed
  }
}

extension Tags {
  /// Whether the genre says podcast or audiobook, in words or as an ID3 genre number.
  fileprivate var isSpoken: Bool {
    let genres = values("GENRE") + values("TCON") + values("GNRE")
    return genres.contains { genre in
      let genre = genre.lowercased()
      return ["podcast", "audiobook", "audio book", "speech"].contains { genre.has($0) }
        || ["(101)", "(183)", "(186)", "101", "183", "186"].contains(genre)
    }
  }
}
