import Glibc
import Runtime

/// A light sensor of the kernel's Industrial I/O (IIO). It sends no events, so it must be read; and because the chip is
/// on a slow bus, never on the main loop.
package struct LightSensor: Sendable {
  /// In the order in which they are believed: what the driver has made lux of, then what it has counted.
  private static let channels = ["in_illuminance", "in_illuminance0"]
  /// More are not looked at.
  private static let most = 64
  /// The sun is less.
  private static let brightest = 1_000_000.0

  /// Of the chip, or of its folder; nil is the first that measures light.
  private let name: String?
  private let folder: FilePath

  package init(named name: String? = nil, in folder: FilePath = FilePath("/sys/bus/iio/devices")) {
    (self.name, self.folder) = (name, folder)
  }

  /// Nil when it did not answer, or said what no light is. A fault when there is no such sensor.
  package func lux() throws(Fault) -> Double? {
    let names: [String]
    // A kernel without any has no such folder.
    do throws(Fault) { names = try Folder.names(in: folder, limit: Self.most).map(\.description).sorted() } catch {
      names = []
    }
    let sensors = names.filter { measures($0) }
    guard let name else {
      guard let first = sensors.first else {
        throw Fault(.missing, "H-631", "there is no sensor of the light around in \(folder)")
      }
      return lux(of: first)
    }
    if let found = sensors.first(where: { $0 == name || text(folder / $0 / "name") == name }) { return lux(of: found) }
    let there = sensors.map { text(folder / $0 / "name") ?? $0 }.prefix(8).joined(separator: ", ")
    throw Fault(
      .missing, "H-630",
      "there is no sensor \(name) of the light around in \(folder); what is there: \(there.isEmpty ? "none" : there)")
  }

  /// Whether it answers now is another question: a wire that failed once is no missing sensor.
  private func measures(_ device: String) -> Bool {
    Self.channels.contains { channel in
      ["input", "raw"].contains { what in
        (folder / device / "\(channel)_\(what)").withCString { access($0, F_OK) } == 0
      }
    }
  }

  private func lux(of device: String) -> Double? {
    for channel in Self.channels {
      func number(_ what: String) -> Double? { text(folder / device / "\(channel)_\(what)").flatMap(Self.number) }
      if let lux = number("input") { return Self.credible(lux) }
      // As the kernel's ABI has it: with offset and scale a count becomes lux.
      guard let count = number("raw") else { continue }
      return Self.credible((count + (number("offset") ?? 0)) * (number("scale") ?? 1))
    }
    return nil
  }

  private static func credible(_ lux: Double) -> Double? { (0...brightest).contains(lux) ? lux : nil }

  /// Digits with a point at most; no names of numbers that are none.
  static func number(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
    guard isPlain, (1...32).contains(text.utf8.count) else { return nil }
    return Double(text)
  }

  /// Nil when it is not there, or the chip did not answer.
  private func text(_ path: FilePath) -> String? {
    do throws(Fault) {
      let line = try AtomicFile.read(path, limit: 4_096).prefix { $0 != 0x0A }
      return line.isEmpty ? nil : shownPlain(String(decoding: line, as: UTF8.self))
    } catch { return nil }
  }
}
