import Formats

/// What a file says of itself, as the catalogue keeps it. Every text is clean and bounded; nothing is made up: what the
/// file leaves open stays nil, empty or zero.
package struct Metadata: Equatable, Sendable {
  package enum Kind: Int, Sendable {
    case music = 0
    case book = 1
    case podcast = 2
  }

  package var title: String?
  package var album: String?
  package var titleSort: String?
  package var artistSort: String?
  package var albumSort: String?
  package var albumArtistSort: String?
  package var artists: [String] = []
  package var albumArtists: [String] = []
  package var composers: [String] = []
  package var genres: [String] = []
  package var isCompilation = false
  package var kind = Kind.music
  package var disc: Int?
  package var discs: Int?
  package var track: Int?
  package var tracks: Int?
  package var year: Int?
  package var loudness = LoudnessFacts()
  /// As people call it: "FLAC", "MP3", "Vorbis", "Opus", "WAV", "AIFF", "AAC", "ALAC", "WMA" and others.
  package var codec = ""
  /// Zero where only a decoder would know.
  package var rate: Int32 = 0
  package var bits: Int32 = 0
  package var channels: Int32 = 0
  /// At `rate`. As the format states it, or reckoned from its first frames.
  package var frames: Int64?
  /// The bytes of sound without the tags around it: they stay the same when the file is tagged anew.
  package var audio: Range<Int64> = 0..<0
  package var art: [ArtPlace] = []
  /// What texts were taken for that do not say their encoding; nil when there was nothing to guess.
  package var encoding: TextEncoding?

  package init() {}

  init(_ sound: SoundFacts) {
    (codec, rate, bits, channels) = (sound.codec, sound.rate, sound.bits, sound.channels)
    (frames, audio, art) = (sound.frames, sound.audio, sound.art)
  }
}
