internal import CAV

/// What the library is let near a file: kinds of files that hold music, and decoders of sound. No lists of other files
/// and nothing of the network; what the player plays by itself is here only where it is wrapped in something else.
enum Known {
  static let containers = [
    "aac", "loas", "mov", "mp4", "m4a", "3gp", "asf", "xwma", "ape", "wv", "mpc", "mpc8", "matroska", "webm", "dsf",
    "iff", "tta", "tak", "shn", "caf", "w64", "wav", "aiff", "au", "ogg", "ac3", "eac3", "dts", "dtshd", "truehd",
    "mlp",
    "amr", "amrnb", "amrwb", "oma", "rm", "voc",
  ].joined(separator: ",")

  static let decoders =
    ([
      "aac", "aac_latm", "alac", "ape", "wavpack", "tta", "tak", "shorten", "mpc7", "mpc8", "wmav1", "wmav2", "wmapro",
      "wmalossless", "wmavoice", "ac3", "eac3", "dca", "truehd", "mlp", "flac", "vorbis", "opus", "speex", "mp1float",
      "mp2float", "mp3float", "mp1", "mp2", "mp3", "dsd_lsbf", "dsd_msbf", "dsd_lsbf_planar", "dsd_msbf_planar", "dst",
      "cook", "sipr", "ralf", "atrac1", "atrac3", "atrac3al", "atrac3plus", "atrac3plusal", "amrnb", "amrwb", "gsm",
      "gsm_ms", "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "adpcm_yamaha", "adpcm_swf", "g722", "g726", "g726le",
      "pcm_alaw", "pcm_mulaw", "pcm_s8", "pcm_u8", "pcm_s8_planar", "pcm_f16le", "pcm_f24le",
    ]
    + ["s16", "s24", "s32", "s64", "u16", "u24", "u32", "f32", "f64"].flatMap { ["pcm_\($0)le", "pcm_\($0)be"] }
    + ["s16le", "s16be", "s24le", "s32le"].map { "pcm_\($0)_planar" }).joined(separator: ",")

  /// Tags under the names that FLAC and Vorbis give them.
  static func tagName(_ key: String) -> String {
    switch key.lowercased() {
    case "track": "TRACKNUMBER"
    case "disc": "DISCNUMBER"
    case "album_artist": "ALBUMARTIST"
    default: key
    }
  }
}
