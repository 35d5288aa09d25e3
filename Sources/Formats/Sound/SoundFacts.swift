/// What a file says of its sound, and where its pictures lie. What only a decoder would know is zero or nil.
package struct SoundFacts: Sendable {
  /// As people call it: "FLAC", "MP3", "Vorbis", "Opus", "WAV", "AIFF", "AAC", "ALAC", "WMA" and others.
  package internal(set) var codec = ""
  package internal(set) var rate: Int32 = 0
  package internal(set) var bits: Int32 = 0
  package internal(set) var channels: Int32 = 0
  /// At `rate`. As the format states it, or reckoned from its first frames.
  package internal(set) var frames: Int64?
  /// The bytes of sound without the tags around it.
  package internal(set) var audio: Range<Int64> = 0..<0
  package internal(set) var art: [ArtPlace] = []
  /// iTunes' note of the length (`TagField.gapless`) is believed: no other encoder's note says it better.
  package internal(set) var believesGaplessNote = false
}
