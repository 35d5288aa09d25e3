import Glibc
import Runtime

/// Keys and wheels that the kernel knows: keyboards, remotes, USB knobs, keys of the device tree. Opens every device
/// that has one of the table's (see `EventKeys`), reads them on the deck and delivers what was pressed or turned.
///
/// A device that is plugged in later is opened when its name appears; one that is pulled is closed. Neither ends the
/// part, nor does a folder without devices.
@Deck
package final class EventDevices: Part {
  nonisolated package let name = "inputs"
  private let folder: FilePath
  private let open: (FilePath) throws(Fault) -> EventDevice
  private let tell: @Deck (Fault) -> Void
  private let deliver: @Deck (Input) -> Void
  private let log = Log("inputs")

  private var devices: [FilePath: EventDevice] = [:]
  /// Looked at, and of no use; or told of. Forgotten when the folder's names change.
  private var passedOver: Set<FilePath> = []
  private var told: Set<FilePath> = []
  private var nextSearch: Moment?

  /// A device's name comes before its group: who may not open it yet may in a moment.
  nonisolated package static let settling: Duration = .milliseconds(200)
  /// Still closed to us this long after it was first seen: then a person must be told.
  nonisolated package static let patience: Duration = .seconds(3)
  /// More devices are not opened.
  nonisolated static let most = 64

  private var firstSeen: [FilePath: Moment] = [:]

  package convenience init(
    folder: FilePath = FilePath("/dev/input"), tell: @escaping @Deck (Fault) -> Void,
    deliver: @escaping @Deck (Input) -> Void
  ) {
    self.init(folder: folder, open: { path throws(Fault) in try EventDevice(path) }, tell: tell, deliver: deliver)
  }

  /// `open` is a test's own when its devices are not the kernel's.
  package init(
    folder: FilePath, open: @escaping (FilePath) throws(Fault) -> EventDevice, tell: @escaping @Deck (Fault) -> Void,
    deliver: @escaping @Deck (Input) -> Void
  ) {
    self.folder = folder
    self.open = open
    self.tell = tell
    self.deliver = deliver
  }

  package func run() async throws(Fault) {
    let group = try DescriptorGroup(code: "H-222")
    let watch = try FolderWatch(folder, code: "H-223")
    try group.add(watch.number, code: "H-223")
    defer {
      Deck.loop.forget(group.number)
      devices = [:]
      passedOver = []
      nextSearch = nil
    }
    search(group)
    while !Task.isCancelled {
      let limit = nextSearch.map { max($0 - Deck.loop.now, .zero) }
      _ = await Deck.loop.readable(group.number, within: limit)
      if Task.isCancelled { return }
      if watch.changed("event") {
        passedOver = []
        let soon = Deck.loop.now + Self.settling
        nextSearch = min(nextSearch ?? soon, soon)
      }
      read(group)
      if let moment = nextSearch, moment <= Deck.loop.now { search(group) }
    }
  }

  private func read(_ group: borrowing DescriptorGroup) {
    for (path, device) in devices.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
      guard let inputs = device.inputs() else {
        group.remove(device.number)
        devices[path] = nil
        for input in device.reader.released() { deliver(input) }
        log.notice("a device is gone", ["path": path, "label": device.label])
        continue
      }
      for input in inputs { deliver(input) }
    }
  }

  // MARK: Looking for devices

  private func search(_ group: borrowing DescriptorGroup) {
    nextSearch = nil
    let names: [FilePath]
    // No folder: no device was ever there. The watch above tells when it comes.
    do throws(Fault) { names = try Folder.names(in: folder) } catch { names = [] }
    let paths = names.filter { $0.bytes.starts(with: "event".utf8) }.map { folder / $0.description }
    firstSeen = firstSeen.filter { paths.contains($0.key) }
    told.formIntersection(paths)
    for path in paths where devices[path] == nil && !passedOver.contains(path) && devices.count < Self.most {
      do throws(Fault) { try add(try open(path), group) } catch { failed(path, error) }
    }
  }

  private func add(_ device: EventDevice, _ group: borrowing DescriptorGroup) throws(Fault) {
    guard device.isUseful else {
      passedOver.insert(device.path)
      return
    }
    try group.add(device.number, code: "H-222")
    devices[device.path] = device
    log.notice("a device is read", ["path": device.path, "label": device.label])
  }

  private func failed(_ path: FilePath, _ fault: Fault) {
    let now = Deck.loop.now
    let since = firstSeen[path] ?? now
    firstSeen[path] = since
    guard now - since >= Self.patience else {
      nextSearch = min(nextSearch ?? .init(nanoseconds: .max), since + Self.patience)
      return
    }
    passedOver.insert(path)
    guard told.insert(path).inserted else { return }
    // One of several is nothing to show: the log has it.
    log.info("a device cannot be read", ["path": path, "reason": fault.message])
    guard told.count == 1 else { return }
    tell(
      fault.kind == .denied
        ? Fault(
          .denied, "H-224", "\(path) may not be read, so its keys do nothing; the user belongs into the group input")
        : fault)
  }
}
