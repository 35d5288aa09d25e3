import Runtime

/// The board's temperatures from /sys/class/thermal. The kernel sends no events for them, so they must be read; never on
/// the main loop, because a sensor may be a chip on a slow bus.
package struct HeatSensors: Sendable {
  /// Beside the zones, what cools them stands in the same folder.
  private static let prefix = "thermal_zone"
  /// More are not looked at.
  private static let most = 200
  /// Drivers whose sensor does not answer say things that no running board is.
  private static let credible = -60...150

  private let folder: FilePath

  /// A test has a folder of its own.
  package init(_ folder: FilePath = FilePath("/sys/class/thermal")) { self.folder = folder }

  /// Degrees, of the hottest of all zones; nil where nobody measures. `ofBoard`: of those that a device tree names, which
  /// end so. A desktop's are called otherwise, and are built to be hotter.
  package func hottest(ofBoard: Bool = false) -> Int? {
    let names: [FilePath]
    // A kernel without any has no such folder.
    do throws(Fault) { names = try Folder.names(in: folder, limit: Self.most) } catch { return nil }
    var hottest: Int?
    for name in names.map(\.description) where name.hasPrefix(Self.prefix) {
      guard !ofBoard || line(of: name, "type")?.hasSuffix("thermal") == true else { continue }
      guard let degrees = degrees(of: name) else { continue }
      hottest = max(hottest ?? degrees, degrees)
    }
    return hottest
  }

  /// The kernel tells thousandths. A zone that the kernel leaves to others (`mode` is `disabled`) is as hot as it says,
  /// too. Nil when it is not there, or the sensor did not answer.
  private func degrees(of zone: String) -> Int? {
    guard let line = line(of: zone, "temp"), line.utf8.count <= 12, let thousandths = Int(line) else { return nil }
    let degrees = Int((Double(thousandths) / 1_000).rounded(.down))
    return Self.credible.contains(degrees) ? degrees : nil
  }

  private func line(of zone: String, _ file: String) -> String? {
    do throws(Fault) {
      let line = try AtomicFile.read(folder / zone / file, limit: 4_096).prefix { $0 != 0x0A }
      return String(decoding: line.prefix(64), as: UTF8.self)
    } catch { return nil }
  }
}
