import Glibc
import Runtime
import Testing

/// All of these run the program. Each suite does so one test after the other; the suites run beside each other, because
/// a player that plays mostly waits.
@Suite("The program")
struct ProgramTests {}

extension ProgramTests {
  @Suite("The demo album", .serialized)
  struct DemoAlbumTests {
    @Test("as FLAC is recorded as if it had never been split, every sample of it")
    func flac() async throws {
      let album = try await DemoAlbum.made.value
      #expect(try await recording(of: album.flac) == samples(of: album.whole))
    }

    @Test("as MP3 is as long as the original, and each part is mpg123's own gapless decode")
    func mp3() async throws {
      let album = try await DemoAlbum.made.value
      let heard = try await recording(of: album.mp3)
      let original = try samples(of: album.whole)
      #expect(heard.count == original.count)
      var rest = heard[...]
      for part in album.mp3 {
        let peer = album.home.folder / "peer.wav"
        try await tool("mpg123", "-q", "-w", "\(peer)", "\(part)", in: album.home)
        let expected = try samples(of: peer)
        #expect(rest.prefix(expected.count).elementsEqual(expected), "\(part)")
        rest = rest.dropFirst(expected.count)
      }
      #expect(rest.isEmpty)
    }

    private func recording(of parts: [FilePath]) async throws -> [UInt8] {
      let home = try Home()
      let wave = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(wave)", playing: parts, in: home, ["--once"])
      try await player.ends(with: EX_OK)
      return try samples(of: wave)
    }
  }
}

/// The album that `board/desk/run --demo` plays, composed and encoded once for all tests.
struct DemoAlbum: Sendable {
  let home: Home
  let whole: FilePath
  let flac: [FilePath]
  let mp3: [FilePath]

  static let made = Task { try await DemoAlbum() }

  private init() async throws {
    home = try Home()
    let folder = home.folder
    whole = folder / "whole.wav"
    flac = (1...3).map { folder / "\($0).flac" }
    mp3 = (1...3).map { folder / "\($0).mp3" }
    try await tool(Built.compose, "\(folder)", in: home)
    for index in flac.indices {
      let wave = "\(folder / "\(index + 1).wav")"
      try await tool("flac", "--silent", "--best", "-o", "\(flac[index])", wave, in: home)
      try await tool("lame", "--silent", "-b", "192", "-q", "2", "--add-id3v2", wave, "\(mp3[index])", in: home)
    }
  }
}
