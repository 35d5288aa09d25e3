import Offline
import Runtime
import Services

/// Where the panel finds the pictures of what is no file here: of what plays, and of what comes next before its turn.
@Deck
final class StreamCovers {
  private let find: @Deck (ItemKey) async -> FilePath?
  /// One of them is here now.
  var changed: @Deck () -> Void = {}
  private var places: [FilePath: FilePath] = [:]
  private var wanted: [FilePath] = []
  private var isLooking = false

  init(finding find: @escaping @Deck (ItemKey) async -> FilePath?) { self.find = find }

  /// Beside which a cover is to be looked for.
  func place(of music: FilePath) -> FilePath { places[music] ?? music }

  /// In this order, one after the other.
  func want(_ music: [FilePath]) {
    places = places.filter { music.contains($0.key) }
    wanted = music.filter { places[$0] == nil }
    guard !isLooking, !wanted.isEmpty else { return }
    isLooking = true
    Deck.start { await self.look() }
  }

  private func look() async {
    while !wanted.isEmpty {
      let music = wanted.removeFirst()
      guard let item = ItemKey(address: music), let place = await find(item) else { continue }
      places[music] = place
      changed()
    }
    isLooking = false
  }
}
