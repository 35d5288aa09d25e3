internal import CLinux
import Glibc
import Runtime

/// The files from which the player learns of sticks: the kernel's, udev's, and those of the unit that mounts. Every user
/// may read them. Tests have a folder of their own for each.
package struct StickSurroundings: Sendable {
  package var table = FilePath("/proc/self/mountinfo")
  /// By waiting for which the kernel tells that the table has changed.
  package var changes = FilePath("/proc/self/mountinfo")
  package var places = FilePath("/run/layby-sticks")
  package var records = FilePath("/run/udev/data")
  package var disks = FilePath("/sys/class/block")
  package var numbers = FilePath("/sys/dev/block")

  package init() {}

  func mounts() throws(Fault) -> [Mount] {
    MountTable.mounts(in: try AtomicFile.read(table, limit: MountTable.limit), below: places)
  }

  func stick(_ mount: Mount) -> Stick {
    let record = record(of: mount.device)
    let size = size(of: mount.device)
    return Stick(
      uuid: record.uuid, identity: record.identity(bytes: size), label: record.name, root: mount.place,
      fileSystem: record.fileSystem ?? StickLabel.shown(Array(mount.fileSystem.utf8)), bytes: size,
      device: mount.device)
  }

  /// What the unit could not mount, and why; a word of a device that is not there any more is old.
  func refused() -> [RefusedStick] {
    let ending = Array(".refused".utf8)
    let names: [FilePath]
    // No folder: nothing was ever put in.
    do throws(Fault) { names = try Folder.names(in: places, limit: 1_000) } catch { return [] }
    return names.compactMap { name in
      guard name.bytes.count > ending.count, name.bytes.suffix(ending.count).elementsEqual(ending),
        case let device = name.bytes.dropLast(ending.count), StickIdentity.isPlain(device),
        case let shown = String(decoding: device, as: UTF8.self),
        let number = DeviceNumber(line(disks / shown / "dev")),
        let reason = RefusedStick.Reason(rawValue: String(decoding: line(places / "\(shown).refused"), as: UTF8.self))
      else { return nil }
      let record = record(of: number)
      return RefusedStick(label: record.name, reason: reason, fileSystem: record.fileSystem, device: shown)
    }
  }

  private func record(of device: DeviceNumber) -> DeviceRecord {
    // Not there: it is being unplugged.
    do throws(Fault) {
      return DeviceRecord(try AtomicFile.read(records / "b\(device)", limit: DeviceRecord.limit))
    } catch {
      return DeviceRecord()
    }
  }

  /// The kernel counts in blocks of 512 bytes, whatever the disk does.
  private func size(of device: DeviceNumber) -> Int64? {
    guard let blocks = DeviceNumber.number(line(numbers / "\(device)" / "size")), blocks < Int.max / 512 else {
      return nil
    }
    return Int64(blocks) * 512
  }

  private func line(_ path: FilePath) -> ArraySlice<UInt8> {
    do throws(Fault) {
      return try AtomicFile.read(path, limit: 4_096).prefix { $0 != 0x0A }
    } catch {
      return []
    }
  }
}
