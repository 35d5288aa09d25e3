import Files
import Runtime
import Services

/// The files of downloads on the disk that all is kept on, as they grow and when they are whole. Owns which folder and
/// which disk that is. Lives on the loop `offline`, inside `DownloadEngine`, which is the only loop that waits for the disk.
///
/// Bytes count from when they are synced, a whole file from when it has its name; the row is stored behind that. What lies
/// there without a row is removed later, see `OrphanHunter`.
final class DownloadFiles {
  private let tools: EngineTools
  private(set) var folder: MediaFolder
  /// What is to lie on that disk, or another is in its place. Nil: none was ever given to it.
  private var mark: VolumeMark?

  init(in folder: MediaFolder, _ tools: EngineTools) { (self.folder, self.tools) = (folder, tools) }

  func settle(in folder: MediaFolder, _ mark: VolumeMark?) { (self.folder, self.mark) = (folder, mark) }

  var isDiskThere: Bool { mark.map { $0.isThere(on: tools.disk) } ?? true }

  /// Bytes; nil while nobody can say: the disk is not there.
  var free: Int64? {
    guard isDiskThere else { return nil }
    do throws(Fault) { return try tools.disk.space(at: folder.path).free } catch { return nil }
  }

  private func refused(_ fault: Fault, at step: Trouble.DiskStep) -> Trouble {
    Log("offline").info("the disk says no", ["reason": fault.message])
    return isDiskThere ? Trouble(fault, at: step) : .diskGone
  }

  // MARK: The one that grows

  private func opened(_ active: ActiveDownload) throws(Fault) -> PartFile {
    if let part = active.part { return part }
    guard isDiskThere else { throw VolumeMark.away(folder.path) }
    let part = try PartFile(folder.part(try MediaFolder.Name(of: active.key)), on: tools.disk)
    active.part = part
    return part
  }

  /// Nil, here as below: it is done.
  func cut(_ active: ActiveDownload, to length: Int64) -> Trouble? {
    do throws(Fault) {
      try opened(active).cutBack(to: length)
      return nil
    } catch { return refused(error, at: .open) }
  }

  func makeRoom(for active: ActiveDownload, keeping reserve: Int64) -> Trouble? {
    guard let size = active.download.record.size else { return nil }
    do throws(Fault) {
      try opened(active).makeRoom(for: size, keeping: reserve)
      return nil
    } catch { return refused(error, at: .open) }
  }

  func write(
    _ bytes: [UInt8], _ at: Int64, _ skipping: Int, _ count: Int, _ active: ActiveDownload
  ) -> Trouble? {
    do throws(Fault) {
      let part = try opened(active)
      let outcome = bytes.withUnsafeBytes { all -> Result<Void, Fault> in
        let wanted = UnsafeRawBufferPointer(rebasing: all.prefix(count).dropFirst(skipping))
        return Result { () throws(Fault) in try part.write(wanted, at: at) }
      }
      try outcome.get()
      return nil
    } catch { return refused(error, at: .write) }
  }

  /// With the sum of the piece that the file ends with.
  func sync(_ active: ActiveDownload) -> (piece: Pieces.Piece?, trouble: Trouble?) {
    do throws(Fault) { return (try opened(active).sync(), nil) } catch { return (nil, refused(error, at: .sync)) }
  }

  func finding(_ size: Int64, _ hash: String?, _ active: ActiveDownload) -> Download.Finding {
    do throws(Fault) {
      let part = try opened(active)
      if part.length < size { return .unreadable }
      let found: String
      switch try part.sum(against: active.download.record.pieces) {
      case .damaged(let from):
        Log("offline").info("a disk has not kept what was durable", ["file": "\(part.path)", "from": "\(from)"])
        return .damaged(from: from)
      case .whole(let sum): found = sum
      }
      return part.length == size && hash.map { $0 == found } ?? true ? .right(hash: found) : .wrong
    } catch {
      Log("offline").info("a download cannot be checked", ["reason": error.message])
      return .unreadable
    }
  }

