import Formats
import Testing

@Suite("What tags say of loudness and gaps")
struct TagValuesTests {
  @Test(
    "what a file says of its loudness is understood, and nonsense is not",
    arguments: [
      ("REPLAYGAIN_TRACK_GAIN", "-6.54 dB", -6.54), ("REPLAYGAIN_TRACK_GAIN", "+3.2 DB", 3.2),
      ("REPLAYGAIN_TRACK_GAIN", "0", 0), ("REPLAYGAIN_TRACK_GAIN", "-6,5dB", -6.5),
      ("TXXX:REPLAYGAIN_TRACK_GAIN", "-7.00 dB", -7), ("REPLAYGAIN_TRACK_GAIN", "51", 51),
      ("REPLAYGAIN_TRACK_GAIN", "51.01 dB", nil), ("REPLAYGAIN_TRACK_GAIN", "-1e1 dB", nil),
      ("REPLAYGAIN_TRACK_GAIN", "nan", nil), ("REPLAYGAIN_TRACK_GAIN", "inf dB", nil),
      ("REPLAYGAIN_TRACK_GAIN", "dB", nil), ("REPLAYGAIN_TRACK_GAIN", "-", nil), ("REPLAYGAIN_TRACK_GAIN", ".", nil),
      ("REPLAYGAIN_TRACK_GAIN", "--3", nil), ("REPLAYGAIN_TRACK_GAIN", "1.2.3", nil),
      ("REPLAYGAIN_TRACK_GAIN", "0x10", nil), ("REPLAYGAIN_TRACK_GAIN", "1 2", nil),
      ("REPLAYGAIN_TRACK_GAIN", "99999999999999999999999999", nil),
      ("R128_TRACK_GAIN", "0", 5), ("R128_TRACK_GAIN", "-1280", 0), ("R128_TRACK_GAIN", "256", 6),
      ("R128_TRACK_GAIN", "-14336", -51), ("R128_TRACK_GAIN", "-14337", nil), ("R128_TRACK_GAIN", "32767", nil),
      ("R128_TRACK_GAIN", "40000", nil), ("R128_TRACK_GAIN", "1.5", nil), ("R128_TRACK_GAIN", "", nil),
    ])
  func trackGain(key: String, text: String, gain: Double?) {
    var tags = Tags()
    tags.add(key, text)
    #expect(tags.loudness == LoudnessFacts(trackGain: gain))
  }

  @Test("each value goes to its place; R128 comes before ReplayGain, the first that makes sense before the others")
  func places() {
    var tags = Tags()
    for (key, value) in [
      ("replaygain_album_gain", "-3 dB"), ("replaygain_album_peak", "1.25"), ("replaygain_track_peak", "0.0"),
      ("replaygain_track_peak", "0.5"), ("replaygain_track_gain", "much"), ("replaygain_track_gain", "-9 dB"),
      ("R128_ALBUM_GAIN", "-512"),
    ] { tags.add(key, value) }
    #expect(tags.loudness == LoudnessFacts(trackGain: -9, trackPeak: 0.5, albumGain: 3, albumPeak: 1.25))
    #expect(Tags().loudness == LoudnessFacts() && tags.loudness != LoudnessFacts())
  }

  @Test(
    "iTunes' note of delay and length is understood, and nonsense is not",
    arguments: [
      (" 00000000 00000210 00000A2C 000000000011E6C4 00000000 0002D6D8 00000000", 528, 1_173_188),
      ("0 240 0 1", 576, 1), ("00000000 00000210 00000A2C", nil, nil), ("", nil, nil), ("0 210 0 0", nil, nil),
      ("0 -210 0 5", nil, nil), ("0 FFFFFFFF 0 5", nil, nil), ("0 210 0 FFFFFFFFFFFFFFFF", nil, nil),
      ("0 210 x 5", nil, nil),
    ] as [(String, Int64?, Int64?)])
  func gaplessNote(text: String, delay: Int64?, frames: Int64?) {
    let note = GaplessNote(text)
    #expect(note?.delay == delay && note?.frames == frames)
  }
}
