/// Which channel belongs to which speaker.
package enum ChannelOrder: Equatable, Sendable {
  /// Of FLAC; WAV files without a mask and AIFF files are written so too.
  case flac
  /// Of Vorbis and Opus.
  case vorbis
  /// A bit a speaker, as WAV files say it; channels stand in the order of their bits.
  case mask(UInt32)
}
