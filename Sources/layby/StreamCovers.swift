import Runtime

/// Where the panel finds the pictures of what has none beside it, streamed or stored: of what plays, and of what comes next
/// before its turn.
@MainLoop
final class StreamCovers {
  /// The name beside which a picture lies: the music itself when it has one; nil when there is none yet.
  var find: @MainLoop (FilePath) async -> FilePath? = { _ in nil }
  /// One of them is here now.
  var changed: @MainLoop () -> Void = {}
  private var places: [FilePath: FilePath] = [:]
  private var wanted: [FilePath] = []
  private var isLooking = false

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
