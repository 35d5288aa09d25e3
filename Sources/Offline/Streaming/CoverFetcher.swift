import Runtime
import Services

/// Pictures of what is played as it comes, of what comes next, and of what is stored. Owns which of them are missing and
/// which are being fetched. Lives on the loop `offline`, inside `OfflinePart`. All of it can be lost: a start looks for
/// pictures anew, and fetches those that are not there.
final class CoverFetcher {
  private let tools: OfflineTools
  private let run: RunState
  private let catalogue: ItemCatalogue
  /// Without it there are none.
  var place: OfflinePart.Covers?
  /// Addresses at which there is none.
  private var hasNone: Set<String> = []
  /// Where the pictures of what is whole are, and of those the ones that are not here yet.
  private var stored: Set<String> = []
  private var missing: [String] = []
  private var isFetching = false
  /// Pictures that are being fetched, and who waits until one of them is here or is not to be had.
  private var bringing: Set<String> = []
  private var brought = Waiters()

  init(_ tools: OfflineTools, _ run: RunState, _ catalogue: ItemCatalogue) {
    (self.tools, self.run, self.catalogue) = (tools, run, catalogue)
  }

  private static let looksForTheLine: Duration = .seconds(1)

  /// A name beside which the item's picture lies. It is fetched when it is not there yet: never before the music, and where
  /// bytes cost only when the owner pays for keeping, too. Nil: it has none, or it cannot be had now.
  func cover(of item: ItemKey, isolation: isolated (any Actor)? = #isolation) async -> FilePath? {
    guard run.isGoing, place != nil, let address = await picture(of: item) else { return nil }
    if case .here(let place) = await bring(address) { return place }
    return nil
  }

  private enum Brought { case here(FilePath), none, later }

  /// A picture is fetched once, although those who play and those who store may want it at the same time.
  private func bring(_ address: String, isolation: isolated (any Actor)? = #isolation) async -> Brought {
    while bringing.contains(address) {
      let changes = brought.changes
      await withCheckedContinuation { brought.add($0, since: changes) }
    }
    bringing.insert(address)
    let found = await bringAlone(address)
    bringing.remove(address)
    brought.wake()
    return found
  }

  private func bringAlone(_ address: String, isolation: isolated (any Actor)? = #isolation) async -> Brought {
    guard let covers = place, !hasNone.contains(address) else { return .none }
    let folder = CoverFolder(covers.folder)
    do throws(Fault) {
      let place = try folder.place(of: address)
      if folder.isThere(place) { return .here(place) }
      // Whoever listens has the line for himself at first.
      while await tools.engine.isBufferLow {
        guard await tools.loop.sleep(for: Self.looksForTheLine) else { return .later }
      }
      guard await tools.engine.mayFetchPictures else { return .later }
      guard let bytes = await fetched(address, by: covers.fetching) else {
        return hasNone.contains(address) ? .none : .later
      }
      if try folder.keep(bytes, at: place, sparing: stored) { return .here(place) }
      nothingIs(at: address)
      return .none
    } catch {
      Log("offline").info("a cover is not kept", ["reason": error.message])
      return .later
    }
  }

  // MARK: Pictures of what is stored

  /// Notes which covers are missing for `items`, which are fetched completely. Items without a known cover address have
  /// none.
  func want(_ items: [ItemKey], isolation: isolated (any Actor)? = #isolation) async {
    for start in stride(from: 0, to: items.count, by: 200) {
      let some = Array(items[start..<min(start + 200, items.count)])
      want(Array(await catalogue.stored(some).values))
    }
  }

  func want(_ items: [MediaItem]) {
    for art in items.compactMap(\.art).sorted() where stored.insert(art).inserted { missing.append(art) }
  }

  /// One after the other, behind the music. What cannot be had now is looked for again a minute later.
  func fetchMissing(behind arrivals: Arrivals, isolation: isolated (any Actor)? = #isolation) async {
    guard run.isGoing, place != nil, !isFetching else { return }
    isFetching = true
    while arrivals.isEmpty, let address = missing.first {
      if case .later = await bring(address) { break }
      missing.removeAll { $0 == address }
    }
    isFetching = false
  }

  private func fetched(
    _ address: String, by fetching: any FileFetching, isolation: isolated (any Actor)? = #isolation
  ) async -> [UInt8]? {
    do throws(MediaFailure) {
      let answer = try await fetching.fetch(address, unless: nil, limit: CoverFolder.longest)
      if answer.status == 200 { return answer.bytes }
      // Its server may be better tomorrow.
      if (400..<500).contains(answer.status) { nothingIs(at: address) }
    } catch {
      // It is too large.
      if case .malformed = error.reason { nothingIs(at: address) }
    }
    return nil
  }

  private static let mostWithout = 2_000

  private func nothingIs(at address: String) {
    // Who has looked at that many may well ask once more.
    if hasNone.count >= Self.mostWithout { hasNone = [] }
    hasNone.insert(address)
  }

  private func picture(of item: ItemKey, isolation: isolated (any Actor)? = #isolation) async -> String? {
    if let known = await catalogue.facts(of: item) { return known.art }
    // It was put into the queue by its address, and nobody has asked its source for anything but bytes.
    guard let found = await catalogue.asked(item) else { return nil }
    catalogue.remember([found], of: item.source)
    return found.art
  }
}
