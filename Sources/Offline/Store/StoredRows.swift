import Runtime
import Services
import Store

/// Whoever owns `state.db`: `body` has the connection that writes for as long as it runs.
package protocol ConnectionLending: Sendable {
  func lend<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) async throws(Fault) -> Result

  /// For what frees room on the disk: works on a full one too, as far as that can be.
  func lendToFree<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) async throws(Fault) -> Result
}

extension ConnectionLending {
  package func lendToFree<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) async throws(Fault) -> Result { try await lend(body) }
}

/// The rows in a database that somebody else owns.
package struct StoredRows: OfflineRows {
  private let lender: any ConnectionLending

  /// The tables are made when they are not there.
  package init(of lender: any ConnectionLending) async throws(Fault) {
    self.lender = lender
    try await lender.lend { connection throws(Fault) in try OfflineSchema.additions.apply(to: connection) }
  }

  package func store(_ record: DownloadRecord) async throws(Fault) {
    if record.state == .cancelled {
      return try await lender.lendToFree { connection throws(Fault) in
        try DownloadTable(there: connection).store(record)
      }
    }
    try await lender.lend { connection throws(Fault) in try DownloadTable(there: connection).store(record) }
  }

  package func downloads(after key: MediaKey?, count: Int) async throws(Fault) -> [DownloadRecord] {
    try await lender.lend { connection throws(Fault) in
      try DownloadTable(there: connection).page(after: key, count: count)
    }
  }

  package func forget(_ keys: [MediaKey]) async throws(Fault) {
    try await lender.lendToFree { connection throws(Fault) in try DownloadTable(there: connection).forget(keys) }
  }

  package func store(_ wish: StoredWish) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).store(wish) }
  }

  package func change(_ wish: StoredWish) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).change(wish) }
  }

  package func forget(_ containers: [ContainerKey]) async throws(Fault) {
    try await lender.lendToFree { connection throws(Fault) in try WishTable(there: connection).forget(containers) }
  }

  package func wishes() async throws(Fault) -> [StoredWish] {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).wishes() }
  }

  package func facts(of items: [ItemKey]) async throws(Fault) -> [ItemKey: MediaItem] {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).facts(of: items) }
  }

  package func remember(_ items: [KnownItem]) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try ItemTable(there: connection).remember(items) }
  }

  package func items(inFiles names: [String]) async throws(Fault) -> [String: KnownItem] {
    try await lender.lend { connection throws(Fault) in try ItemTable(there: connection).items(inFiles: names) }
  }

  package func leaveOut(_ item: ItemKey, _ isOut: Bool) async throws(Fault) {
    try await lender.lendToFree { connection throws(Fault) in
      try WishTable(there: connection).leaveOut(item, isOut)
    }
  }

  package func leftOut() async throws(Fault) -> [ItemKey] {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).leftOut() }
  }

  package func store(token: String?, of source: String) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in
      try WishTable(there: connection).store(token: token, of: source)
    }
  }

  package func tokens() async throws(Fault) -> [String: String] {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).tokens() }
  }

  package func store(_ numbers: [String: Int64]) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).store(numbers) }
  }

  package func numbers() async throws(Fault) -> [String: Int64] {
    try await lender.lend { connection throws(Fault) in try WishTable(there: connection).numbers() }
  }

  package func note(_ play: ItemPlay) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try ListenerTable(there: connection).note(play) }
  }

  package func plays(in dates: ClosedRange<Int64>) async throws(Fault) -> [ItemPlay] {
    try await lender.lend { connection throws(Fault) in try ListenerTable(there: connection).plays(in: dates) }
  }

  package func store(_ smart: SmartDownloads) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try ListenerTable(there: connection).store(smart) }
  }

  package func smartDownloads() async throws(Fault) -> SmartDownloads {
    try await lender.lend { connection throws(Fault) in try ListenerTable(there: connection).smartDownloads() }
  }

  package func volumes() async throws(Fault) -> StoredVolumes {
    try await lender.lend { connection throws(Fault) in try VolumeTable(there: connection).volumes() }
  }

  package func store(_ volumes: StoredVolumes) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try VolumeTable(there: connection).store(volumes) }
  }

  package func moved() async throws(Fault) -> [String: Move.Copy] {
    try await lender.lend { connection throws(Fault) in try VolumeTable(there: connection).moved() }
  }

  package func store(_ copy: Move.Copy, of file: String) async throws(Fault) {
    try await lender.lend { connection throws(Fault) in try VolumeTable(there: connection).store(copy, of: file) }
  }
}

/// What Offline keeps in `state.db`, from the files in `Schema`, which the build puts into the program. The database is
/// opened by whoever owns it, and given to Offline open.
package enum OfflineSchema {
  package static let additions = Additions(
    of: "offline",
    [
      Migration(name: "V0001_downloads", version: 1, sql: PackageResources.V0001_downloads_sql),
      Migration(name: "V0002_wishes", version: 2, sql: PackageResources.V0002_wishes_sql),
      Migration(name: "V0003_plays", version: 3, sql: PackageResources.V0003_plays_sql),
      Migration(name: "V0004_volumes", version: 4, sql: PackageResources.V0004_volumes_sql),
      Migration(name: "V0005_pieces", version: 5, sql: PackageResources.V0005_pieces_sql),
      Migration(name: "V0006_known_items", version: 6, sql: PackageResources.V0006_known_items_sql),
    ])
}
