import Runtime
import Services

/// Pictures of what is played as it comes, and of what comes next.
extension OfflinePart {
  /// Where covers are kept, and who fetches them.
  package struct Covers: Sendable {
    let folder: FilePath
    let fetching: any IndexFetching

    package init(in folder: FilePath, by fetching: any IndexFetching) {
      (self.folder, self.fetching) = (folder, fetching)
    }
  }

  /// Without it there are none.
  package func keep(_ covers: Covers) { self.covers = covers }

  static let looksForTheLine: Duration = .seconds(1)

  /// A name beside which the item's picture lies. It is fetched when it is not there yet: never before the music, and where
  /// bytes cost only when the owner pays for keeping, too. Nil: it has none, or it cannot be had now.
  package func cover(of item: ItemKey) async -> FilePath? {
    guard isGoing, covers != nil, let address = await picture(of: item) else { return nil }
    if case .here(let place) = await bring(address) { return place }
    return nil
  }

  /// The same for a fetched file. `name` is its file name without folder and ending.
  package func cover(inFile name: String) async -> FilePath? {
    guard let item = await items(inFiles: [name])[name]?.key else { return nil }
    return await cover(of: item)
  }

  private enum Brought { case here(FilePath), none, later }

  /// A picture is fetched once, although those who play and those who store may want it at the same time.
  private func bring(_ address: String) async -> Brought {
    while bringing.contains(address) {
      let changes = brought.changes
      await withCheckedContinuation { brought.add($0, since: changes) }
    }
    bringing.insert(address)
    defer {
      bringing.remove(address)
      brought.wake()
    }
    return await bringAlone(address)
  }

  private func bringAlone(_ address: String) async -> Brought {
    guard let covers, !hasNoCover.contains(address) else { return .none }
    let folder = CoverFolder(covers.folder)
    do throws(Fault) {
      let place = try folder.place(of: address)
      if folder.isThere(place) { return .here(place) }
      // Whoever listens has the line for himself at first.
      while await carrier.isPressed {
        guard await loop.sleep(for: Self.looksForTheLine) else { return .later }
      }
      guard await carrier.mayFetchPictures else { return .later }
      guard let bytes = await fetched(address, by: covers.fetching) else {
        return hasNoCover.contains(address) ? .none : .later
      }
      if try folder.keep(bytes, at: place, sparing: storedArt) { return .here(place) }
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
  func wantArt(of items: [ItemKey]) async {
    for start in stride(from: 0, to: items.count, by: 200) {
      let some = Array(items[start..<min(start + 200, items.count)])
      wantArt(of: Array(((try? await rows.facts(of: some)) ?? [:]).values))
    }
  }

  func wantArt(of items: [MediaItem]) {
    for art in items.compactMap(\.art).sorted() where storedArt.insert(art).inserted { missingArt.append(art) }
  }

  /// One after the other, behind the music. What cannot be had now is looked for again a minute later.
  func fetchArt() async {
    guard isGoing, covers != nil, !isFetchingArt else { return }
    isFetchingArt = true
    defer { isFetchingArt = false }
    while arrivals.isEmpty, let address = missingArt.first {
      if case .later = await bring(address) { return }
      missingArt.removeAll { $0 == address }
    }
  }

  private func fetched(_ address: String, by fetching: any IndexFetching) async -> [UInt8]? {
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
    if hasNoCover.count >= Self.mostWithout { hasNoCover = [] }
    hasNoCover.insert(address)
  }

  private func picture(of item: ItemKey) async -> String? {
    if let known = await facts(of: item) { return known.art }
    // It was put into the queue by its address, and nobody has asked its source for anything but bytes.
    let track = ContainerKey(source: item.source, kind: .track, id: item.item)
    guard let asked = try? await listed(track), let found = asked.first else { return nil }
    remember([found], of: item.source)
    return found.art
  }
}
