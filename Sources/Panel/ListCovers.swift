import Library
import Pictures
import Runtime

/// The covers beside the rows of a list, asked of the shelf and taken when they come; nothing waits for them. Lives on the
/// main loop, and holds those of the rows that are shown and of as many around them.
@MainLoop
final class ListCovers {
  struct Wish: Hashable {
    let art: MenuArt
    /// Pixels.
    let side: Int
  }

  private let shelf: ArtShelf
  /// Beside which, or in which, a cover is.
  var find: @MainLoop (MenuArt) async -> FilePath? = { _ in nil }
  /// Some have come that were not there when they were asked for.
  var haveCome: @MainLoop () -> Void = {}
  private var wanted: [Wish] = []
  private var pictures: [Wish: Picture] = [:]
  private var tickets: [Wish: ArtShelf.Ticket] = [:]
  private var without: Set<Wish> = []
  /// Where each was found; nil in it: nowhere.
  private var places: [MenuArt: FilePath?] = [:]
  private var looking: Task<Void, Never>?

  private static let mostPlaces = 1_024

  init(_ shelf: ArtShelf) { self.shelf = shelf }

  /// Those that are there, of what is wanted now: first what is shown, then what comes next. Asking for the same again
  /// costs nothing.
  func follow(_ wishes: [Wish]) -> [MenuArt: Picture] {
    if wishes != wanted {
      let still = Set(wishes)
      for (wish, ticket) in tickets where !still.contains(wish) {
        shelf.cancel(ticket)
        tickets[wish] = nil
      }
      pictures = pictures.filter { still.contains($0.key) }
      without = without.intersection(still)
      wanted = wishes
      ask()
      findPlaces()
    }
    return Dictionary(pictures.map { ($0.key.art, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// One after the other, on the library's thread.
  private func findPlaces() {
    guard looking == nil, wanted.contains(where: { places[$0.art] == nil }) else { return }
    looking = MainLoop.start {
      while let next = self.wanted.first(where: { self.places[$0.art] == nil }) {
        let place = await self.find(next.art)
        if self.places.count >= Self.mostPlaces { self.places = [:] }
        self.places[next.art] = .some(place)
        if self.ask() { self.haveCome() }
      }
      self.looking = nil
    }
  }

  /// Asks the shelf for the covers that are missing. The shelf makes the last request first, so the rows that are shown
  /// are requested last. True when a cover was in memory already.
  @discardableResult
  private func ask() -> Bool {
    var hasCome = false
    for wish in wanted.reversed() where pictures[wish] == nil && tickets[wish] == nil && !without.contains(wish) {
      guard let place = places[wish.art] else { continue }
      guard let place else {
        without.insert(wish)
        continue
      }
      let frame = PictureFrame.square(wish.side)
      if let known = shelf.picture(of: place, as: frame) {
        (pictures[wish], hasCome) = (known, true)
        continue
      }
      tickets[wish] = shelf.ask(place, as: frame) { [weak self] found in
        MainLoop.start { self?.take(found, for: wish) }
      }
    }
    return hasCome
  }

  private func take(_ found: Picture?, for wish: Wish) {
    guard tickets.removeValue(forKey: wish) != nil else { return }
    guard let found else {
      without.insert(wish)
      return
    }
    pictures[wish] = found
    haveCome()
  }

  func stop() { _ = follow([]) }
}
