import Runtime

/// Where music comes from. It says what there is, and where an item can be had just now; fetching, keeping and giving
/// up is Offline's. Called in a task that names a loop, on which answers are read; that may take a while for a long index.
package protocol MediaSource: Sendable {
  /// Part of what items are known by, so it stays the same for as long as the source is the same.
  var id: String { get }

  /// Where the item is at this quality, or at the best below it that there is. `isAnew`: what it said last is no good.
  func resolve(_ item: String, at quality: Quality, isAnew: Bool) async throws(MediaFailure) -> MediaPlace

  /// In the container's order.
  func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem]

  /// What changed since a call that returned `token`, which is nil when nothing is known of any earlier state.
  func changes(since token: String?) async throws(MediaFailure) -> MediaChanges

  /// What there is to be wanted; none where a source cannot list it.
  func containers(_ kind: ContainerID.Kind) async throws(MediaFailure) -> [MediaContainer]

  /// What it puts together for this listener; none where it does not know one from the other.
  func personalLists() async throws(MediaFailure) -> [PersonalList]

  /// Forgets a remembered failure, so that the next call asks the server.
  func forgetFailure()

  /// The item that lies at an address, whether it is there or not; nil where the address is not one of its own.
  func item(at address: WebAddress) -> String?
}

extension MediaSource {
  package func personalLists() async throws(MediaFailure) -> [PersonalList] { [] }

  package func forgetFailure() {}

  package func item(at address: WebAddress) -> String? { nil }

  package func containers(_ kind: ContainerID.Kind) async throws(MediaFailure) -> [MediaContainer] { [] }
}

/// An item, as its source tells of it.
package struct MediaItem: Equatable, Sendable {
  package var id: String
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var disc: Int?
  package var track: Int?
  package var length: Duration?
  /// Of the best there is.
  package var size: Int64?
  /// SHA-256 of the best there is, in small letters.
  package var hash: String?
  /// Where its picture is.
  package var art: String?
  /// How good it can be had; none where that was not told.
  package var qualities: Set<Quality> = []

  package init(id: String) { self.id = id }

  /// The best that is not better, the smallest when all are; nil where nobody knows.
  package func quality(upTo wanted: Quality) -> Quality? {
    qualities.filter { $0 <= wanted }.max() ?? qualities.min()
  }
}

/// Where an item's bytes are, for as long as that holds.
package struct MediaPlace: Equatable, Sendable {
  /// May be a secret.
  package var url: String
  package var size: Int64?
  /// SHA-256, in small letters.
  package var hash: String?
  /// How its file is called at the end: `flac`.
  package var ending: String

  package init(url: String, size: Int64? = nil, hash: String? = nil, ending: String) {
    (self.url, self.size, self.hash, self.ending) = (url, size, hash, ending)
  }
}

/// What holds items, as its source names it.
package struct ContainerID: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable { case track, album, artist, playlist }

  package let kind: Kind
  private let exactID: ExactText

  package var id: String { exactID.text }

  package init(_ kind: Kind, _ id: String) { (self.kind, exactID) = (kind, ExactText(id)) }
}

/// A container, as its source lists it.
package struct MediaContainer: Equatable, Sendable {
  package var id: ContainerID
  package var title: String
  package var artist: String?
  /// The ids of what it holds.
  package var items: [String]
  package var count: Int { items.count }

  package init(_ id: ContainerID, title: String, artist: String? = nil, items: [String]) {
    (self.id, self.title, self.artist, self.items) = (id, title, artist, items)
  }
}

/// A list that a source makes for this listener, and makes anew on Mondays or each day.
package struct PersonalList: Equatable, Sendable {
  package var id: ContainerID
  package var title: String
  package var isWeekly: Bool

  package init(_ id: ContainerID, title: String, isWeekly: Bool) {
    (self.id, self.title, self.isWeekly) = (id, title, isWeekly)
  }
}

/// What is otherwise than it was when a token was given.
package struct MediaChanges: Equatable, Sendable {
  /// To ask with the next time; nil when the source cannot tell versions apart.
  package var token: String?
  /// Nobody knows what was before: every container that is wanted has to be listed.
  package var isEverything: Bool
  /// Items that are new, or have other bytes.
  package var changed: Set<ExactText> = []
  package var removed: Set<ExactText> = []
  /// Containers with other items, or in another order.
  package var containers: Set<ContainerID> = []

  package init(token: String?, isEverything: Bool = false) {
    (self.token, self.isEverything) = (token, isEverything)
  }

  package var isEmpty: Bool { !isEverything && changed.isEmpty && removed.isEmpty && containers.isEmpty }
}
