import Audio
import Runtime

/// What a file says about itself, as soon as it has been opened.
package struct Track: Equatable, Sendable {
  package var title: String
  package var artist = ""
  package var album = ""
  package var number: Int?
  package var rate: Int32 = 0
  package var bits: Int32 = 0
  package var frames: Int64?

  /// Of a file nobody has opened yet: its name without the ending is better than nothing.
  package init(named path: FilePath) {
    let name = path.name.description
    let ending = path.ending
    title = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }

  package init(path: FilePath, tags: Tags, format: AudioFormat, frames: Int64?) {
    self.init(named: path)
    if let tagged = tags.title { title = tagged }
    artist = tags.artist ?? ""
    album = tags.album ?? ""
    number = tags.trackNumber
    rate = format.sampleRate
    bits = format.bitsPerSample
    self.frames = frames
  }

  package var duration: Duration? {
    guard let frames, rate > 0 else { return nil }
    let rate = Int64(rate)
    return .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
  }
}