  /// A row of an older program does not say how the file is called at the end; then the source is asked.
  func publish(
    _ ticket: Download.Ticket, _ active: ActiveDownload, isolation: isolated (any Actor)? = #isolation
  ) async -> Download.Event {
    let key = active.key
    var ending = active.download.record.ending ?? active.transfer.place?.ending
    if ending == nil, let source = tools.sources[key.source] {
      // Without it the file is called `music`, and plays all the same.
      ending = try? await source.resolve(key.item.item, at: key.quality, isAnew: false).ending
    }
    let said: Download.Event
    do throws(Fault) {
      let path = folder.whole(try MediaFolder.Name(of: key), ending: ending ?? "")
      let older = active.download.record.path
      try opened(active).publish(as: path)
      // By another ending it was another file.
      if let older, FilePath(older) != path { tools.disk.remove(FilePath(older)) }
      said = .published(ticket, path: String(decoding: path.bytes, as: UTF8.self))
    } catch { said = .failed(ticket, refused(error, at: .rename)) }
    active.part = nil
    return said
  }

  /// By its name as it is now: it changes when the file is whole.
  func bytes(_ active: ActiveDownload, at offset: Int64, most count: Int) throws(Fault) -> [UInt8] {
    let record = active.download.record
    let name = try MediaFolder.Name(of: active.key)
    var path = folder.part(name)
    if record.state == .completed, let whole = record.path { path = FilePath(whole) }
    // It may have its name already, and its row not know.
    let named = folder.whole(name, ending: record.ending ?? "")
    var found = try tools.disk.open(path, making: false)
    if found == nil { found = try tools.disk.open(named, making: false) }
    guard let file = found else {
      throw Fault(.missing, "O-412", "\(path) is not there any more")
    }
    defer { tools.disk.close(file) }
    return try tools.disk.bytes(of: file, at: offset, most: count, code: "O-412", path)
  }

  // MARK: All that lies there of one

  /// Whatever its source calls the whole one.
  private func files(of key: MediaKey) throws(Fault) -> [(path: FilePath, isGrowing: Bool)] {
    let name = try MediaFolder.Name(of: key)
    let inside = folder.part(name).folder
    var files: [(path: FilePath, isGrowing: Bool)] = []
    for file in try tools.disk.names(in: inside, most: Reconciler.mostInFolder) {
      guard let read = MediaFolder.reading(file, in: name.folder), read.name == name else { continue }
      if let path = FilePath(bytes: (inside / "").bytes + file.bytes) { files.append((path, read.isGrowing)) }
    }
    return files
  }

  /// False: nothing was there. Perhaps its disk is away, and files of nobody have to be looked for.
  func discard(_ active: ActiveDownload) -> Bool {
    active.part = nil
    // What is to be played until another version is whole.
    let older = active.download.record.path.map { FilePath($0).name }
    do throws(Fault) {
      let there = try files(of: active.key)
      for file in there where file.isGrowing || file.path.name != older { tools.disk.remove(file.path) }
      return !there.isEmpty
    } catch {
      _ = refused(error, at: .open)
      return false
    }
  }

  /// Of one whose row could not be stored: it may have got its name already, and need not be fetched again; and an older
  /// version may be there, which stays.
  func found(of record: DownloadRecord) -> Reconciler.Found {
    let remains = Download.Remains(length: record.durable, isWhole: record.state == .completed)
    var found = Reconciler.Found(key: record.key, remains: remains)
    let isPublishing = record.state == .downloading(.publishing)
    guard isPublishing || record.path != nil, record.state != .completed else { return found }
    let older = record.path.map { FilePath($0).name }
    do throws(Fault) {
      let there = try files(of: record.key)
      let wholes = there.filter { !$0.isGrowing }.map(\.path)
      if isPublishing, wholes.count == there.count { found.whole = wholes.first { $0.name != older } ?? wholes.first }
      found.remains.isWhole = found.whole != nil
      found.remains.hasOlder = found.whole == nil && wholes.contains { $0.name == older }
    } catch {
      _ = refused(error, at: .open)
      // Nobody can say; a start looks again.
      found.remains.hasOlder = older != nil
    }
    return found
  }
}
