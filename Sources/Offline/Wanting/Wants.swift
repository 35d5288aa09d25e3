import Runtime

/// What the owner wants offline: containers, each at a quality. From them follows which items are fetched, and what a
/// change of a container changes. A value; whoever stores it stores the wishes, and the items as the source listed them.
///
/// An item that several want is fetched once, at the best quality that any of them wants; it goes when nobody wants it.
package struct Wants: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    package var key: ItemKey
    package var length: Duration
    /// As the source says it, of the quality that is wanted.
    package var bytes: Int64?

    package init(_ key: ItemKey, length: Duration, bytes: Int64? = nil) {
      (self.key, self.length, self.bytes) = (key, length, bytes)
    }
  }

  package struct WantedContainer: Equatable, Sendable {
    package var quality: Quality
    /// In the container's order, each once.
    package fileprivate(set) var items: [Item]
  }

  /// What has to be done about the downloads.
  package struct Change: Equatable, Sendable {
    package struct Replacement: Equatable, Sendable {
      package var old: MediaKey
      package var new: MediaKey
    }

    package var queued: [MediaKey] = []
    package var dropped: [MediaKey] = []
    /// At another quality: the old one is of use until the new one is whole.
    package var replaced: [Replacement] = []
    /// New ones that are not fetched before others go, because there are too many.
    package var over = 0
  }

  package enum Decision: Equatable, Sendable {
    case wanted(Change)
    /// So many too many; nothing has changed.
    case refused(over: Int)
  }

  package struct Size: Equatable, Sendable {
    /// Items that are not here and not wanted by anybody else, and the bytes that have to be fetched of them.
    package var items: Int
    package var bytes: Int64
    /// Bytes of all items, wherever they are: so much is kept in the end. `here` of them are here already.
    package var whole: Int64
    package var here: Int64
    /// Items beyond the quota.
    package var over: Int
    /// Bytes that there are for them.
    package var room: Int64
    package var fits: Bool { bytes <= room }
    /// The measured speed of the network, in bytes a second; nil while nobody knows it.
    var pace: Int64?
    /// How long it takes to fetch, about; nil where nobody knows, and where nothing is to be fetched.
    package var time: Duration? { pace.flatMap { $0 > 0 && bytes > 0 ? .seconds(bytes / $0) : nil } }
  }

  package static let quota = 10_000

  package var quota = Self.quota
  package private(set) var wishes: [ContainerKey: WantedContainer] = [:]
  /// The owner does not want these, whatever contains them.
  package private(set) var leftOut: Set<ItemKey> = []
  private var wanting: [ItemKey: [ContainerKey: Quality]] = [:]
  /// What is fetched, and at which quality.
  private var fetched: [ItemKey: Quality] = [:]
  /// Wanted, and too many; the first come first when there is room.
  private var tooMany: [ItemKey] = []

  package init() {}

  package var count: Int { fetched.count }
  /// How many are fetched for a container of such a kind, whoever else wants them.
  package func count(where isCounted: (ContainerKey.Kind) -> Bool) -> Int {
    fetched.keys.count { wanting[$0]?.keys.contains { isCounted($0.kind) } == true }
  }
  package var keys: Set<MediaKey> { Set(fetched.map { $0.key.at($0.value) }) }

  package func key(of item: ItemKey) -> MediaKey? { fetched[item].map { item.at($0) } }
  /// In their order.
  package func containers(of item: ItemKey) -> [ContainerKey] { (wanting[item] ?? [:]).keys.sorted() }

  // MARK: Wishes

  /// Told before: how much it is, and whether it goes in. `room`: bytes that there are for music. `sizeHere`: bytes of what
  /// is whole already; nil when it is not.
  package func size(
    of items: [Item], at quality: Quality, room: Int64, sizeHere: (MediaKey) -> Int64? = { _ in nil }
  ) -> Size {
    var size = Size(items: 0, bytes: 0, whole: 0, here: 0, over: 0, room: room)
    var new = 0
    for item in Self.once(items) where !leftOut.contains(item.key) {
      let before = fetched[item.key]
      if before == nil { new += 1 }
      let best = max(before ?? quality, quality)
      let here = sizeHere(item.key.at(best))
      let bytes = max(here ?? item.bytes ?? best.estimate(of: item.length), 0)
      size.whole = size.whole.plus(bytes)
      if here != nil {
        size.here = size.here.plus(bytes)
      } else if before != best {
        size.items += 1
        size.bytes = size.bytes.plus(bytes)
      }
    }
    size.over = max(fetched.count + new - quota, 0)
    return size
  }

  /// Wanted again it may have another quality.
  package mutating func want(_ container: ContainerKey, at quality: Quality, _ items: [Item]) -> Decision {
    var after = self
    let change = after.set(container, WantedContainer(quality: quality, items: Self.once(items)))
    guard change.over == 0 else { return .refused(over: change.over) }
    self = after
    return .wanted(change)
  }

  /// The container has other items now. What is too much is not fetched, and told.
  package mutating func follow(_ container: ContainerKey, _ items: [Item]) -> Change {
    guard let wish = wishes[container] else { return Change() }
    return set(container, WantedContainer(quality: wish.quality, items: Self.once(items)))
  }

  package mutating func drop(_ container: ContainerKey) -> Change { set(container, nil) }

  /// In one step: what each of them would have left to the others is of no use.
  package mutating func drop(_ containers: [ContainerKey]) -> Change {
    let before = fetched
    for container in containers { _ = set(container, nil) }
    var change = Change()
    for item in Set(before.keys).union(fetched.keys).sorted() {
      switch (before[item], fetched[item]) {
      case (let old?, nil): change.dropped.append(item.at(old))
      case (nil, let new?): change.queued.append(item.at(new))
      case (let old?, let new?) where old != new: change.replaced.append(.init(old: item.at(old), new: item.at(new)))
      default: break
      }
    }
    return change
  }

  /// The owner does not want this one of whatever contains it.
  package mutating func leaveOut(_ item: ItemKey) -> Change {
    guard leftOut.insert(item).inserted else { return Change() }
    return settle([item])
  }

  package mutating func takeIn(_ item: ItemKey) -> Change {
    guard leftOut.remove(item) != nil else { return Change() }
    return settle([item])
  }

  // MARK: What follows

  private mutating func set(_ container: ContainerKey, _ wish: WantedContainer?) -> Change {
    let before = wishes[container]?.items.map(\.key) ?? []
    for item in before {
      wanting[item]?[container] = nil
      if wanting[item]?.isEmpty == true { wanting[item] = nil }
    }
    wishes[container] = wish
    for item in wish?.items ?? [] { wanting[item.key, default: [:]][container] = wish?.quality }
    let now = wish?.items.map(\.key) ?? []
    let kept = Set(now)
    return settle(before.filter { !kept.contains($0) } + now)
  }

  /// Of these items, what is fetched is made to be what is wanted. Those that go make room for those that come, and for
  /// those that were too many before.
  private mutating func settle(_ items: [ItemKey]) -> Change {
    var change = Change()
    var new: [ItemKey] = []
    for item in items {
      let (old, wanted) = (fetched[item], wanted(item))
      guard wanted != old else { continue }
      switch (old, wanted) {
      case (let old?, let wanted?):
        fetched[item] = wanted
        change.replaced.append(.init(old: item.at(old), new: item.at(wanted)))
      case (let old?, nil):
        fetched[item] = nil
        change.dropped.append(item.at(old))
      default: if wanted != nil { new.append(item) }
      }
    }
    if !tooMany.isEmpty {
      let coming = Set(new)
      new = tooMany.filter { wanted($0) != nil && !coming.contains($0) } + new
    }
    let before = Set(tooMany)
    let room = max(quota - fetched.count, 0)
    tooMany = Array(new.dropFirst(room))
    change.over = tooMany.count { !before.contains($0) }
    for item in new.prefix(room) {
      guard let quality = wanted(item) else { continue }
      fetched[item] = quality
      change.queued.append(item.at(quality))
    }
    return change
  }

  private func wanted(_ item: ItemKey) -> Quality? { leftOut.contains(item) ? nil : wanting[item]?.values.max() }

  private static func once(_ items: [Item]) -> [Item] {
    var seen: Set<ItemKey> = []
    return items.filter { seen.insert($0.key).inserted }
  }
}
