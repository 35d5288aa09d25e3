import Glibc
import Runtime

/// Where a panel of its own is looked for, and how it is opened.
package struct DisplayPlace: Sendable {
  package enum Device: Equatable, Sendable {
    /// The first framebuffer, else the first graphics card that shows something.
    case automatic
    case named(FilePath)
  }

  private let device: Device
  private let turn: Turn
  private let wanted: Size?
  private let folder: FilePath

  package init(_ device: Device, turn: Turn = .none, wanted: Size? = nil) {
    self.init(device, turn: turn, wanted: wanted, in: FilePath("/dev"))
  }

  init(_ device: Device, turn: Turn = .none, wanted: Size? = nil, in folder: FilePath) {
    self.device = device
    self.turn = turn
    self.wanted = wanted
    self.folder = folder
  }

  package func open() throws(Fault) -> any Display {
    switch device {
    case .named(let path): try open(path)
    case .automatic: try Self.first(candidates) { path throws(Fault) in try open(path) }
    }
  }

  /// Those that are there. The framebuffer first, because where the kernel makes one for a card it is the same panel.
  var candidates: [FilePath] {
    let cards = folder / "dri"
    // A folder that is not there has no cards.
    let names = ((try? Folder.names(in: cards, limit: 1_000)) ?? []).map(\.description)
    let numbers = names.filter { $0.hasPrefix("card") }.compactMap { UInt16($0.dropFirst(4)) }
    let all = [folder / "fb0"] + numbers.sorted().map { cards / "card\($0)" }
    return all.filter { path in path.withCString { access($0, F_OK) } == 0 }
  }

  /// When all fail, what may come is worth more than what never can, and who stands in the way most of all.
  static func first<Found>(_ paths: [FilePath], _ open: (FilePath) throws(Fault) -> Found) throws(Fault) -> Found {
    var reason: Fault?
    func worth(_ kind: Fault.Kind) -> Int {
      switch kind {
      case .unsupported, .malformed: 0
      case .missing: 1
      default: 2
      }
    }
    for path in paths {
      do throws(Fault) { return try open(path) } catch {
        if let known = reason, worth(known.kind) > worth(error.kind) { continue }
        reason = error
      }
    }
    throw reason ?? Fault(.missing, "K-159", "there is no panel: neither a framebuffer nor a graphics card")
  }

  private func open(_ path: FilePath) throws(Fault) -> any Display {
    if Self.isCard(path) { return try CardDisplay(opening: path, turn: turn, wanted: wanted) }
    return try Framebuffer(opening: path, turn: turn)
  }

  /// By the kernel's number for graphics cards; one that is not there by its name.
  static func isCard(_ path: FilePath) -> Bool {
    var facts = stat()
    guard path.withCString({ stat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFCHR else {
      return path.folder.name == FilePath("dri")
    }
    return facts.st_rdev >> 8 & 0xFFF == 226
  }
}
