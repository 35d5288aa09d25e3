import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Foreign files", .enabled(if: Foreign.canRun, Foreign.why))
struct ForeignTests {
  let folder = TempFolder()

  @Test(
    "that lose nothing give the original, to the bit and to the sample",
    arguments: [
      ("m4a", "alac", 44_100, 2, 16), ("m4a", "alac", 96_000, 2, 24), ("m4a", "alac", 48_000, 1, 16),
      ("wv", "wavpack", 44_100, 2, 16), ("wv", "wavpack", 192_000, 2, 16), ("tta", "tta", 44_100, 2, 16),
      ("mka", "flac", 44_100, 2, 16), ("caf", "alac", 44_100, 2, 16),
    ])
  func lossless(ending: String, codec: String, rate: Int, channels: Int, bits: Int) throws {
    let path = folder.path / "a.\(ending)"
    let signal = Signal(rate: Int32(rate), channels: channels, bits: bits, frames: 70_001)
    try signal.write(path, ["-c:a", codec])
    let decoder = try Foreign.open(path)
    #expect(
      decoder.format
        == AudioFormat(
          sampleRate: Int32(rate), channels: Int32(channels), bitsPerSample: Int32(bits), lossless: true))
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    #expect(decoder.damages == 0)
    if decoder.lengthIsStated { #expect(decoder.length == 70_001) }
  }

  @Test("of five speakers and a bass are folded as ours are", arguments: [3, 5, 6, 8])
  func folded(channels: Int) throws {
    let signal = Signal(channels: channels, frames: 20_000)
    let ours = folder.path / "a.flac"
    try signal.writeFLAC(ours)
    let path = folder.path / "a.wv"
    try signal.write(path, ["-c:a", "wavpack"])
    #expect(difference(try Foreign.open(path).readAll(), try openDecoder(ours).readAll()) == nil)
  }

  @Test("of more channels than are folded are refused in just those words")
  func manyChannels() throws {
    let path = folder.path / "a.caf"
    try Signal(frames: 5_000).write(path, ["-ac", "16", "-c:a", "pcm_s16le"])
    let fault = try faultOf { try openDecoder(path) }
    #expect(fault.code == "A-212" && fault.message.contains("16 channels; 1 to 8 channels of"), "\(fault)")
  }

