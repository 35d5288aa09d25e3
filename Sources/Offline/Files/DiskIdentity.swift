import Files
import Runtime

/// Whether what lies in the board's folder is the disk that all was kept on. Disks come late, or others in their place;
/// to take the empty folder below for the disk would be to take everything for lost.
package enum DiskIdentity: Equatable, Sendable {
  case isHome
  /// Nothing can be lost by using it: it gets a mark.
  case isNew
  /// Nobody ever gave it a mark, but what the rows tell of lies there. It has this one already, or gets one.
  case isKnown(byMark: String?)
  /// What the rows tell of is on another one.
  case isAway
  /// It has a mark that nobody here knows: what lies there is not ours to clear away.
  case isAnothers

  /// `known`: the mark that was stored. `hasKept`: rows tell of bytes; `holdsSome`: of which some lie there.
  package init(known: String?, found: String?, hasKept: Bool, holdsSome: Bool) {
    if let found, found == known {
      self = .isHome
    } else if hasKept {
      self = known == nil && holdsSome ? .isKnown(byMark: found) : .isAway
    } else {
      self = found == nil ? .isNew : .isAnothers
    }
  }
}

extension DownloadRecord {
  /// Something lies on a disk because of it.
  var hasKept: Bool { state != .cancelled && (durable > 0 || path != nil) }
}

/// Finds out which disk lies in the board's folder, by its mark and by what lies on it.
struct DiskIdentification {
  /// At most this many of the files that rows tell of are looked for on the disk.
  static let sample = 20

  let volume: MediaVolume
  let disk: any MediaDisk

  /// `kept`: some of those that tell of bytes.
  func identify(known: String?, found: String?, _ kept: [DownloadRecord]) -> DiskIdentity {
    DiskIdentity(known: known, found: found, hasKept: !kept.isEmpty, holdsSome: holdsSome(of: kept))
  }

  private func holdsSome(of kept: [DownloadRecord]) -> Bool {
    for record in kept.prefix(Self.sample) {
      do throws(Fault) {
        let name = try MediaFolder.Name(of: record.key)
        for file in try disk.names(in: volume.path / name.folder, most: Reconciler.mostInFolder) {
          if MediaFolder.reading(file, in: name.folder)?.name == name { return true }
        }
      } catch { Log("offline").info("a folder cannot be looked into", ["reason": error.message]) }
    }
    return false
  }

  /// Why it is not used, in words that say what helps.
  func fault(_ identity: DiskIdentity) -> Fault? {
    switch identity {
    case .isHome, .isNew, .isKnown: nil
    case .isAway:
      Fault(
        .missing, "O-307",
        "\(volume.path) is not the disk that music is kept on; when it shall be from now on, and all be fetched anew: "
          + "layby offline accept")
    case .isAnothers: VolumeMark.anothers(volume.path)
    }
  }
}
