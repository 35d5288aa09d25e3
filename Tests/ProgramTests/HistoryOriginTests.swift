import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Where music was chosen, as the history tells it")
  struct HistoryOriginTests {
    private struct Heard: Hashable {
      var from: String
      var name: String?
      var isStreamed = false
    }

    /// The whole history, the latest last, when it has so many entries.
    private static func heard(_ player: RunningPlayer, count: Int) async throws -> [Heard] {
      var history: [JSON] = []
      try await player.until("\(count) are in the history") {
        history = try await player.ask("history", "all")["history"]?.items ?? []
        return history.count >= count
      }
      return history.reversed().map {
        Heard(from: $0["from"]?.string ?? "", name: $0["from_name"]?.string, isStreamed: $0["streamed"] == true)
      }
    }

    /// A folder of short tracks, in the library.
    private static func library(_ home: Home, _ player: RunningPlayer) async throws -> [FilePath] {
      let music = home.folder / "music"
      try Folder.make(music)
      var tracks: [FilePath] = []
      for number in 1...3 {
        let made = try await home.flac("\(number)", seconds: 0.4, tone: 441 * Double(number))
        let path = music / "\(number).flac"
        try await tool(
          "metaflac", "--set-tag=TITLE=Track \(number)", "--set-tag=ARTIST=Layby", "--set-tag=ALBUM=Signs",
          "--set-tag=TRACKNUMBER=\(number)", "\(made)", in: home)
        try #require(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
        tracks.append(path)
      }
      try await player.imports(music, files: 3)
      return tracks
    }

    private static func id(_ player: RunningPlayer, _ list: String...) async throws -> String {
      let rows = try await player.answer("browse", list.map { JSON($0) })["rows"]?.items
      return "\(try #require(rows?.first?["id"]?.whole))"
    }

    private static func stops(_ player: RunningPlayer) async throws {
      try await player.status { $0["state"] == "stopped" }
    }

    @Test("of files, lists, tracks and playlists that commands name, also after the power was cut before they play")
    func commands() async throws {
      let home = try Home()
      var player = try await RunningPlayer(in: home)
      let tracks = try await Self.library(home, player)
      let album = try await Self.id(player, "albums")
      try await player.ask("playlist", "make", "Road")
      _ = try await player.answer("playlist", ["add", "Road", JSON(path: tracks[0])])
      _ = try await player.add([tracks[0]])
      try await player.ask("queue", "fill", "album", album)
      try await player.ask("playlist", "queue", "Road")
      try await player.ask("queue", "fill", "added")
      try await player.ask("queue", "fill", "track", try await Self.id(player, "album", album))
      // Each was answered, so each is on the disk with where it was chosen.
      await player.kill()
      player = try await RunningPlayer(in: home)
      _ = try await player.answer("playnext", [JSON(path: tracks[1])])
      try await player.ask("play")
      try await Self.stops(player)
      let folder = "\(home.folder / "music")"
      let expected =
        [Heard(from: "files", name: folder), Heard(from: "files", name: folder)]
        + [Heard](repeating: Heard(from: "album", name: "Signs"), count: 3) + [Heard(from: "playlist", name: "Road")]
        + [Heard](repeating: Heard(from: "library", name: "added"), count: 3)
        + [Heard(from: "library", name: "track")]
      let heard = try await Self.heard(player, count: expected.count)
      #expect(heard == expected)
      try await player.stop()
    }

    @Test("of a track that was searched for on the panel, of one that stood in a list, and of the queue before")
    func panel() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      _ = try await Self.library(home, player)
      let panel = Panel(player: player)
      // Typed with the knob: what is found comes first, then the tracks with that letter.
      try await panel.open("Search")
      try await panel.press(on: "T]")
      try await panel.press(on: "✓]")
      try await panel.press(on: "Track 2")
      try await Self.stops(player)
      // And what stands behind it on its album.
      var heard = try await Self.heard(player, count: 2)
      #expect(heard == [Heard](repeating: Heard(from: "search", name: "t"), count: 2))
      // It is the one behind which the next is put.
      try await panel.open("Music")
      try await panel.press(on: "Recently added")
      try await panel.press(on: "Track", twice: true)
      try await panel.press(on: "Add to the queue")
      #expect(try await player.ask("queue")["total"] == 4)
      try await player.ask("queue", "jump", "4")
      try await Self.stops(player)
      heard = try await Self.heard(player, count: 3)
      #expect(heard.last == Heard(from: "library", name: "added"))
      // The queue that was replaced at the panel, played once more.
      try await panel.open("Music")
      try await panel.press(on: "Albums")
      try await panel.press(on: "Signs")
      try await panel.press(on: "Play, shuffle, more")
      try await panel.press(on: "Play all")
      try await Self.stops(player)
      try await panel.open("Queue")
      try await panel.press(on: "Previous queue")
      try await Self.stops(player)
      heard = try await Self.heard(player, count: 7)
      let album = [Heard](repeating: Heard(from: "album", name: "Signs"), count: 3)
      #expect(Array(heard[3..<6]) == album && heard.dropFirst(6).allSatisfy { $0 == Heard(from: "former") })
      try await player.stop()
    }

    @Test(
      "of what a source has, and whether it came from there while it was heard",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func source() async throws {
      let folder = try KeptFolder(pieces: 1, of: 20_000)
      let player = try await RunningPlayer(in: try Home(owner: folder.settings))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "play", "album", "Elsewhere")
      try await Self.stops(player)
      var expected = [Heard(from: "album", name: "The Faraways/Elsewhere", isStreamed: true)]
      var heard = try await Self.heard(player, count: 1)
      #expect(heard == expected)
      try await player.until("all of it is here") { player.home.kept(ending: ".mp3") == 1 }
      try await player.ask("queue", "clear")
      // By its address, and from its file this time.
      _ = try await player.add([StreamingTests.first])
      try await player.ask("offline", "queue", "track", "far/1.mp3")
      try await player.ask("play")
      try await Self.stops(player)
      expected += [Heard](repeating: Heard(from: "source", name: "kiosk"), count: 2)
      heard = try await Self.heard(player, count: 3)
      #expect(heard == expected)
      try await player.stop()
    }
  }
}

