import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// What the library knows of a track is what the status, the events and the history say of it, also where the decoder
  /// reads something else, or nothing.
  @Suite("The library's names")
  struct LibraryNamesTests {
    /// A file whose tags a decoder reads wrongly.
    struct Tagged: Sendable {
      let name: String
      let title: String
      /// In front of the music, and behind it.
      let front: [UInt8]
      var tail: [UInt8] = []
    }

    private static let long = String(repeating: "Long ", count: 60) + "Artist"

    static let all = [
      Tagged(name: "1 cp1251", title: "Группа крови", front: legacy("C3 F0 F3 EF EF E0 20 EA F0 EE E2 E8")),
      Tagged(
        name: "2 koi8", title: "Звезда по имени Солнце",
        front: legacy("FA D7 C5 DA C4 C1 20 D0 CF 20 C9 CD C5 CE C9 20 F3 CF CC CE C3 C5")),
      Tagged(name: "3 sjis", title: "津軽海峡冬景色", front: legacy("92 C3 8C 79 8A 43 8B AC 93 7E 8C 69 90 46")),
      Tagged(name: "4 gbk", title: "月亮代表我的心", front: legacy("D4 C2 C1 C1 B4 FA B1 ED CE D2 B5 C4 D0 C4")),
      Tagged(name: "5 euckr", title: "사랑했지만", front: legacy("BB E7 B6 FB C7 DF C1 F6 B8 B8")),
      Tagged(
        name: "6 ape", title: "Only in APE", front: [], tail: ape(["Title": "Only in APE", "Artist": "Somebody"])),
      Tagged(
        name: "7 ape and id3v1", title: "A title that is longer than thirty letters", front: [],
        tail: ape(["Title": "A title that is longer than thirty letters", "Artist": "Somebody"])
          + Array("TAG".utf8) + field("A title that is longer than th") + field("Somebod") + field("")
          + [UInt8](repeating: 0, count: 35)),
      Tagged(
        name: "8 unsynchronised", title: "ÿà la mode",
        front: id3(
          3, flags: 0x80,
          escaped(
            frame("TIT2", [1, 0xFF, 0xFE] + Array("ÿà la mode".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
              + frame("TPE1", [0] + Array("Somebody".utf8))))),
      // Sizes of 2.4 with eight bits a byte, as iTunes wrote them.
      Tagged(
        name: "9 old iTunes", title: "Behind a long one",
        front: id3(4, frame("TPE1", [0] + Array(long.utf8)) + frame("TIT2", [0] + Array("Behind a long one".utf8)))),
    ]

    private func make(_ home: Home) async throws -> [FilePath] {
      let sound = home.folder / "sound.mp3"
      let wave = try await home.flac("sound", seconds: 20)
      try await tool("sh", "-c", "flac -dcs '\(wave)' | lame --silent -b 64 -m m - '\(sound)'", in: home)
      let music = try AtomicFile.read(sound, limit: 1 << 24)
      var paths: [FilePath] = []
      for (number, file) in Self.all.enumerated() {
        // Each has its own folder: here no neighbour helps.
        let path = home.folder / "music/\(number)/\(file.name).mp3"
        try Folder.make(path.folder)
        try AtomicFile.replace(path, with: file.front + music + file.tail)
        paths.append(path)
      }
      return paths
    }

    @Test("are what the status, the panel and the history say of what plays")
    func shown() async throws {
      let home = try Home()
      let paths = try await make(home)
      let player = try await RunningPlayer(in: home)
      try await player.imports(home.folder / "music", files: paths.count)
      _ = try await player.add(paths)
      for (number, file) in Self.all.enumerated() {
        try await player.ask("queue", "jump", "\(number + 1)")
        try await player.plays(paths[number])
        try await player.status { $0["title"]?.string == file.title }
        try await player.shows(file.title)
        if number + 1 < paths.count {
          try await player.status { $0["next"]?.string == Self.all[number + 1].title }
        }
      }
      let heard = try await player.ask("history", "2")["history"]?.items ?? []
      #expect(heard.last?["title"]?.string == Self.all[Self.all.count - 3].title)
      try await player.stop()
    }

    @Test("count as soon as an import has read what plays already")
    func late() async throws {
      let home = try Home()
      let path = try #require(try await make(home).first)
      let player = try await RunningPlayer(playing: [path], in: home)
      try await player.plays(path)
      #expect(try await player.status()["title"]?.string != Self.all[0].title)
      try await player.imports(home.folder / "music", files: Self.all.count)
      try await player.status { $0["title"]?.string == Self.all[0].title }
      try await player.stop()
    }

    @Test("are the decoder's where no library knows the file")
    func unknown() async throws {
      let home = try Home()
      let paths = try await make(home)
      let player = try await RunningPlayer(playing: [paths[5]], in: home)
      try await player.plays(paths[5])
      let status = try await player.status { $0["title"]?.string == "Only in APE" }
      #expect(status["artist"]?.string == "Somebody")
      try await player.stop()
    }

    @Test("ReplayGain in an APE tag makes a track softer")
    func gain() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 100\nnormaliser = track\n")
      let wave = try await home.flac("sound", seconds: 2)
      let plain = home.folder / "plain.mp3"
      try await tool("sh", "-c", "flac -dcs '\(wave)' | lame --silent -b 128 - '\(plain)'", in: home)
      let music = try AtomicFile.read(plain, limit: 1 << 24)
      var loudest: [Int] = []
      for gain in ["-20.00 dB", "-8.00 dB"] {
        let path = home.folder / "tagged.mp3"
        try AtomicFile.replace(path, with: music + Self.ape(["REPLAYGAIN_TRACK_GAIN": gain]))
        let recording = home.folder / "out.wav"
        let player = try await RunningPlayer(output: "file:\(recording)", playing: [path], in: home, ["--once"])
        try await player.ends(with: EX_OK)
        loudest.append(try Self.loudest(in: recording))
      }
      // 12 dB are a factor of 4.
      #expect((3.9...4.1).contains(Double(loudest[1]) / Double(max(loudest[0], 1))), "\(loudest)")
    }

    /// 20 dB softer for the library alone: FLAC has comments of its own, and its decoder reads no other tag.
    private func softened(in home: Home, _ folder: FilePath, seconds: Double = 2) async throws -> FilePath {
      try Folder.make(folder)
      let (plain, path) = (try await home.flac("plain", seconds: seconds), folder / "tagged.flac")
      let tag = Self.ape(["REPLAYGAIN_TRACK_GAIN": "-20.00 dB"])
      try AtomicFile.replace(path, with: AtomicFile.read(plain, limit: 1 << 24) + tag)
      return path
    }

    /// 8,000 less 20 dB.
    private static let softer = 750...850

    @Test("a gain that the library has read makes music softer that is chosen and played at once")
    func catalogueGain() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 100\nnormaliser = track\n")
      let path = try await softened(in: home, home.folder / "music")
      let recording = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(recording)", in: home)
      try await player.imports(path.folder, files: 1)
      _ = try await player.add([path])
      try await player.ask("play")
      try await player.tells("P-102")
      try await player.stop()
      let loudest = try Self.loudest(in: recording)
      #expect(Self.softer.contains(loudest), "\(loudest)")
    }

    @Test("a gain that the library has read is kept where music is played on at a start, before the library is open")
    func keptGain() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 100\nnormaliser = track\n")
      let path = try await softened(in: home, home.folder / "music", seconds: 60)
      let first = try await RunningPlayer(in: home)
      try await first.imports(path.folder, files: 1)
      _ = try await first.add([path])
      try await first.ask("play")
      try await first.status { $0["position_s"]?.double ?? 0 > 0.3 }
      try await first.stop()
      // Nothing of it is known any more but what was kept with the place.
      for end in ["", "-wal", "-shm"] { _ = (home.state / "library.db\(end)").withCString { unlink($0) } }
      let recording = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(recording)", in: home)
      try await player.tells("P-102")
      try await player.stop()
      let loudest = try Self.loudest(in: recording)
      #expect(Self.softer.contains(loudest), "\(loudest)")
    }

    @Test("a gain that an import reads while another track plays makes the second one softer")
    func lateGain() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 100\nnormaliser = track\n")
      let path = try await softened(in: home, home.folder / "music")
      let first = try await home.flac("first", seconds: 120, level: 400)
      let recording = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(recording)", in: home)
      _ = try await player.add([first, path])
      try await player.ask("play")
      // Its end is not near: nobody has opened the second one.
      try await player.ask("pause")
      try await player.imports(path.folder, files: 1)
      try await player.logs(["gains in tags are known"])
      try await player.ask("play")
      try await player.tells("P-102")
      try await player.stop()
      let samples = try samples(of: recording)
      // What came to be known of the first one while it played has changed nothing in its middle.
      let (second, length) = (samples.count / 122, samples.count)
      let (begin, end) = (second..<10 * second, 100 * second..<119 * second)
      #expect(Self.loudest(of: samples[begin]) == Self.loudest(of: samples[end]))
      let loudest = Self.loudest(of: samples[length - second..<length])
      #expect(Self.softer.contains(loudest), "\(loudest)")
    }

    private static func loudest(in path: FilePath) throws -> Int { try loudest(of: samples(of: path)[...]) }

    /// Of samples of 16 bits; two bytes are one, wherever the slice begins.
    private static func loudest(of bytes: ArraySlice<UInt8>) -> Int {
      let begin = bytes.startIndex + bytes.startIndex % 2
      return stride(from: begin, to: bytes.endIndex - 1, by: 2).reduce(0) { most, at in
        max(most, abs(Int(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8))))
      }
    }

    // MARK: Tags

    /// A title that promises Latin-1, in other bytes.
    private static func legacy(_ title: String) -> [UInt8] {
      id3(3, frame("TIT2", [0] + title.split(separator: " ").compactMap { UInt8($0, radix: 16) }))
    }

    private static func id3(_ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
      let size = (0..<4).map { (at: Int) -> UInt8 in UInt8(frames.count >> (21 - 7 * at) & 0x7F) }
      return Array("ID3".utf8) + [version, 0, flags] + size + frames
    }

    private static func frame(_ name: String, _ inside: [UInt8]) -> [UInt8] {
      Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: inside.count >> (24 - 8 * $0)) } + [0, 0] + inside
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
      bytes.indices.flatMap { at -> [UInt8] in
        let next = at + 1 < bytes.count ? bytes[at + 1] : 0
        return bytes[at] == 0xFF && (next == 0 || next >= 0xE0) ? [0xFF, 0] : [bytes[at]]
      }
    }

    private static func field(_ text: String) -> [UInt8] {
      Array((Array(text.utf8) + [UInt8](repeating: 0, count: 30)).prefix(30))
    }

    private static func ape(_ texts: KeyValuePairs<String, String>) -> [UInt8] {
      func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
      var items: [UInt8] = []
      for (key, text) in texts {
        items += little(text.utf8.count)
        items += little(0)
        items += Array(key.utf8) + [0]
        items += Array(text.utf8)
      }
      var foot = Array("APETAGEX".utf8)
      for number in [2_000, items.count + 32, texts.count, 0, 0, 0] { foot += little(number) }
      return items + foot
    }
  }
}

extension RunningPlayer {
  /// A folder, until it is done.
  func imports(_ folder: FilePath, files: Int, _ location: SourceLocation = #_sourceLocation) async throws {
    _ = try await answer("import", [JSON(path: folder)])
    let until = Moment.now + patience
    while true {
      let state = try await ask("import")
      if state["running"] == false, state["import"]?["files"]?.whole == Int64(files) { return }
      guard Moment.now < until else {
        Issue.record("the import never ended: \(state)", sourceLocation: location)
        throw Refused(description: "waited in vain")
      }
      await events?.news(within: .milliseconds(20))
    }
  }
}
