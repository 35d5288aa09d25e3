import Runtime

/// A format that albums come in: who encodes it, and who decodes it for comparison. Never ourselves.
struct GaplessFormat {
  /// Words of a command line; `in` and `out` stand for the files.
  struct Words {
    let words: [String]
    var program: String { words.first ?? "" }

    init(_ text: String) { words = text.split(separator: " ").map(String.init) }

    func filled(in source: FilePath, out target: FilePath) -> [String] {
      words.map { $0 == "in" ? "\(source)" : $0 == "out" ? "\(target)" : $0 }
    }
  }

  /// What the music out of Layby must be equal to.
  enum Reference {
    case original
    /// `tolerance`: of the 32 bits of a sample. `cut`: the decoder gives the encoder's padding too, which is no music.
    case decoder(Words, form: Recording.Form, tolerance: Int64 = 0, cut: Bool = false)
  }

  let name: String
  let ending: String
  let encoder: Words
  let reference: Reference
  var rate = 44_100
  /// It is decoded by a program of its own, which a small image leaves out.
  var isForeign = false

  var referenceName: String {
    switch reference {
    case .original: "original"
    case .decoder(let words, _, _, _): words.program
    }
  }

  /// Programs it takes, besides the player.
  var programs: [String] {
    switch reference {
    case .original: [encoder.program]
    case .decoder(let words, _, _, _): [encoder.program, words.program]
    }
  }

  /// Of 24 bits: what decoders give as floats is rounded to them, once.
  private static let step24: Int64 = 1 << 8
  /// What a reference gives in 16 bits it has rounded, by half a step of those.
  private static let halfStep16: Int64 = 1 << 15

  private static func ffmpeg(_ codec: String) -> Words {
    Words("ffmpeg -v error -nostdin -y -i in -map_metadata -1 -c:a \(codec) out")
  }

  static let all = [
    GaplessFormat(
      name: "FLAC", ending: "flac", encoder: Words("flac --silent --best -o out in"), reference: .original),
    GaplessFormat(
      name: "Ogg FLAC", ending: "oga", encoder: Words("flac --silent --ogg -o out in"), reference: .original),
    GaplessFormat(name: "WAV", ending: "wav", encoder: ffmpeg("pcm_s16le"), reference: .original),
    GaplessFormat(name: "AIFF", ending: "aiff", encoder: ffmpeg("pcm_s16be"), reference: .original),
    GaplessFormat(name: "ALAC", ending: "m4a", encoder: ffmpeg("alac"), reference: .original, isForeign: true),
    GaplessFormat(
      name: "MP3", ending: "mp3", encoder: Words("lame --silent -b 192 in out"),
      reference: .decoder(Words("mpg123 -q -O out in"), form: .s16)),
    GaplessFormat(
      name: "Ogg Vorbis", ending: "ogg", encoder: Words("oggenc -Q -q 6 -o out in"),
      reference: .decoder(Words("oggdec -Q -R -b 16 -o out in"), form: .s16, tolerance: halfStep16 + step24)),
    GaplessFormat(
      name: "Opus", ending: "opus", encoder: Words("opusenc --quiet --bitrate 160 in out"),
      reference: .decoder(Words("opusdec --quiet --float in out"), form: .f32, tolerance: step24), rate: 48_000),
    GaplessFormat(
      name: "AAC", ending: "m4a", encoder: ffmpeg("aac -b:a 192k"),
      reference: .decoder(
        Words("ffmpeg -v error -nostdin -y -i in -f f32le out"), form: .f32, tolerance: step24, cut: true),
      isForeign: true),
  ]
}
