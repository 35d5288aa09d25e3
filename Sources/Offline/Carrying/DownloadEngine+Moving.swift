import Files
import Runtime

/// What is asked of those who fetch when everything goes to another disk.
extension DownloadEngine {
  var isDiskThere: Bool { mark.map { $0.isThere(on: disk) } ?? true }

  /// Whole ones, older versions that are still played too; in the order of keys.
  package func files() -> [Move.File] {
    var files: [Move.File] = []
    for carriage in carriages.values {
      let record = carriage.download.record
      guard let path = record.path.map({ FilePath($0) }), record.state != .cancelled else { continue }
      let isWhole = record.state == .completed
      // Of an older version nobody knows the length any more.
      guard let size = isWhole ? record.durable : Self.length(of: path, on: disk) else { continue }
      files.append(Move.File(record.key, at: path, size: size, hash: isWhole ? record.hash : nil))
    }
    return files.sorted { $0.key < $1.key }
  }

  private static func length(of path: FilePath, on disk: any MediaDisk) -> Int64? {
    do throws(Fault) {
      guard let file = try disk.open(path, making: false) else { return nil }
      let length = try disk.length(of: file, path)
      disk.close(file)
      return length
    } catch { return nil }
  }

  /// Those that grow, as far as that is certain.
  package func parts() -> [(key: MediaKey, durable: Int64)] {
    var parts: [(key: MediaKey, durable: Int64)] = []
    for carriage in carriages.values {
      let record = carriage.download.record
      guard record.state != .completed, record.state != .cancelled else { continue }
      parts.append((record.key, record.durable))
    }
    return parts.sorted { $0.key < $1.key }
  }

  /// For a moment nothing runs, so that what grows can be carried over; false while somebody listens to what grows. What
  /// is whole is read on from where it is then.
  package func standStill() -> Bool {
    for carriage in carriages.values where !carriage.streams.isEmpty && carriage.download.state != .completed {
      return false
    }
    isStandingStill = true
    look()
    return true
  }

  package func goOn() {
    isStandingStill = false
    look()
  }

  package var isQuiet: Bool {
    guard planner.runningCount == 0, !isHunting, outside.isEmpty else { return false }
    return carriages.values.allSatisfy { !$0.isBusy }
  }

  /// All lies there now. Rows name the old paths until they are stored again; a start looks for files by their names.
  package func settle(in folder: MediaFolder, _ mark: VolumeMark?) {
    (self.folder, self.mark) = (folder, mark)
    for carriage in carriages.values {
      carriage.part = nil
      guard let path = carriage.download.record.path, let name = carriage.name else { continue }
      let whole = folder.whole(name, ending: FilePath(path).ending)
      carriage.download.record.path = String(decoding: whole.bytes, as: UTF8.self)
      carriage.stored.path = carriage.download.record.path
    }
    // What somebody has put there in the meantime, or an earlier move.
    mustHunt = !carriages.isEmpty
  }

  package func usage() -> OfflineUsage {
    var usage = OfflineUsage()
    for carriage in carriages.values {
      let record = carriage.download.record
      let rank = planner.rank(of: carriage.key)
      let bytes = record.durable
      if record.state != .completed {
        usage.growing = usage.growing.plus(bytes)
      } else if rank == .predicted {
        usage.predicted = usage.predicted.plus(bytes)
      } else if rank != nil || carriage.standsIn {
        usage.asked = usage.asked.plus(bytes)
      } else if record.isCache {
        usage.cached = usage.cached.plus(bytes)
      } else {
        usage.left = usage.left.plus(bytes)
      }
    }
    return usage
  }
}