/// The panel as whoever turns its knob sees it.
struct Panel {
  let player: RunningPlayer

  private func words() async throws -> String { try await player.ask("screen")["words"]?.string ?? "" }

  /// What it says of the row in focus: the row, and what is set there.
  private func focus() async throws -> String {
    let words = try await words()
    // A letter stands in brackets.
    let focus = words.components(between: " · ").dropFirst().first ?? words
    return focus.hasPrefix("[") ? String(focus.dropFirst()) : focus
  }

  /// A row of the menu, wherever somebody is: one step back after the other, and then the first page.
  func open(_ row: String) async throws {
    var steps = 0
    while try await !words().hasPrefix("Menu"), steps < 10 {
      try await player.ask("press", "long knob")
      steps += 1
    }
    try await press(on: row)
  }

  func press(on row: String, twice: Bool = false) async throws {
    try await turn(to: row)
    try await player.ask("press", twice ? "double knob" : "knob")
  }

  /// Until it is in focus; gives the row with its value.
  @discardableResult
  func turn(to row: String) async throws -> String {
    // Some pages begin in their middle.
    try await player.ask("turn", "-60")
    var seen: [String] = []
    let until = Moment.now + patience
    while true {
      let now = try await focus()
      if now.lowercased().hasPrefix(row.lowercased()) { return now }
      seen.append(now)
      guard Moment.now < until, seen.count < 200 else {
        throw RunningPlayer.Refused(description: "\(row) was never in focus, but \(seen.suffix(20))")
      }
      try await player.ask("turn", "1")
      await player.events?.news(within: .milliseconds(20))
    }
  }
}

extension String {
  fileprivate func components(between mark: String) -> [String] {
    var (parts, rest) = ([] as [String], self[...])
    while let range = rest.firstRange(of: mark) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
