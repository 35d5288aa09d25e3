import Application
import Library
import Offline
import Rights
import Runtime
import Seals

/// Removes the music that this device may have no more: what its service took back, and what was kept for a subscription
/// that has ended. What may be had again is taken in again. It runs on the main loop.
///
/// Each item is written down before it is left out, so after a power cut it is left out again, and nothing stays that is on
/// the list.
@MainLoop
final class Withdrawals {
  private struct Entry: Equatable {
    let key: KeyID
    let item: ItemKey
  }

  private let storage: Storage
  private let keeping: Keeping
  private let notices: NoticeBoard
  private let file: FilePath
  private var list: [Entry]?
  /// Whether the list was brought about since the start.
  private var isDone = false
  private let log = Log("rights")

  init(_ storage: Storage, _ keeping: Keeping, _ notices: NoticeBoard, in state: FilePath) {
    (self.storage, self.keeping, self.notices) = (storage, keeping, notices)
    file = state / "withdrawn.json"
  }

  /// Brings what is kept to what may be kept.
  func follow(_ rights: any RightsKeeper) async {
    do throws(Fault) {
      let forfeits = try await rights.asked { keeper throws(Fault) in try keeper.forfeits() }
      var entries = try await read()
      guard !forfeits.isEmpty || !entries.isEmpty else { return }
      try await remove(forfeits, &entries)
      try await giveBack(entries, forfeits, rights)
    } catch { log.warning("what may be had no more is not removed yet", ["reason": error.message]) }
  }

  private func remove(_ forfeits: [DeviceRights.Forfeit], _ entries: inout [Entry]) async throws(Fault) {
    var (isNew, reasons) = (false, [Fault]())
    for forfeit in forfeits {
      guard let item = try await item(of: forfeit.key) else { continue }
      let entry = Entry(key: forfeit.key, item: item)
      if !entries.contains(entry) {
        entries.append(entry)
        isNew = true
      }
      if !reasons.contains(where: { $0.message == forfeit.why.message }) { reasons.append(forfeit.why) }
    }
    if isNew { try await keep(entries) }
    if isNew || !isDone {
      for entry in entries where forfeits.contains(where: { $0.key == entry.key }) {
        try await keeping.leaveOut(entry.item)
      }
    }
    isDone = true
    for why in reasons { notices.post(Notice(why)) }
  }

  private func giveBack(
    _ entries: [Entry], _ forfeits: [DeviceRights.Forfeit], _ rights: any RightsKeeper
  ) async throws(Fault) {
    let forfeited = Set(forfeits.map(\.key))
    let keys = entries.map(\.key).filter { !forfeited.contains($0) }
    guard !keys.isEmpty else { return }
    let playing = try await rights.asked { keeper throws(Fault) in try keeper.playable(keys) }
    let back = entries.filter { !forfeited.contains($0.key) && playing.contains($0.key) }
    guard !back.isEmpty else { return }
    for entry in back { try await keeping.takeIn(entry.item) }
    try await keep(entries.filter { !back.contains($0) })
  }

  /// What is kept of a track with this key; nil when nothing is.
  private func item(of key: KeyID) async throws(Fault) -> ItemKey? {
    guard let key = ContentKey(bytes: key.bytes), let catalogue = storage.catalogue else { return nil }
    guard let file = try await catalogue.file(of: key), let path = try await catalogue.path(of: file.id) else {
      return nil
    }
    return await keeping.item(inFile: path)
  }

  // MARK: The list

  nonisolated private static let longest = 4 << 20

  private func read() async throws(Fault) -> [Entry] {
    if let list { return list }
    let file = file
    let read = await storage.loop.perform { () -> Result<[UInt8]?, Fault> in
      Result { () throws(Fault) in try PlainFile.read(file, limit: Self.longest, code: "X-236") }
    }
    var entries: [Entry] = []
    if let bytes = try read.get() {
      let json = try JSON(parsing: bytes, limits: .init(depth: 3, size: Self.longest, values: 200_000))
      for one in json.items ?? [] {
        guard let key = one["key"]?.string.flatMap(KeyID.init(text:)), let source = one["source"]?.string,
          let item = one["item"]?.string
        else { continue }
        entries.append(Entry(key: key, item: ItemKey(source: source, item: item)))
      }
    }
    list = entries
    return entries
  }

  private func keep(_ entries: [Entry]) async throws(Fault) {
    let json = entries.map { one -> JSON in
      ["key": JSON("\(one.key)"), "source": JSON(one.item.source), "item": JSON(one.item.item)]
    }
    let (file, bytes) = (file, JSON.list(json).bytes)
    let written = await storage.loop.perform {
      Result { () throws(Fault) in try AtomicFile.replace(file, with: bytes) }
    }
    try written.get()
    list = entries
  }
}
