import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What decodes foreign files is shut in by itself, below what the unit forbids the player and all that it starts.
/// Neither may take from the other what it needs. Its libraries are the image's own: these tests hear what they decode.
@Suite("Foreign formats", .serialized, .enabled(if: Board.isWanted, Board.whyNot))
struct ForeignFormatsTests {
  private static let decoder = "/usr/libexec/layby/layby-decode"

  /// A track of the board's own album, and the same as `name`, encoded here and laid into the board.
  private static func lay(
    _ name: String, _ options: [String], seconds: Int, on board: VirtualBoard
  ) throws -> (path: String, samples: [Int16]) {
    let folder = TempFolder()
    let track = try #require(try board.album.first)
    let copy = folder.path / "track.flac"
    try AtomicFile.replace(copy, with: try board.shell("cat \(VirtualBoard.quoted(track))").bytes)
    let file = folder.path / name
    try ffmpeg(["-i", "\(copy)", "-map", "0:a", "-t", "\(seconds)"] + options + ["\(file)"], folder)
    // As Debian's own program decodes what was encoded: for a lossless codec that is the album itself.
    let raw = folder.path / "track.raw"
    try ffmpeg(["-i", "\(file)", "-f", "s16le", "-c:a", "pcm_s16le", "\(raw)"], folder)
    let bytes = try AtomicFile.read(raw, limit: 1 << 28)
    let path = "/data/\(name)"
    try board.lay(file, at: path)
    return (path, Recording(rate: 44_100, channels: 2, format: "S16_LE", bytes: bytes).samples16 ?? [])
  }

