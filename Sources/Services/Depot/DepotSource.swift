import Runtime

/// The music of a depot that answers, as the account that this device is signed in to may have it. Its index is that of a
/// folder, and each file's address is asked for when it is needed, because such an address ends soon.
package struct DepotSource: MediaSource {
  package let client: DepotClient
  private let directory: HTTPDirectory

  package init(_ client: DepotClient) {
    self.client = client
    directory = HTTPDirectory(id: client.id, folder: client.folder, fetching: DepotIndex(client: client))
  }

  package var id: String { client.id }

  package func resolve(
    _ item: String, at quality: Quality, isAnew: Bool
  ) async throws(MediaFailure) -> MediaPlace {
    var place = try await directory.resolve(item, at: quality, isAnew: isAnew)
    guard let path = WebAddress(FilePath(place.url))?.path(below: client.folder) else { return place }
    place.url = try await client.address(of: path)
    return place
  }

  package func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] {
    try await directory.items(of: container)
  }

  package func changes(since token: String?) async throws(MediaFailure) -> MediaChanges {
    try await directory.changes(since: token)
  }

  package func containers(_ kind: ContainerID.Kind) async throws(MediaFailure) -> [MediaContainer] {
    try await directory.containers(kind)
  }

  package func personalLists() async throws(MediaFailure) -> [PersonalList] { try await client.personalLists() }

  package func forgetFailure() { directory.forgetFailure() }

  package func item(at address: WebAddress) -> String? { directory.item(at: address) }
}

/// Asks the depot where the folder's index would lie.
private struct DepotIndex: FileFetching {
  let client: DepotClient

  func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile {
    try await client.index(unless: tag)
  }
}

/// Fetches covers: those of depots by an address that is asked for first, all others as they are.
package struct CoversOfDepots: FileFetching {
  private let depots: [DepotClient]
  private let fetching: any FileFetching

  package init(_ depots: [DepotClient], _ fetching: any FileFetching) {
    (self.depots, self.fetching) = (depots, fetching)
  }

  package func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile {
    var url = url
    let address = WebAddress(FilePath(url))
    for depot in depots {
      guard let path = address?.path(below: depot.folder) else { continue }
      url = try await depot.address(of: path)
      break
    }
    return try await fetching.fetch(url, unless: tag, limit: limit)
  }
}
