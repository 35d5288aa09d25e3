import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// Files from bad disks and odd programs, played to a WAV file by the real player: what counts is what is heard.
  @Suite("Music with damage, heard at the output", .serialized)
  struct DamagedMusicTests {
    private let home: Home
    private let tone: FilePath

    init() async throws {
      home = try Home()
      tone = try await home.flac("tone", seconds: 20)
    }

    private func make(_ name: String, _ command: String) async throws -> FilePath {
      let path = home.folder / name
      let words = command.replacing("IN", with: "'\(tone)'").replacing("OUT", with: "'\(path)'")
      try await tool("sh", "-c", words, in: home)
      return path
    }

    private func changed(_ path: FilePath, _ change: ([UInt8]) -> [UInt8]) throws -> FilePath {
      let bytes = try AtomicFile.read(path, limit: 1 << 26)
      let other = path.folder / "changed \(path.name)"
      try AtomicFile.replace(other, with: change(bytes))
      return other
    }

    /// Stereo frames that came out, and what the player said.
    private func heard(
      _ path: FilePath, by program: String = Built.layby
    ) async throws -> (frames: Int, said: String) {
      let recording = home.folder / "out.wav"
      // Who plays nothing makes none, and must not be taken for the one before.
      _ = recording.withCString { unlink($0) }
      let player = try await RunningPlayer(
        output: "file:\(recording)", playing: [path], in: home, ["--once"], program: program)
      try await player.ends(with: EX_OK)
      // Each file begins anew, and not at the place where the last one was left.
      for name in home.names(in: home.state) { _ = (home.state / name).withCString { unlink($0) } }
      return (try samples(of: recording).count / 4, player.said)
    }

    @Test("MP3 goes on behind damage, as long as it may be", arguments: [2_000, 100_000, 700_000])
    func damagedMP3(count: Int) async throws {
      let whole = try await make("a.mp3", "flac -dcs IN | lame --silent -b 128 -t - OUT")
      let damaged = try changed(whole) { bytes in
        Array(bytes[..<100_000]) + [UInt8](repeating: 0x5A, count: count) + bytes[100_000...]
      }
      let (frames, _) = try await heard(damaged)
      #expect(frames > 44_100 * 19 && frames < 44_100 * 21, "\(frames) frames of \(44_100 * 20)")
    }

    @Test(
      "bytes of no format before Ogg are passed over", arguments: ["oggenc -Q -o OUT IN", "opusenc --quiet IN OUT"])
    func garbage(command: String) async throws {
      // The decoder of foreign formats, which would pass over them as well, is looked for beside the program.
      let alone = home.folder / "programs/layby"
      try Folder.make(alone.folder)
      try await tool("cp", Built.layby, "\(alone)", in: home)
      let whole = try await make("a.ogg", command)
      let (clean, _) = try await heard(whole)
      let text = Array(repeating: Array("<p>Ogg O OggS</p>\n".utf8), count: 300).flatMap { $0 }
      let (frames, said) = try await heard(try changed(whole) { text + $0 }, by: "\(alone)")
      #expect(frames == clean && frames >= 44_100 * 20)
      #expect(!said.contains("P-107"), "\(said)")
    }

    @Test("a second stream of another rate is played, and is no damage")
    func secondRate() async throws {
      let first = try await make("a.ogg", "oggenc -Q -o OUT IN")
      let second = try await make("b.ogg", "oggenc -Q --resample 22050 -o OUT IN")
      let next = try AtomicFile.read(second, limit: 1 << 24)
      let (frames, said) = try await heard(try changed(first) { $0 + next })
      // 20 s at each rate; the output keeps the rate of the first.
      #expect(frames > 44_100 * 39, "\(frames) frames")
      #expect(!said.contains("P-107"), "\(said)")
    }

    @Test("a length that the bytes cannot have is not believed")
    func impossibleLength() async throws {
      let lie = try changed(tone) { bytes in
        var bytes = bytes
        bytes[21] |= 0x0F
        for index in 22..<26 { bytes[index] = 0xFF }
        return bytes
      }
      let player = try await RunningPlayer(playing: [lie], in: home)
      try await player.plays(lie)
      let length = try await player.status()["duration_s"]?.double
      #expect(length == nil || length == 20, "\(String(describing: length))")
      try await player.stop()
    }

    /// Two frames of ID3v2.4: the title compressed by zlib (in one stored piece), the artist in UTF-16 without a mark.
    @Test("compressed ID3 frames, and wide letters without a mark, are what panel and status say")
    func oddTags() async throws {
      func size(_ count: Int, _ bits: Int) -> [UInt8] {
        (0..<4).map { UInt8(count >> (bits * (3 - $0)) & (1 << bits - 1)) }
      }
      func frame(_ name: String, _ flags: UInt8, _ inside: [UInt8]) -> [UInt8] {
        Array(name.utf8) + size(inside.count, 7) + [0, flags] + inside
      }
      let title = [3] + Array("Pressed Title".utf8)
      var (low, high): (UInt32, UInt32) = (1, 0)
      for byte in title {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
      let length = UInt16(title.count)
      let stored: [UInt8] =
        [0x78, 0x01, 0x01, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
        + title + size(Int(high << 16 | low), 8)
      let wide = "Песня".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let frames = frame("TIT2", 0x09, size(title.count, 7) + stored) + frame("TPE1", 0, [1] + wide)
      let tag = Array("ID3".utf8) + [4, 0, 0] + size(frames.count, 7) + frames
      let plain = try await make("a.mp3", "flac -dcs IN | lame --silent -b 128 -t - OUT")
      let music = home.folder / "music"
      try Folder.make(music)
      let path = music / "1.mp3"
      try AtomicFile.replace(path, with: tag + AtomicFile.read(plain, limit: 1 << 24))
      let player = try await RunningPlayer(in: home)
      try await player.imports(music, files: 1)
      _ = try await player.add([path])
      try await player.ask("play")
      try await player.plays(path)
      try await player.status { $0["title"] == "Pressed Title" && $0["artist"] == "Песня" }
      try await player.shows("Pressed Title", "Песня")
      try await player.stop()
    }
  }
}
