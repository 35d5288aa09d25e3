import Library
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
    guard isGoing, let covers, let address = await picture(of: item), !hasNoCover.contains(address) else { return nil }
    let folder = CoverFolder(covers.folder)
    do throws(Fault) {
      let place = try folder.place(of: address)
      if folder.isThere(place) { return place }
      // Whoever listens has the line for himself at first.
      while await carrier.isPressed {
        guard await loop.sleep(for: Self.looksForTheLine) else { return nil }
      }
      guard await carrier.mayFetchPictures else { return nil }
      guard let bytes = await fetched(address, by: covers.fetching) else { return nil }
      if try folder.keep(bytes, at: place) { return place }
      nothingIs(at: address)
    } catch { Log("offline").info("a cover is not kept", ["reason": error.message]) }
    return nil
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
    chosen.remember(item, found)
    return found.art
  }
}
