import Runtime

/// The alarm of a Raspberry Pi's power input. The kernel's driver asks the board's firmware every two seconds whether the
/// voltage was below 4.63 V since it asked last; when that changes, the kernel sends an event.
package struct UndervoltageAlarm: Sendable {
  private static let driver = "rpi_volt"
  private static let alarm = "in0_lcrit_alarm"
  /// More are not looked at.
  private static let most = 64

  private let folder: FilePath

  /// A test has a folder of its own.
  package init(_ folder: FilePath = FilePath("/sys/class/hwmon")) { self.folder = folder }

  /// Nil when the board has no such sensor, or the sensor does not answer.
  package func isOn() -> Bool? {
    let names: [FilePath]
    // A kernel without any sensor has no such folder.
    do throws(Fault) { names = try Folder.names(in: folder, limit: Self.most) } catch { return nil }
    guard let sensor = names.first(where: { word(of: $0, "name") == Self.driver }) else { return nil }
    return switch word(of: sensor, Self.alarm) {
    case "1": true
    case "0": false
    default: nil
    }
  }

  private func word(of sensor: FilePath, _ file: String) -> String? {
    do throws(Fault) {
      let line = try AtomicFile.read(folder / sensor.description / file, limit: 4_096).prefix { $0 != 0x0A }
      return String(decoding: line.prefix(64), as: UTF8.self)
    } catch { return nil }
  }
}
