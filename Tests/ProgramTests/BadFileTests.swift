import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A bad file", .serialized)
  struct BadFileTests {
    /// What is wrong with it, and the notice it leads to.
    enum Bad: String, CaseIterable, Sendable {
      case missing, empty, text, folder, pipe, unreadable
      case zeroChannels, brokenHeader, cutOff, cutOffMP3, damaged, vorbisBomb, chainedVorbisBomb

      var code: String {
        switch self {
        case .missing, .unreadable: "A-101"
        case .empty: "A-110"
        case .text: "A-111"
        case .zeroChannels: "A-195"
        case .folder: "A-103"
        case .pipe: "A-104"
        case .brokenHeader: "A-121"
        case .vorbisBomb: "A-188"
        case .cutOff, .cutOffMP3, .damaged, .chainedVorbisBomb: "P-107"
        }
      }

      func make(from good: FilePath, in home: Home) async throws -> FilePath {
        let path = home.folder / "bad.flac"
        var bytes = try AtomicFile.read(good, limit: 1 << 26)
        switch self {
        case .missing: return path
        case .empty: bytes = []
        case .text: bytes = Array("This is no music but a letter to the editor.\n".utf8)
        case .folder: try Folder.make(path); return path
        case .pipe: _ = path.withCString { mkfifo($0, 0o600) }; return path
        case .unreadable: break
        case .zeroChannels: bytes = Array("RIFF\u{24}\0\0\0WAVEfmt \u{10}\0\0\0\u{1}\0\0\0".utf8) + bytes.prefix(4_096)
        // Behind "fLaC" and the block's header: 10 bytes of sizes, then 20 bits of sample rate.
        case .brokenHeader: for index in 18..<21 { bytes[index] = 0 }
        case .cutOff: bytes.removeLast(bytes.count / 2)
        case .damaged: for index in bytes.count / 2..<bytes.count / 2 + 64 { bytes[index] ^= 0x5A }
        case .vorbisBomb: bytes = VorbisBomb.orderedBook.bytes()
        case .chainedVorbisBomb: bytes = VorbisBomb.harmless.bytes() + VorbisBomb.orderedBook.bytes(serial: 8)
        case .cutOffMP3:
          let mp3 = home.folder / "bad.mp3"
          try await tool("sh", "-c", "flac -dcs '\(good)' | lame --silent - '\(mp3)'", in: home)
          bytes = try AtomicFile.read(mp3, limit: 1 << 26)
          try AtomicFile.replace(mp3, with: Array(bytes.dropLast(bytes.count / 2)))
          return mp3
        }
        try AtomicFile.replace(path, with: bytes, mode: self == .unreadable ? 0 : 0o600)
        return path
      }
    }

    @Test("is named in a notice, and the next one plays", arguments: Bad.allCases)
    func isPassedOver(bad: Bad) async throws {
      let home = try Home()
      let good = try await home.flac("good")
      let short = try await home.flac("short", seconds: 2)
      let path = try await bad.make(from: short, in: home)
      let player = try await RunningPlayer(playing: [path, good], in: home, through: Rights.few)
      try await player.tells(path.name.description, bad.code)
      try await player.plays(good)
      try await player.stop()
    }

    @Test(
      "with a hole of 300 GB is given up, and another one can be chosen at once",
      arguments: ["flac", "mp3", "ogg", "opus", "oga"])
    func hole(kind: String) async throws {
      let home = try Home()
      let good = try await home.flac("good")
      let short = try await home.flac("short", seconds: 2)
      let holed = home.folder / "holed.\(kind)"
      let make =
        switch kind {
        case "mp3": "flac -dcs '\(short)' | lame --silent -"
        case "ogg": "oggenc -Q '\(short)' -o"
        case "opus": "opusenc --quiet '\(short)'"
        case "oga": "flac --silent --ogg '\(short)' -o"
        default: "cp '\(short)'"
        }
      try await tool("sh", "-c", "\(make) '\(holed)'", in: home)
      #expect(holed.withCString { truncate($0, 300 << 30) } == 0)
      let player = try await RunningPlayer(playing: [holed, good], in: home)
      try await player.tells(holed.name.description, "P-107")
      try await player.plays(good)
      // Into the hole, and out of it while it is searched.
      try await player.ask("queue", "jump", "1")
      try await player.ask("queue", "jump", "2")
      try await player.plays(good)
      try await player.stop()
    }

    @Test(
      "that would make libvorbis take too much is passed over as the next track as well",
      arguments: VorbisBomb.allCases.filter { $0 != .harmless })
    func bombs(bomb: VorbisBomb) async throws {
      let home = try Home(owner: "[sound]\nnormaliser = track\n")
      let (first, good) = (try await home.flac("first", seconds: 3), try await home.flac("good"))
      let path = home.folder / "bad.ogg"
      try AtomicFile.replace(path, with: bomb.bytes())
      let owner = ["--owner", "\(home.owner)"]
      let player = try await RunningPlayer(playing: [first, path, good], in: home, owner)
      try await player.tells("bad.ogg", "A-188")
      try await player.plays(good)
      // Its loudness was looked at as well.
      try await player.logs(["cannot be measured", "bad.ogg"])
      try await player.stop()
    }

    @Test("of five hours plays, and from any place in it")
    func fiveHours() async throws {
      let home = try Home()
      let long = try await home.longFLAC("long", seconds: 18_000)
      let good = try await home.flac("good")
      let player = try await RunningPlayer(playing: [long, good], in: home)
      try await player.plays(long)
      #expect(try await player.status()["duration_s"]?.double == 18_000)
      try await player.ask("seek", "2:30:00")
      try await player.plays(long)
      #expect((9_000..<9_060).contains(try await player.status()["position_s"]?.double ?? 0))
      try await player.ask("seek", "4:59:59.5")
      try await player.plays(good)
      try await player.stop()
    }

    @Test("that is followed by four more stops the music, and a good one plays when asked for")
    func fiveInARow() async throws {
      let home = try Home()
      let good = try await home.flac("good")
      let texts = (1...5).map { home.folder / "\($0).mp3" }
      for text in texts { try home.write("no music", to: text) }
      let player = try await RunningPlayer(playing: texts + [good], in: home)
      try await player.tells("5 files in a row", "P-104")
      try await player.status { $0["state"] == "stopped" }
      try await player.ask("queue", "jump", "6")
      try await player.plays(good)
      try await player.stop()
    }
  }
}

/// Root may read everything; these wrappers take that away.
enum Rights {
  static let few = getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
}
