import Runtime
import Services

/// All that Offline keeps in `state.db`. What has returned survives a power cut.
package protocol OfflineRows: DownloadRows, ListenerRows, VolumeRows {
  /// The next so many behind a key.
  func downloads(after key: MediaKey?, count: Int) async throws(Fault) -> [DownloadRecord]
  func forget(_ keys: [MediaKey]) async throws(Fault)

  /// In the place of what was stored of that container before.
  func store(_ wish: StoredWish) async throws(Fault)
  /// All of it but what it holds.
  func change(_ wish: StoredWish) async throws(Fault)
  /// All of them or none.
  func forget(_ containers: [ContainerKey]) async throws(Fault)
  func wishes() async throws(Fault) -> [StoredWish]
  /// The title, artist and so on of each item: from the list of a wanted container, else from `remember`.
  func facts(of items: [ItemKey]) async throws(Fault) -> [ItemKey: MediaItem]
  /// When there are too many, those that were first remembered longest ago are forgotten; see `ItemTable`.
  func remember(_ items: [KnownItem]) async throws(Fault)
  /// By the names of their files, as `MediaFolder.Name` has them; also of files that are gone.
  func items(inFiles names: [String]) async throws(Fault) -> [String: KnownItem]

  func leaveOut(_ item: ItemKey, _ isOut: Bool) async throws(Fault)
  func leftOut() async throws(Fault) -> [ItemKey]

  func store(token: String?, of source: String) async throws(Fault)
  func tokens() async throws(Fault) -> [String: String]
  func store(_ numbers: [String: Int64]) async throws(Fault)
  func numbers() async throws(Fault) -> [String: Int64]
}

/// Stores what was listened to, and the smart downloads that were chosen because of it.
package protocol ListenerRows: Sendable {
  func note(_ play: ItemPlay) async throws(Fault)
  /// Oldest first.
  func plays(in dates: ClosedRange<Int64>) async throws(Fault) -> [ItemPlay]
  /// In the place of what was stored before.
  func store(_ smart: SmartDownloads) async throws(Fault)
  func smartDownloads() async throws(Fault) -> SmartDownloads
}

/// What a source told of an item, and in which file it is, or was, on the device.
package struct KnownItem: Equatable, Sendable {
  package var key: ItemKey
  package var facts: MediaItem
  /// As `MediaFolder.Name` has it; nil leaves the one that was remembered before.
  package var file: String?

  package init(_ key: ItemKey, _ facts: MediaItem, in file: String? = nil) {
    (self.key, self.facts, self.file) = (key, facts, file)
  }
}

/// A container that is wanted, with what it held when its source was last asked.
package struct StoredWish: Equatable, Sendable {
  package var container: ContainerKey
  package var quality: Quality
  /// Seconds since 1970, by the clock that the board had.
  package var wantedAt: Int64
  package var isPaused = false
  /// Fetched where bytes cost as well.
  package var isExcepted = false
  package var items: [MediaItem]

  package init(_ container: ContainerKey, at quality: Quality, wantedAt: Int64, _ items: [MediaItem]) {
    (self.container, self.quality, self.wantedAt, self.items) = (container, quality, wantedAt, items)
  }
}
