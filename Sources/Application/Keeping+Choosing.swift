import Offline
import Runtime
import Services

/// Wishes to keep music, and what can be done with them: pause, try again, drop, check, move.
extension Keeping {
  /// One that was chosen though nobody asked for it.
  package typealias SmartDownload = OfflinePart.SmartDownload

  package struct Wanted: Sendable {
    package let container: ContainerKey
    package let quality: Quality
    package let size: Wants.Size
    package let queued: Int
  }

  package func lines() async throws(Fault) -> [OfflineLine] {
    try await ask { part async throws(Fault) in await part.list() }
  }

  /// How single items stand, wanted or not.
  package func lines(of items: [ItemKey]) async throws(Fault) -> [ItemLine] {
    try await ask { part async throws(Fault) in await part.lines(of: items) }
  }

  package func items(of container: ContainerKey) async throws(Fault) -> [ItemKey] {
    try await ask { part async throws(Fault) in try await part.items(of: container) }
  }

  package func plan(_ count: Int) async throws(Fault) -> [PlannedLine] {
    try await ask { part async throws(Fault) in await part.plan(count: count) }
  }

  package func quality(for purpose: TransferPolicy.Purpose) async throws(Fault) -> Quality {
    try await ask { part async throws(Fault) in await part.quality(for: purpose) }
  }

  package func size(of key: ContainerKey, at quality: Quality) async throws(Fault) -> Wants.Size {
    try await ask { part async throws(Fault) in try await part.size(of: key, at: quality) }
  }

  package func size(of items: [ItemKey], at quality: Quality) async throws(Fault) -> Wants.Size {
    try await ask { part async throws(Fault) in await part.size(of: items, at: quality) }
  }

  /// What does not fit is queued only when whoever asks says so.
  package static nonisolated let doesNotFit = "X-211"

  /// Without `said` it is fetched in the quality that it is wanted in already, or that downloads have.
  package func want(_ key: ContainerKey, at said: Quality?, isAnyway: Bool) async throws(Fault) -> Wanted {
    let before = try await ask { part async throws(Fault) in await part.quality(of: key) }
    let quality: Quality
    if let known = said ?? before { quality = known } else { quality = try await self.quality(for: .download) }
    let size = try await self.size(of: key, at: quality)
    // Only a new wish, or one for a better quality, has to fit: what is queued already was found to fit, or was confirmed.
    if !size.fits, !isAnyway, before.map({ $0 < quality }) ?? true { throw Self.tooLarge(key.shownName, size) }
    switch try await ask({ part async throws(Fault) in try await part.want(key, at: quality) }) {
    case .wanted(let change):
      return Wanted(
        container: key, quality: quality, size: size, queued: change.queued.count + change.replaced.count)
    case .refused(let over): throw Self.tooMany(key.shownName, over: over)
    }
  }

  /// As somebody asks who stands before it: a track that was left out of what contains it is in it again.
  package func keep(_ key: ContainerKey, at quality: Quality?, isAnyway: Bool) async throws(Fault) {
    if let item = key.item, let line = try await lines(of: [item]).first, line.isWanted, !line.state.isKeptOrComing {
      return try await takeIn(item)
    }
    _ = try await want(key, at: quality, isAnyway: isAnyway)
  }

  /// A track that something else contains is left out of that.
  package func stopKeeping(_ key: ContainerKey) async throws(Fault) {
    try await drop(key)
    guard let item = key.item, let line = try await lines(of: [item]).first, line.isWanted else { return }
    try await leaveOut(item)
  }

  nonisolated static func tooMany(_ name: String, over: Int) -> Fault {
    Fault(.full, "X-191", "\(name) would be \(over) tracks too many: \(Wants.quota) are kept; drop something first")
  }

  nonisolated static func tooLarge(_ name: String, _ size: Wants.Size) -> Fault {
    Fault(
      .full, doesNotFit,
      "\(name) needs about \(TransferPolicy.shown(size.bytes)), and there is room for "
        + "\(TransferPolicy.shown(size.room)); nothing was queued. \"anyway\" at the end queues it, and what does not fit"
        + " waits for room")
  }