  private static func ffmpeg(_ words: [String], _ folder: TempFolder) throws {
    try Spawned.run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + words, output: folder.path / "ffmpeg.log")
  }

  /// The number of the one decoder that runs; empty when there is none.
  private static func running(_ board: VirtualBoard) throws(Fault) -> String {
    try board.shell("pidof layby-decode").line
  }

  /// What stands behind a name in one of the kernel's tables.
  private static func row(_ name: String, of table: String) -> [String] {
    let line = table.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// A file that ffmpeg can make, and how far one sample of it may be from what ffmpeg decodes: processors round
  /// otherwise, and what is cut to 16 bits on the board was rounded here.
  private struct Kind {
    let name: String
    let options: [String]
    let tolerance: Int
  }

  private static let lossless = 0
  private static let lossy = 3

  private static let kinds = [
    Kind(name: "alac.m4a", options: ["-c:a", "alac"], tolerance: lossless),
    Kind(name: "book.m4b", options: ["-c:a", "aac", "-b:a", "192k", "-f", "ipod"], tolerance: lossy),
    Kind(name: "two.wma", options: ["-c:a", "wmav2", "-b:a", "192k"], tolerance: lossy),
    Kind(name: "pack.wv", options: ["-c:a", "wavpack"], tolerance: lossless),
    Kind(name: "true.tta", options: ["-c:a", "tta"], tolerance: lossless),
    Kind(name: "film.mka", options: ["-c:a", "ac3", "-b:a", "256k"], tolerance: lossy),
    Kind(name: "apple.caf", options: ["-c:a", "alac"], tolerance: lossless),
  ]

  /// Plays one of them and looks for a second of what is heard in what was expected.
  private static func hear(_ kind: Kind, on board: VirtualBoard) throws {
    let (path, samples) = try lay(kind.name, kind.options, seconds: 25, on: board)
    try board.play([path])
    #expect(try board.status()["path"]?.string == path)
    let heard = try board.hears(seconds: 4)
    #expect(heard.rate == 44_100 && heard.channels == 2, "\(kind.name)")
    let all = try #require(heard.samples)
    let below = ["S16_LE": 0, "S24_3LE": 8, "S24_LE": 8, "S32_LE": 16][heard.format] ?? 0
    let middle = all.count / 4 * 2
    let window = all[middle..<middle + 88_200].map { Int($0 >> below) }
    // Silence is everywhere.
    #expect(window.contains { abs($0) > 1_000 }, "\(kind.name) is silent")
    let place = stride(from: 0, through: samples.count - window.count, by: 2).first { start in
      window.indices.allSatisfy { abs(window[$0] - Int(samples[start + $0])) <= kind.tolerance }
    }
    #expect(place != nil, "a second of what is heard is nowhere in \(kind.name)")
  }

  @Test("plays ALAC bit for bit")
  func lossless() async throws {
    try await Board.with(.playing) { board in try Self.hear(Self.kinds[0], on: board) }
  }

  @Test("plays M4B, WMA, WavPack, TTA, Matroska and CAF as Debian's own program decodes them, but for roundings")
  func kinds() async throws {
    try await Board.with(.playing) { board in
      for kind in Self.kinds.dropFirst() { try Self.hear(kind, on: board) }
      // Whose libraries these are.
      let licence = try board.says("cat /usr/share/licences/ffmpeg/about")
      #expect(licence.contains("Lesser General Public License 2.1"))
      #expect(try board.says("head -n 2 /usr/share/licences/ffmpeg/LGPL-2.1").contains("LESSER GENERAL PUBLIC LICENSE"))
    }
  }

  @Test("shuts its decoder in below what the unit forbids, and ends it with its track")
  func shutIn() async throws {
    try await Board.with(.playing) { board in
      let (path, _) = try Self.lay("track.m4a", ["-c:a", "alac"], seconds: 25, on: board)
      #expect(try Self.running(board) == "")
      let next = try #require(try board.album.last)
      try board.play([path])
      try board.layby("queue", "add", next)
      let process = try Self.running(board)
      #expect(Int(process) != nil, "not one decoder: \(process)")
      let player = try board.says("systemctl show -P MainPID layby")
      let status = try board.says("cat /proc/\(process)/status")
      let above = try board.says("cat /proc/\(player)/status")
      #expect(Self.row("PPid:", of: status) == [player])
      #expect(Self.row("Uid:", of: status) == Self.row("Uid:", of: above))
      #expect(Self.row("Seccomp:", of: status) == ["2"] && Self.row("NoNewPrivs:", of: status) == ["1"])
      #expect(Self.row("CapEff:", of: status) == ["0000000000000000"])
      // The unit's filters, and one more.
      let filters = try #require(Self.row("Seccomp_filters:", of: above).first.flatMap(Int.init))
      #expect(filters > 0 && Self.row("Seccomp_filters:", of: status) == ["\(filters + 1)"])
      let limits = try board.says("cat /proc/\(process)/limits")
      #expect(Self.row("Max open files", of: limits).prefix(2) == ["0", "0"])
      #expect(Self.row("Max file size", of: limits).prefix(2) == ["0", "0"])
      #expect(Self.row("Max address space", of: limits).prefix(2) == ["\(512 << 20)", "\(512 << 20)"])
      #expect(Self.row("Max data size", of: limits).prefix(2) == ["\(160 << 20)", "\(160 << 20)"])
      #expect(try board.says("cat /proc/\(process)/oom_score_adj") == "800")
      // Nothing to read or write but the player's two sockets.
      let open = try board.says("for f in /proc/\(process)/fd/*; do readlink $f; done").split(separator: "\n")
      #expect(open.filter { $0 == "/dev/null" }.count == 3 && open.filter { $0.hasPrefix("socket:") }.count == 2)
      #expect(open.count == 5, "\(open)")

      try board.layby("next")
      try board.waitUntil("its decoder is gone") { () throws(Fault) in try Self.running(board) == "" }
      #expect(try board.says("ps -o stat= --ppid \(player) | grep -c Z || true") == "0")
    }
  }

  @Test("loses one track with a decoder that is killed, and plays on")
  func killed() async throws {
    try await Board.with(.playing) { board in
      let (path, _) = try Self.lay("track.m4a", ["-c:a", "alac"], seconds: 25, on: board)
      let next = try #require(try board.album.last)
      try board.play([path])
      try board.layby("queue", "add", next)
      let player = try board.says("systemctl show -P MainPID layby")
      try board.says("kill -KILL $(pidof layby-decode)")
      try board.waitUntil("the next one plays", within: .seconds(120)) { () throws(Fault) in
        try board.status()["path"]?.string == next
      }
      try board.waitUntilItPlays()
      #expect(try board.says("systemctl show -P MainPID layby") == player)
      #expect(try board.journal().contains("A-211"))
    }
  }

  @Test("lets its decoder die of what it may not do, below the unit as elsewhere")
  func dies() async throws {
    try await Board.with(.ready) { board in
      let tries = ["open", "socket", "exec", "fork", "kill", "execmem", "nothing"]
      try board.says(
        """
        mkdir -p /run/systemd/system/layby.service.d
        printf '%s\\n' '#!/bin/bash' 'for what in \(tries.joined(separator: " "))' \
          'do \(Self.decoder) --try $what 2>/dev/null; echo $what $?' 'done >/run/layby/tries' >/usr/bin/tries
        chmod 755 /usr/bin/tries
        printf '[Service]\\nExecStartPre=/usr/bin/tries\\n' >/run/systemd/system/layby.service.d/tries.conf
        systemctl daemon-reload
        """)
      try board.startLayby()
      let said = try board.says("cat /run/layby/tries").split(separator: "\n").map(String.init)
      // 31 is the kernel's signal for a call that is not allowed.
      #expect(said == tries.map { "\($0) \($0 == "nothing" ? 1 : 128 + 31)" })
    }
  }
}
