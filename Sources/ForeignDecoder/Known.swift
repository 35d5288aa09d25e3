internal import CAV

/// What FFmpeg may use on a file: kinds of files that hold music, and decoders of sound. No lists of other files
/// and nothing of the network; what the player plays by itself is here only where it is wrapped in something else.
/// image/lib/formats.sh reads both lists, word by word: the boards' libraries are built with these and nothing else.
enum Known {
  static let containers = [
    "aac", "loas", "mov", "mp4", "m4a", "3gp", "asf", "xwma", "ape", "wv", "mpc", "mpc8", "matroska", "webm", "dsf",
    "iff", "tta", "tak", "shn", "caf", "w64", "wav", "aiff", "au", "ogg", "ac3", "eac3", "dts", "dtshd", "truehd",
    "mlp", "amr", "amrnb", "amrwb", "oma", "rm", "voc",
  ].joined(separator: ",")

  static let decoders = [
    "aac", "aac_latm", "alac", "ape", "wavpack", "tta", "tak", "shorten", "mpc7", "mpc8", "wmav1", "wmav2", "wmapro",
    "wmalossless", "wmavoice", "ac3", "eac3", "dca", "truehd", "mlp", "flac", "vorbis", "opus", "speex", "mp1float",
    "mp2float", "mp3float", "mp1", "mp2", "mp3", "dsd_lsbf", "dsd_msbf", "dsd_lsbf_planar", "dsd_msbf_planar", "dst",
    "cook", "sipr", "ralf", "atrac1", "atrac3", "atrac3al", "atrac3plus", "atrac3plusal", "amrnb", "amrwb", "gsm",
    "gsm_ms", "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "adpcm_yamaha", "adpcm_swf", "g722", "g726", "g726le",
    "pcm_alaw", "pcm_mulaw", "pcm_s8", "pcm_u8", "pcm_s8_planar", "pcm_s16le_planar", "pcm_s16be_planar",
    "pcm_s24le_planar", "pcm_s32le_planar", "pcm_f16le", "pcm_f24le", "pcm_s16le", "pcm_s24le", "pcm_s32le",
    "pcm_s64le", "pcm_u16le", "pcm_u24le", "pcm_u32le", "pcm_f32le", "pcm_f64le", "pcm_s16be", "pcm_s24be",
    "pcm_s32be", "pcm_s64be", "pcm_u16be", "pcm_u24be", "pcm_u32be", "pcm_f32be", "pcm_f64be",
  ].joined(separator: ",")

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
