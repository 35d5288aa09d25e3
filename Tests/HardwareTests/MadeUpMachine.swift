import Glibc
import Hardware
import Runtime
import TestSupport

/// A folder that looks like a machine's root. Its files belong to whoever runs the test; the user it is surveyed as
/// is somebody else, so the modes decide.
final class MadeUpMachine: Sendable {
  let folder = TempFolder()

  static let user: UInt32 = 4_000_000_000
  /// A day in 2026.
  static let today: Int64 = 1_780_000_000

  init() {
    write("etc/passwd", "root:x:0:0::/root:/bin/sh\nanna:x:\(Self.user):100::/home/anna:/bin/sh\n")
  }

  /// A board with everything, all of it open to its user.
  static func goodBoard() -> MadeUpMachine {
    let machine = MadeUpMachine()
    machine.addCard(0, "DAC", "simple-card - Good DAC")
    for name in ["gpiochip0", "gpiochip1", "dri/card0", "watchdog", "input/event10", "input/event2", "fb0"] {
      machine.write("dev/\(name)", "", mode: 0o666)
    }
    machine.write("sys/class/input/event2/device/name", "USB knob\n")
    machine.write("sys/class/graphics/fb0/virtual_size", "320,240\n")
    machine.write("sys/class/graphics/fb0/bits_per_pixel", "16\n")
    machine.write("sys/class/power_supply/BAT/type", "Battery\n")
    machine.write("sys/class/power_supply/BAT/capacity", "71\n")
    machine.write("sys/class/power_supply/BAT/status", "Discharging\n")
    machine.write("sys/class/watchdog/watchdog0/identity", "Board's own\n")
    machine.write("sys/class/net/wlan0/wireless/link", "")
    machine.write("sys/class/net/wlan0/operstate", "up\n")
    machine.write("sys/class/net/lo/operstate", "unknown\n")
    machine.write("sys/class/rtc/rtc0/name", "rtc-ds3231\n")
    machine.write("proc/self/status", "Name:\tx\nCapEff:\t0000000000000000\n")
    machine.write("proc/self/limits", "Limit   Soft Limit  Hard Limit  Units\nMax realtime priority     40     40\n")
    machine.write("proc/meminfo", "MemTotal:  1000000 kB\nMemFree: 1 kB\nMemAvailable:  700000 kB\n")
    machine.write("fonts/Regular.ttf", "x", mode: 0o644)
    machine.write("fonts/Bold.ttf", "x", mode: 0o644)
    machine.write("run/systemd/system/x", "")
    machine.write("run/systemd/journal/socket", "")
    machine.write("state/x", "")
    machine.setMode("state", 0o777)
    return machine
  }

  func addCard(_ number: Int, _ id: String, _ driverAndName: String, playing: Bool = true, mode: UInt32 = 0o666) {
    let line = " \(number) [\(id)]: \(driverAndName)\n                      where it sits\n"
    write("proc/asound/cards", text("proc/asound/cards") + line)
    write("dev/snd/controlC\(number)", "", mode: mode)
    write("dev/snd/pcmC\(number)D0\(playing ? "p" : "c")", "", mode: mode)
  }

  func write(_ path: String, _ text: String, mode: UInt32 = 0o644) {
    let file = folder.path / path
    do throws(Fault) {
      try Folder.make(file.folder, mode: 0o755)
      try AtomicFile.replace(file, with: Array(text.utf8))
    } catch { fatalError("\(error)") }
    setMode(path, mode)
  }

  func remove(_ path: String) { _ = (folder.path / path).withCString { unlink($0) } }

  func setMode(_ path: String, _ mode: UInt32) {
    guard (folder.path / path).withCString({ chmod($0, mode) }) == 0 else { fatalError("no \(path)") }
  }

  /// A group that files can be given to: root's own tells nobody anything, and others have only theirs to give.
  static let group: UInt32 = getegid() == 0 ? 1234 : getegid()

  func give(_ path: String, toGroup name: String) {
    write("etc/group", "root:x:0:\n\(name):x:\(Self.group):\n")
    guard (folder.path / path).withCString({ chown($0, getuid(), Self.group) }) == 0 else { fatalError("no \(path)") }
  }

  private func text(_ path: String) -> String {
    do throws(Fault) {
      return String(decoding: try AtomicFile.read(folder.path / path, limit: 65_536), as: UTF8.self)
    } catch { return "" }
  }

  func survey(
    sound: SoundOutput = .alsa(device: "default"), state: String = "/state", free: Int64? = 8_000_000_000,
    date: Int64 = today, groups: Set<UInt32> = [],
    screen: Machine.Screen? = Machine.Screen(hasAllColours: true, columns: 100, rows: 30),
    plan: LinePlan = LinePlan(), lines: LineDirectory = LineDirectory(), network: NetworkReading? = nil
  ) -> Survey {
    let wishes = SurveyWishes(
      sound: sound, fonts: [FilePath("/fonts/Regular.ttf"), FilePath("/fonts/Bold.ttf")], state: FilePath(state),
      lines: plan)
    let reader = MachineReader(
      root: folder.path, rights: .byMode(user: Self.user, groups: groups), freeBytes: { _ in free },
      lines: { lines }, network: { network })
    return Survey(of: reader.read(wishes, date: date, screen: screen), for: wishes)
  }
}

extension Rights {
  /// Of somebody made up, by the file's mode alone.
  static func byMode(user: UInt32, groups: Set<UInt32>) -> Rights {
    @Sendable func allows(_ path: FilePath, _ bit: UInt32) -> Bool {
      var file = stat()
      guard path.withCString({ stat($0, &file) }) == 0 else { return false }
      let shift: UInt32 = file.st_uid == user ? 6 : groups.contains(file.st_gid) ? 3 : 0
      return file.st_mode >> shift & bit != 0
    }
    return Rights(user: user, mayRead: { allows($0, 4) }, mayWrite: { allows($0, 2) })
  }
}

extension Survey {
  subscript(name: String) -> Finding? { findings.first { $0.name == name } }
}
