import Runtime

/// What a player says of its music at one moment.
struct MusicSign: Equatable {
  let isPlaying: Bool
  /// Which entry of the queue, by whatever name the player has for it.
  let entry: String
  let seconds: Double

  init(isPlaying: Bool, entry: String, seconds: Double) {
    (self.isPlaying, self.entry, self.seconds) = (isPlaying, entry, seconds)
  }

  /// Nil when it has no place to tell, as before the first music.
  init?(layby answer: JSON) {
    guard let status = answer["status"], let state = status["state"]?.string, let index = status["index"]?.whole,
      let seconds = status["position_s"]?.double
    else { return nil }
    let waits = status["waits_for_device"]?.truth ?? false
    self.init(isPlaying: state == "playing" && !waits, entry: "\(index)", seconds: seconds)
  }

  init?(mpd lines: [String]) {
    func value(_ key: String) -> String? {
      lines.first { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.count + 2)) }
    }
    guard let state = value("state"), let song = value("song"), let seconds = value("elapsed").flatMap({ Double($0) })
    else { return nil }
    self.init(isPlaying: state == "play", entry: song, seconds: seconds)
  }
}

/// Whether music is heard, judged from signs alone: it plays, and its place moves on. The first sign of a new run is the
/// place it has saved, or already a later one; so what this calls moving has moved from the saved place, and the
/// judgement comes late rather than early.
struct MusicWatch {
  private(set) var first: MusicSign?

  mutating func isHeard(_ sign: MusicSign?) -> Bool {
    guard let sign, sign.isPlaying else { return false }
    guard let first, first.entry == sign.entry else {
      self.first = sign
      return false
    }
    return sign.seconds > first.seconds
  }
}
