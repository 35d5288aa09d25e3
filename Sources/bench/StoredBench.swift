import Glibc
import Runtime

/// What is stored beside the music: the library's database a track, and all of the state folder beside an album's audio.
/// The files are small, so what they would take is reckoned: four minutes of MP3 at 128 kbit/s, the least that people
/// keep. Covers are counted at the most that their folder may take.
struct StoredBench {
  static let name = "stored"
  static let about = "bytes of metadata a track, and what is stored beside the audio, with 20,000 files or --tracks N"

  let layby: String
  let scratch: Scratch
  let tracks: Int?

  private static let audio = 4.0 * 60 * 128_000 / 8
  /// `ArtShelf` has no more.
  private static let covers = 64.0 * 1_048_576

  func run() throws(Fault) -> [Row] {
    let tree = try MadeUpTree(tracks ?? 20_000, in: scratch.path / "music")
    let home = try scratch.folder("layby")
    let player = try Layby(layby, home: home)
    let run = try player.launch()
    try run.waitUntilReady()
    try run.waitForLibrary()
    try run.importTree(tree, reading: tree.files)
    try run.child.stop()
    let state = home / "state"
    let library = try Self.size(state, of: ["library.db", "library.db-wal"])
    let others = try Self.size(state, of: ["state.db", "state.db-wal", "position"])
    let count = Double(tree.files)
    let beside = (library + others + Self.covers) / (count * Self.audio) * 100
    return [
      Row(
        bench: Self.name, name: "\(tree.files) files, metadata a track", value: Spread(library / count), unit: .bytes,
        goal: .below(1_000)),
      Row(
        bench: Self.name, name: "\(tree.files) files, beside the audio", value: Spread(beside), unit: .percent,
        goal: .below(1)),
    ]
  }

  /// Of those that are there.
  private static func size(_ folder: FilePath, of names: [String]) throws(Fault) -> Double {
    var sum = 0.0
    for name in names {
      var status = stat()
      if (folder / name).withCString({ stat($0, &status) }) == 0 { sum += Double(status.st_size) }
    }
    guard sum > 0 else { throw Fault(.missing, "B-291", "there is nothing in \(folder)") }
    return sum
  }
}
