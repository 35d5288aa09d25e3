import Runtime
import TestSupport
import Testing
import VirtualBoard

/// The board's whole processor is one, slow, and the import takes what the music leaves of it.
@Suite("Music during an import", .enabled(if: Board.isWanted, Board.whyNot))
struct ImportWhilePlayingTests {
  private static let imports = Board.isLong ? 5 : 1
  /// An emulator that came late is asked again.
  private static let attempts = 3

  @Test("comes in time and is the files, bit for bit, while hundreds of files are read")
  func exact() async throws {
    try await Board.with(.playing) { board in
      let whole = try board.album.flatMap { try SoundTests.samples($0, on: board) }
      let tree = TempFolder()
      try MusicOnStick.write(below: tree.path)
      try board.layTree(tree.path, at: "/data/music")
      try board.layby("volume", "100")
      var late = 0
      for _ in 0..<Self.imports {
        for attempt in 1...Self.attempts {
          let breaks = try board.breaksInTheSound()
          let heard = try Self.hearAnImport(on: board)
          if try board.breaksInTheSound() != breaks {
            late += 1
            #expect(attempt < Self.attempts, "the sound came late \(late) times")
            continue
          }
          let samples = try #require(heard.samples16)
          let middle = samples.count / 4 * 2
          let place = try #require(whole.place(of: samples[middle..<middle + 8_820]), "it is nowhere in the album")
          let first = place - middle
          #expect(first >= 0 && samples.elementsEqual(whole[max(0, first)...].prefix(samples.count)))
          print("\(samples.count / 2) frames heard, exact, while \(MusicOnStick.files) files were read")
          break
        }
      }
      print("\(Self.imports) imports, the sound came late in \(late) more")
    }
  }

  /// From before its first file until after its last.
  private static func hearAnImport(on board: VirtualBoard) throws -> Recording {
    // All of them have changed, so all are read.
    try board.says("find /data/music -type f -exec touch {} +")
    try board.layby("queue", "jump", "1")
    try board.waitUntilItPlays()
    // What the device held before is over.
    try board.says("sleep 2")
    let heard = try board.hears {
      try board.beginImport(of: "/data/music")
      try board.waitUntilImported()
    }
    let state = try board.importState()
    #expect(state["import"]?["read"]?.whole == Int64(MusicOnStick.files), "\(state)")
    #expect(try board.plays, "the album was over before the import")
    return heard
  }
}
