import Application
import Glibc
import Library
import Offline
import Runtime
import Services

/// Hands what is fetched to the library: a whole file with what its source says of it, at once; what was deleted, by
/// name; and all of it after a power cut, which may have come between a file and its import. It runs on the main loop.
@MainLoop
final class KeptMusic {
  private let storage: Storage
  private let imports: ImportPart
  private let keeping: Keeping
  private let notices: NoticeBoard
  /// On the board's own disk.
  private let media: FilePath
  /// Leads to wherever all is kept.
  private let kept: FilePath
  /// Something that could be found in the library no longer can; where each file, by its name without an ending, came from.
  private let changed: @MainLoop ([String: FilePath]) -> Void
  /// What is away is not gone, and an empty place in its stead says nothing.
  var diskIsThere = false
  private var isLookingSoon = false
  /// Whole files that were deleted, in batches: an album goes in one.
  private lazy var deleted = Batcher<MediaKey>(most: 100, as: storage.errands) { [weak self] keys in
    await self?.forget(keys)
  }
  private let log = Log("offline")

  init(
    _ storage: Storage, _ imports: ImportPart, _ keeping: Keeping, _ notices: NoticeBoard, in media: FilePath,
    known kept: FilePath, changed: @escaping @MainLoop ([String: FilePath]) -> Void
  ) {
    (self.storage, self.imports, self.keeping, self.notices) = (storage, imports, keeping, notices)
    (self.media, self.kept, self.changed) = (media, kept, changed)
  }

  /// Its file is gone.
  func wasDeleted(_ key: MediaKey) { deleted.add(key) }

  /// Files came or went, and it may have come between that and their import.
  func lookThroughAfterAPowerCut(_ part: OfflinePart) async throws(Fault) {
    guard let catalogue = storage.catalogue else { return }
    let isKnown = try await catalogue.sources().contains { $0.kind == .store && $0.key == media.bytes }
    let isEmpty = await part.list().isEmpty
    if isKnown || !isEmpty { lookThroughSoon() }
  }

  /// When this returns the folder is a source of the library's, and what is in it is found and played soon. After a power
  /// cut the next start looks through it again.
  private func lookThrough() async {
    // What is away is not gone, and an empty place in its stead says nothing.
    guard let catalogue = storage.catalogue, diskIsThere else { return }
    let wish = wish
    do throws(Fault) {
      _ = try await catalogue.source(
        wish.kind, key: wish.key, label: wish.label, root: wish.root, today: Int64(time(nil)))
      imports.add(wish)
    } catch {
      notices.post(Notice(error, instead: "what was fetched is on the device, but not in the library yet"))
    }
  }

  private var wish: ImportPart.Request {
    ImportPart.Request(kind: .store, key: media.bytes, label: "fetched", root: kept)
  }

  /// When this returns it can be found.
  func take(_ item: WholeItem) async {
    let facts = item.facts ?? MediaItem(id: item.key.item.item)
    await take(item.path, IndexFacts(KnownItem(item.key.item, facts)))
  }

  /// That file alone is read. Should it fail, what the next look through all of them finds is what counts.
  private func take(_ path: FilePath, _ facts: IndexFacts) async {
    guard storage.catalogue != nil, diskIsThere else { return }
    do throws(Fault) { try await imports.take(Arrival(path, facts), of: wish) } catch {
      log.info("what was fetched is looked for", ["file": path, "reason": error.message])
      await lookThrough()
    }
  }

  /// Their files are gone.
  private func forget(_ keys: [MediaKey]) async {
    var gone: [String: FilePath] = [:]
    var stems: [FilePath] = []
    for key in keys {
      guard let name = try? MediaFolder.Name(of: key).description else { continue }  // without a sum it had no file
      stems.append(FilePath("\(kept)/\(name.prefix(2))/\(name)"))
      gone[name] = key.item.address
    }
    do throws(Fault) { try await storage.catalogue?.forget(deleted: stems) } catch {
      log.warning("what was deleted is still in the library", ["reason": error.message])
      await lookThrough()
    }
    changed(gone)
  }

  /// Twice: an import believes only the second time that a folder is empty where there was music.
  func lookThroughSoon() {
    guard !isLookingSoon else { return }
    isLookingSoon = true
    MainLoop.start {
      await MainLoop.loop.sleep(for: .seconds(1))
      self.isLookingSoon = false
      await self.lookThrough()
      while self.imports.waiting.contains(where: { $0.kind == .store }) {
        guard await MainLoop.loop.sleep(for: .seconds(1)) else { return }
      }
      await self.lookThrough()
    }
  }

  /// Other names for what is here: their files are read once more, with what their index says now.
  func rename(_ paths: [FilePath]) async {
    let said = await keeping.indexFacts(of: paths.map(\.name.bytes))
    for path in paths { if let facts = said[path.name.bytes] { await take(path, facts) } }
  }
}