  @Test(
    "that lose something are what ffmpeg makes of them",
    arguments: [
      ("m4a", ["-c:a", "aac", "-b:a", "160k"]), ("mp4", ["-c:a", "aac", "-movflags", "+faststart"]),
      ("m4a", ["-c:a", "aac", "-ar", "48000"]), ("m4a", ["-c:a", "aac", "-ar", "22050"]), ("aac", ["-c:a", "aac"]),
      ("mka", ["-c:a", "aac"]), ("wma", ["-c:a", "wmav2"]), ("wma", ["-c:a", "wmav1"]), ("ac3", ["-c:a", "ac3"]),
      ("wav", ["-c:a", "adpcm_ms"]), ("mka", ["-c:a", "libopus"]), ("caf", ["-c:a", "pcm_mulaw"]),
    ])
  func lossy(ending: String, options: [String]) throws {
    let path = folder.path / "a.\(ending)"
    try Signal(frames: 70_001).write(path, options)
    let expected = try Foreign.reference(path, in: folder)
    let decoder = try openDecoder(path)
    #expect(decoder is ForeignDecoder && !decoder.format.lossless)
    let all = try decoder.readAll()
    let isTrimmed = ending == "m4a" || ending == "mp4"
    // ffmpeg's program gives the last block whole, with what the encoder filled it with.
    if isTrimmed { #expect(all.count <= expected.count && expected.count - all.count < 2 * 1_024) }
    #expect(difference(all, isTrimmed ? Array(expected.prefix(all.count)) : expected) == nil)
  }

  @Test("of one piece, split in 7, have as many samples as before", arguments: ["alac", "aac"])
  func gapless(codec: String) throws {
    let whole = Signal(frames: 300_007)
    let cuts = [0, 1_023, 44_100, 99_991, 100_352, 187_654, 299_000, 300_007]
    var joined: [Int32] = []
    for (number, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() {
      let path = folder.path / "\(number).m4a"
      try whole.slice(start..<end).write(path, ["-c:a", codec])
      let decoder = try Foreign.open(path)
      #expect(decoder.lengthIsStated && decoder.length == Int64(end - start))
      let part = try decoder.readAll()
      #expect(part.count == 2 * (end - start), "part \(number)")
      let reference = try Foreign.reference(path, in: folder)
      #expect(difference(part, Array(reference.prefix(part.count))) == nil)
      joined += part
    }
    #expect(joined.count == 2 * whole.frames)
    if codec == "alac" { #expect(difference(joined, whole.leftJustified) == nil) }
  }

  @Test("whose last block is no longer than the edit list's milliseconds are exact keep it")
  func lastBlock() throws {
    // Three frames behind 41 blocks; the list says 952 ms, which ends before them.
    let path = folder.path / "a.m4a"
    try Signal(frames: 41_987).write(path, ["-c:a", "aac"])
    let decoder = try Foreign.open(path)
    #expect(decoder.length == 41_987)
    #expect(try decoder.readAll().count == 2 * 41_987)
  }

  @Test(
    "are sought to the very frame",
    arguments: [
      ("m4a", ["-c:a", "alac"]), ("m4a", ["-c:a", "aac", "-aac_pns", "0"]), ("wv", ["-c:a", "wavpack"]),
      ("tta", ["-c:a", "tta"]), ("aac", ["-c:a", "aac", "-aac_pns", "0"]), ("wma", ["-c:a", "wmav2"]),
      ("mka", ["-c:a", "aac", "-aac_pns", "0"]), ("mka", ["-c:a", "flac"]),
    ])
  func seeking(ending: String, options: [String]) throws {
    let path = folder.path / "a.\(ending)"
    try Signal(frames: 400_003).write(path, options)
    let all = try Foreign.open(path).readAll()
    let end = all.count / 2
    let decoder = try Foreign.open(path)
    let seed: UInt64 = 12
    var dice = SeededGenerator(seed: seed)
    for frame in [0, end - 1, end, 900_000, 1, 30_000] + (0..<16).map({ _ in Int.random(in: 0..<end, using: &dice) }) {
      try decoder.seek(toFrame: Int64(frame))
      let expected = frame < end ? Array(all[2 * frame..<min(all.count, 2 * (frame + 3_000))]) : []
      #expect(difference(try decoder.readSome(3_000), expected) == nil, "frame \(frame), seed \(seed)")
    }
    #expect(decoder.damages == 0)
  }

  @Test("tell their names under ours")
  func tags() throws {
    let path = folder.path / "a.m4a"
    try Signal(frames: 5_000).write(
      path,
      [
        "-c:a", "alac", "-metadata", "title=Präludium\u{1B}[2J", "-metadata", "artist=Anna", "-metadata", "album=Suite",
        "-metadata", "track=3/12", "-metadata", "album_artist=Alle",
      ])
    let tags = try openDecoder(path).tags
    #expect(tags.title == "Präludium [2J" && tags.artist == "Anna" && tags.album == "Suite" && tags.trackNumber == 3)
    #expect(tags.values("ALBUMARTIST") == ["Alle"])
  }

  @Test("that iTunes made say how much of them is music")
  func itunes() throws {
    let path = folder.path / "a.m4a"
    // No edit list: the note alone says it.
    try Signal(frames: 50_000).write(path, ["-c:a", "aac", "-use_editlist", "0", "-metadata", "title=x"])
    let plain = try Foreign.open(path).readAll()
    let note = " 00000000 00000840 000001CA 000000000000A8C1 00000000 00000000"
    try Bytes.write(try MP4.adding(note: note, to: Bytes.read(path)), to: path)
    let decoder = try Foreign.open(path)
    #expect(decoder.lengthIsStated && decoder.length == 0xA8C1)
    #expect(difference(try decoder.readAll(), Array(plain[2 * 0x840..<2 * (0x840 + 0xA8C1)])) == nil)
  }
}
