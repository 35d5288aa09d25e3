import Runtime
import TestSupport
import Testing
import VirtualBoard

/// From the stick to the ear: its music is taken in, and what is found is heard at once, from the stick.
struct MusicOnStick {
  /// A track of the demo album, where it lies on the stick; it comes first of all.
  let track: String

  /// Enough that an import is still under way when the first of them are found.
  static let files = 700

  /// So much small music, in a folder that comes last.
  static func write(below tree: FilePath) throws(Fault) {
    try Folder.make(tree / "音楽", mode: 0o755)
    try TinyAlbums(files).write(below: tree / "音楽")
  }

  /// All that a person does with it, from when it is listed.
  func takeIn(_ number: Int, at root: String, on board: VirtualBoard) throws {
    try board.layby("volume", "100")
    try board.beginImport(of: root)
    // Whoever types has the whole name long after the first letters have found it.
    var row: JSON?
    var progress = JSON.null
    try board.waitUntil("the track is found", within: .seconds(120), progress: { "\(progress)" }) { () throws(Fault) in
      progress = try board.importState()
      row = try board.layby("search", "prel", "c", "sett")["tracks"]?.items?.first
      return row != nil
    }
    // Now there is time: the stick is a slow one, from which a whole import takes minutes; but it has enough for music
    // beside that.
    try board.slowStick(number, to: 24)
    let path = try #require(row?["path"]?.string)
    #expect(path == "\(root)/\(track)")
    #expect(row?["title"]?.string?.contains("Setting out") == true)
    try board.playAtOnce(path)
    let heard = try board.hears(seconds: 4)
    let state = try board.importState()
    #expect(state["running"]?.truth == true, "the import was over before anything was heard: \(state)")
    #expect(try board.status()["path"]?.string == path)
    try SoundTests.expect(heard, in: try SoundTests.samples(path, on: board), seconds: 2.5, path)
    try board.slowStick(number, to: nil)
    try board.waitUntilImported()
    try Self.browse(board, root: root, files: Self.files + 1)
  }

  /// When it was pulled and is listed no more.
  static func expectItIsAway(_ board: VirtualBoard) throws {
    let album = try #require(try rows("albums", of: board).first)
    #expect(album["present"] == false, "what is away is listed as present: \(album)")
    #expect(try board.layby("library")["tracks"]?.whole == Int64(files + 1), "what is away is forgotten")
  }

  /// By hand through the lists, from an artist down to a track that lies on the stick.
  private static func browse(_ board: VirtualBoard, root: String, files: Int) throws {
    let library = try board.layby("library")
    #expect(library["tracks"]?.whole == Int64(files) && library["unreadable"]?.whole == 0, "\(library)")
    #expect(library["playlists"]?.whole == Int64((files / 10 + 4) / 5))
    let artist = try #require(try rows("artists", of: board).first { $0["title"] == "Земфира" })
    let album = try #require(try rows("artist", "\(artist["id"]?.whole ?? 0)", of: board).first)
    let track = try #require(try rows("album", "\(album["id"]?.whole ?? 0)", of: board).first)
    #expect(track["path"]?.string?.hasPrefix(root + "/音楽/Земфира/") == true && track["present"] == nil)
    let list = try #require(try rows("playlists", of: board).first)
    let entries = try rows("playlist", "\(list["id"]?.whole ?? 0)", of: board)
    #expect(entries.count { $0["path"] != nil } == 4, "\(entries)")
  }

  private static func rows(_ words: String..., of board: VirtualBoard) throws -> [JSON] {
    let all = (["layby", "browse"] + words.map(VirtualBoard.quoted) + ["--json"]).joined(separator: " ")
    return try JSON(parsing: Array(try board.says(all).utf8))["rows"]?.items ?? []
  }
}

extension VirtualBoard {
  /// The bytes of the demo album's first track.
  func firstTrack() throws(Fault) -> [UInt8] {
    guard let first = try album.first else { throw Fault(.missing, "T-95", "there is no album on the board") }
    return try shell("cat \(Self.quoted(first))").bytes
  }

  /// In place of what plays. Paused meanwhile: were the track that plays to end between the two commands, the second one
  /// would lead beyond the wanted one.
  func playAtOnce(_ path: String) throws(Fault) {
    try layby("pause")
    try layby("playnext", path)
    try layby("next")
    try layby("play")
    var status = JSON.null
    try waitUntil("the track plays", instead: { "but it is so: \(status)" }) { () throws(Fault) in
      status = try self.status()
      return status["path"]?.string == path
    }
    try waitUntilItPlays()
  }

  /// One answer of the socket, without `layby import` following the import to its end.
  func ask(_ verb: String, _ arguments: [JSON] = []) throws(Fault) -> JSON {
    let request = JSON.object(JSON.Object([("verb", JSON(verb)), ("arguments", .list(arguments))]))
    let line = Self.quoted(request.description)
    let said = try says("printf '%s\\n' \(line) | socat -t 30 - UNIX-CONNECT:/run/layby/control | head -n 1")
    let answer = try JSON(parsing: Array(said.utf8))
    guard answer["ok"]?.truth == true else { throw Fault(.passing, "T-96", "\(verb): \(said)") }
    return answer
  }

  func beginImport(of root: String) throws(Fault) { _ = try ask("import", [JSON(root)]) }

  func importState() throws(Fault) -> JSON { try ask("import") }

  /// Nothing is under way or waits any more, and what was last came to its end.
  func waitUntilImported() throws(Fault) {
    var state = JSON.null
    try waitUntil("the import is over", within: .seconds(180), every: .milliseconds(300), progress: { "\(state)" }) {
      () throws(Fault) in
      state = try importState()
      return state["running"]?.truth == false && state["fault"] == nil && state["import"]?["phase"] == "done"
    }
  }
}
