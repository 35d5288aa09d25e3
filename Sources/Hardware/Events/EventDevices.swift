import Glibc
import Runtime

/// What the kernel knows as input devices: keyboards, remotes, USB knobs, keys of the device tree, touch screens. Opens
/// every device that has a key with a meaning (see `KeyMap`), a wheel or a place for fingers, reads them on the main
/// loop and delivers what was pressed, turned or touched, with the moment at which it was.
///
/// A device that is plugged in later is opened when its name appears; one that is pulled is closed. Neither ends the
/// part, nor does a folder without devices.
@MainLoop
package final class EventDevices: Part {
  nonisolated package let name = "inputs"
  let folder: FilePath
  let open: (FilePath) throws(Fault) -> EventDevice
  let tell: @MainLoop (Fault) -> Void
  private let deliver: @MainLoop (Input, Moment) -> Void
  private let shift: @MainLoop () -> Duration
  let log = Log("inputs")

  package internal(set) var map: KeyMap
  /// Whoever keeps what was learned.
  package var mapHasChanged: (@MainLoop (KeyMap) -> Void)?
  var learner: (@MainLoop (KeyName) -> Void)?
  private var bell: Bell?

  var devices: [FilePath: EventDevice] = [:]
  let touch: TouchScreens
  /// Touch screens that libinput could not open yet. They are tried again.
  var untouched: Set<FilePath> = []
  var isWithoutTouch = false
  /// Devices that are not read: they have nothing of use, or could not be opened and that was reported. They are looked
  /// at again when the folder's names change.
  var passedOver: Set<FilePath> = []
  var told: Set<FilePath> = []
  var firstSeen: [FilePath: Moment] = [:]
  var nextSearch: Moment?

  /// udev gives a device its group a moment after its name has appeared. Before that we may not open it.
  nonisolated package static let settling: Duration = .milliseconds(200)
  /// When a device still cannot be opened so long after it was first seen, a person is told.
  nonisolated package static let patience: Duration = .seconds(3)
  /// More devices are not opened.
  nonisolated static let most = 64

  package convenience init(
    map: KeyMap = KeyMap(), acceleration: KnobAcceleration = .off, rotation: TouchRotation = .none,
    folder: FilePath = FilePath("/dev/input"), tell: @escaping @MainLoop (Fault) -> Void,
    deliver: @escaping @MainLoop (Input, Moment) -> Void
  ) {
    var shift = SleepShift()
    self.init(
      map: map, acceleration: acceleration, folder: folder, open: { path throws(Fault) in try EventDevice(path) },
      rotation: rotation,
      fingers: { () throws(Fault) in try LibinputFingers() }, shift: { shift.now() }, tell: tell, deliver: deliver)
  }

  /// `open`, `fingers` and `shift` are a test's own when its devices are not the kernel's.
  package init(
    map: KeyMap = KeyMap(), acceleration: KnobAcceleration = .off, folder: FilePath,
    open: @escaping (FilePath) throws(Fault) -> EventDevice, rotation: TouchRotation = .none,
    fingers: @escaping () throws(Fault) -> any FingerSource,
    shift: @escaping @MainLoop () -> Duration, tell: @escaping @MainLoop (Fault) -> Void,
    deliver: @escaping @MainLoop (Input, Moment) -> Void
  ) {
    self.map = map
    self.folder = folder
    self.open = { path throws(Fault) in
      let device = try open(path)
      device.reader = EventReader(acceleration)
      return device
    }
    self.shift = shift
    self.tell = tell
    self.deliver = deliver
    touch = TouchScreens(rotation: rotation, source: fingers)
  }

  package func run() async throws(Fault) {
    let group = try DescriptorGroup(code: "H-222")
    let watch = try FolderWatch(folder, code: "H-223")
    let bell = try Bell()
    try group.add(watch.number, code: "H-223")
    try group.add(bell.number, code: "H-222")
    self.bell = bell
    defer {
      MainLoop.loop.forget(group.number)
      self.bell = nil
      devices = [:]
      touch.close()
      passedOver = []
      untouched = []
      nextSearch = nil
    }
    search(group)
    while !Task.isCancelled {
      let now = MainLoop.loop.now
      let moments = [nextSearch, touch.due(now: now)].compactMap { $0 }
      _ = await MainLoop.loop.readable(group.number, within: moments.min().map { max($0 - now, .zero) })
      if Task.isCancelled { return }
      bell.hush()
      if watch.changed("event") {
        passedOver = []
        touch.leave()
        searchSoon(after: Self.settling)
      }
      read(group)
      if let moment = nextSearch, moment <= MainLoop.loop.now { search(group) }
    }
  }

  /// Call it when other devices are to be read than before.
  func lookAgain() {
    passedOver = []
    searchSoon(after: .zero)
    bell?.ring()
  }

  private func searchSoon(after pause: Duration) {
    let soon = MainLoop.loop.now + pause
    nextSearch = min(nextSearch ?? soon, soon)
  }

  // MARK: Reading

  private func read(_ group: borrowing DescriptorGroup) {
    let (now, shift) = (MainLoop.loop.now, shift())
    for (path, device) in devices.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
      guard let inputs = device.inputs(by: map, now: now, shift: shift) else {
        close(device, group)
        log.notice("a device is gone", ["path": path, "label": device.label])
        continue
      }
      give(inputs)
      if let key = device.reader.takeUnknown() { learn(key, from: device) }
    }
    readTouch(group, shift, now)
  }

  private func readTouch(_ group: borrowing DescriptorGroup, _ shift: Duration, _ now: Moment) {
    do throws(Fault) { give(try touch.touches(shift: shift).map { TimedInput(.touch($0), at: now) }) } catch {
      if let number = touch.descriptor { group.remove(number) }
      touch.close()
      // Once is enough: whatever keeps libinput from reading will not go away by itself.
      isWithoutTouch = true
      tell(error)
    }
  }

  func close(_ device: EventDevice, _ group: borrowing DescriptorGroup) {
    group.remove(device.number)
    devices[device.path] = nil
    give(device.reader.released(at: MainLoop.loop.now))
  }

  private func give(_ all: [TimedInput]) {
    for input in all { deliver(input.input, input.at) }
  }
}

/// What the panel needs to show and change what keys mean.
extension EventDevices {
  /// The next key without a meaning that goes down on any device is given to `take`, once. Those that have one go on
  /// doing what they do, so that whoever changes their mind can go back. Devices that were of no use are read meanwhile.
  package func learn(_ take: @escaping @MainLoop (KeyName) -> Void) {
    learner = take
    lookAgain()
  }

  package func stopLearning() {
    guard learner != nil else { return }
    learner = nil
    lookAgain()
  }

  /// Whether its keys are read.
  package func reads(_ path: FilePath) -> Bool { devices[path] != nil }

  package var isLearning: Bool { learner != nil }

  /// From now on it means that, on every device, and after the next start too.
  package func bind(_ key: KeyName, to meaning: KeyMeaning) { change { $0.bind(key, to: meaning) } }

  package func unbind(_ key: KeyName) { change { $0.unbind(key) } }

  package func forget(_ key: KeyName) { change { $0.forget(key) } }

  private func change(_ body: (inout KeyMap) -> Void) {
    var new = map
    body(&new)
    guard new != map else { return }
    map = new
    lookAgain()
    mapHasChanged?(new)
  }

  func learn(_ key: KeyName, from device: EventDevice) {
    guard let learner else { return }
    log.notice("a key is learned", ["key": key, "path": device.path, "label": device.label])
    self.learner = nil
    lookAgain()
    learner(key)
  }
}
