internal import CGPIOD
import Glibc
import Runtime

/// The lines of this machine's GPIO chips.
package struct KernelLines: LineSource {
  private let folder: FilePath

  /// More chips, and more lines of one, are not looked at.
  private static let mostChips = 64
  private static let mostLines = 1_024

  package init(folder: FilePath = FilePath("/dev")) { self.folder = folder }

  /// An ioctl a line: some microseconds each, so it is asked for when something is to be opened, not while playing.
  package func directory() -> LineDirectory {
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: folder) } catch { return LineDirectory() }
    let chips = names.map(\.description).compactMap { name in
      name.hasPrefix("gpiochip") ? Int(name.dropFirst("gpiochip".count)).map { (number: $0, name: name) } : nil
    }
    var found: [LineDirectory.Chip] = []
    var aliases: [String: [String]] = [:]
    for (_, name) in chips.sorted(by: { $0.number < $1.number }).prefix(Self.mostChips) {
      // A Raspberry Pi 5 has its chip by two names, and its lines are no two lines.
      if let other = target(name) { aliases[other, default: []].append(name) } else { found.append(chip(name)) }
    }
    for index in found.indices { found[index].aliases = aliases[found[index].name] ?? [] }
    return LineDirectory(chips: found)
  }

  /// Of a link, the name to which it leads; nil when it is none.
  private func target(_ name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = (folder / name).withCString { readlink($0, &bytes, bytes.count) }
    guard count > 0 else { return nil }
    let path = bytes.prefix(count).map { UInt8(bitPattern: $0) }
    return String(decoding: path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }

  package func open(_ wish: LineWish) throws(Fault) -> any OpenedLines { try EagerLines(LineRequest(wish)) }

  private func chip(_ name: String) -> LineDirectory.Chip {
    let path = folder / name
    var chip = LineDirectory.Chip(path: path, name: name)
    var opened: OpaquePointer?
    let error = path.withCString { layby_chip_open($0, &opened) }
    guard error == 0, let opened else {
      chip.fault =
        error == EACCES || error == EPERM
        ? Fault(.denied, "H-201", "the GPIO chip \(path) may not be used; its user belongs into the group gpio")
        : Fault.system("H-200", doing: "open the GPIO chip \(path)", errno: error)
      return chip
    }
    defer { layby_chip_close(opened) }
    var facts = layby_line_facts()
    let count = layby_chip_facts(opened, &facts)
    guard count >= 0 else {
      chip.fault = Fault.system("H-200", doing: "ask the GPIO chip \(path) for its lines", errno: -count)
      return chip
    }
    chip.label = text(facts.consumer)
    for offset in 0..<min(UInt32(count), UInt32(Self.mostLines)) {
      guard layby_line_facts(opened, offset, &facts) == 0 else { break }
      chip.lines.append(
        LineDirectory.Line(name: text(facts.name), holder: facts.is_used ? text(facts.consumer) : nil))
    }
    return chip
  }

  private func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { shownPlain(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)) }
  }
}
