import Application
import Offline
import Runtime
import Services

/// Where the panel finds the pictures of what has none beside it, streamed or stored: of what plays, and of what comes next
/// before its turn.
@MainLoop
final class StreamCovers {
  /// One of them is here now. Assigned later than the rest: the panel is made of these covers, and is told of them.
  var changed: @MainLoop () -> Void = {}
  private let keeping: Keeping
  private let storage: Storage
  private var places: [FilePath: FilePath] = [:]
  private var wanted: [FilePath] = []
  private var isLooking = false

  init(_ keeping: Keeping, _ storage: Storage) { (self.keeping, self.storage) = (keeping, storage) }

  /// The name beside which a picture lies: the music itself when it has one; nil when there is none yet.
  func find(_ music: FilePath) async -> FilePath? {
    if let item = ItemKey(address: music) { return await keeping.cover(of: item) }
    // A picture in the file itself goes first, and stays where it is.
    return await storage.hasArt(music) ? music : await keeping.cover(ofStored: music)
  }

  /// Beside which a cover is to be looked for.
  func place(of music: FilePath) -> FilePath { places[music] ?? music }

  /// In this order, one after the other.
  func want(_ music: [FilePath]) {
    places = places.filter { music.contains($0.key) }
    wanted = music.filter { places[$0] == nil }
    guard !isLooking, !wanted.isEmpty else { return }
    isLooking = true
    MainLoop.start { await self.findAll() }
  }

  private func findAll() async {
    while !wanted.isEmpty {
      let music = wanted.removeFirst()
      guard let place = await find(music) else { continue }
      places[music] = place
      changed()
    }
    isLooking = false
  }
}