  /// Nil: everything.
  package func pause(_ key: ContainerKey?) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.pause(key) }
  }

  /// Nil: everything. One that goes on where everything rests goes on alone.
  package func resume(_ key: ContainerKey?) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.resume(key) }
  }

  /// What failed or waits for its server is tried now; nil: all of it. Returns how many items that are.
  @discardableResult
  package func again(_ key: ContainerKey?) async throws(Fault) -> Int {
    try await ask { part async throws(Fault) in try await part.again(key) }
  }

  /// Returns how many items are given up.
  @discardableResult
  package func drop(_ key: ContainerKey) async throws(Fault) -> Int {
    try await ask { part async throws(Fault) in try await part.drop(key) }
  }

  package func dropAll() async throws(Fault) -> Int {
    try await ask { part async throws(Fault) in try await part.dropAll() }
  }

  /// Leaves this track out of everything wanted that contains it.
  package func leaveOut(_ item: ItemKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.leaveOut(item) }
  }

  package func takeIn(_ item: ItemKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.takeIn(item) }
  }

  /// Whether it is fetched also where traffic costs money.
  package func payFor(_ key: ContainerKey, _ isExcepted: Bool) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.payFor(key, isExcepted) }
  }

  /// Asks sources what is new.
  package func refresh() async throws(Fault) {
    try await ask { part async throws(Fault) in await part.refresh() }
  }

  // MARK: What nobody asked for

  package func smartDownloads() async throws(Fault) -> [SmartDownload] {
    try await ask { part async throws(Fault) in await part.smartDownloads() }
  }

  /// Why nothing is fetched unasked just now.
  package func whyNoSmartDownloads() async throws(Fault) -> [Why] {
    try await ask { part async throws(Fault) in await part.whyNoSmartDownloads() }
  }

  package func dismissSmartDownload(_ item: ItemKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.dismissSmartDownload(item) }
  }

  package func dismissAllSmartDownloads() async throws(Fault) -> Int {
    try await ask { part async throws(Fault) in try await part.dismissAllSmartDownloads() }
  }

  // MARK: Disks

  package func health() async throws(Fault) -> OfflineHealth {
    try await ask { part async throws(Fault) in await part.health() }
  }

  package func room() async throws(Fault) -> OfflineRoom {
    try await ask { part async throws(Fault) in await part.room() }
  }

  /// A look at everything that is kept, and at the disk it is kept on.
  package enum Check: Equatable, Sendable { case begin, status, stop }

  /// Begins a check, asks how far it is, or stops it. Each returns how far the check has come; nil when there is none.
  @discardableResult
  package func check(_ what: Check) async throws(Fault) -> CheckLine? {
    try await ask { (part: OfflinePart) async throws(Fault) -> CheckLine? in
      switch what {
      case .begin: return try await part.check()
      case .status: return await part.checking()
      case .stop: return await part.callOffCheck()
      }
    }
  }

  /// Uses an empty disk in place of the missing one that is named; nil: of the disk that all music is kept on. Returns
  /// false when it counts from the next start on.
  package func accept(_ disk: String?) async throws(Fault) -> Bool {
    try await ask { part async throws(Fault) in try await part.accept(disk) }
  }

  /// Moves all music that is kept to another disk. Without one it only tells how far that is.
  @discardableResult
  package func move(to disk: String?) async throws(Fault) -> MoveLine? {
    try await ask { (part: OfflinePart) async throws(Fault) -> MoveLine? in
      if let disk { return try await part.move(to: disk) }
      return await part.moving()
    }
  }
}

extension ContainerKey {
  /// The track, where the container is nothing but one track; else nil.
  fileprivate var item: ItemKey? { kind == .track ? ItemKey(source: source, item: id) : nil }
}

extension ItemLine {
  /// Something contains it that somebody asked for: what was only fetched unasked can still be kept.
  package var isWanted: Bool { containers.contains { $0.kind != .predicted && $0.kind != .cache } }
}

extension ItemLine.State {
  /// It is on the device because somebody wants it there, or on its way.
  fileprivate var isKeptOrComing: Bool {
    switch self {
    case .notWanted, .cached: false
    case .wanted, .waiting, .paused, .fetching, .kept, .failed: true
    }
  }
}
