import Glibc
import Runtime
import Synchronization

/// A backlight or a lamp. Calls may wait for a chip on a slow bus, so they are never made on an event loop.
package protocol Light: AnyObject, Sendable {
  /// From 0, dark, to 1, as bright as it can be; in even steps for an eye.
  func shine(_ part: Double) throws(Fault)
}

/// A backlight or LED with a driver in the kernel.
package final class KernelLight: Light {
  package enum Kind: String, Sendable {
    case backlight, leds

    fileprivate var words: String { self == .backlight ? "backlight" : "LED" }
  }

  private let folder: FilePath
  private let kind: Kind
  /// Nil: the first there is.
  private let name: String?
  /// More are not looked at.
  private static let most = 200

  package init(_ kind: Kind, named name: String?, in folder: FilePath = FilePath("/sys/class")) {
    (self.kind, self.name) = (kind, name)
    self.folder = folder / kind.rawValue
  }

  /// Looked for each time: it may come late, or go.
  package func shine(_ part: Double) throws(Fault) {
    let place = try find()
    let text = String(decoding: try read(place / "max_brightness").prefix { $0 != 0x0A }, as: UTF8.self)
    guard let most = Int(text), most > 0, most <= Self.brightest else {
      throw Fault(.malformed, "H-622", "\(place)/max_brightness says \"\(shownPlain(text))\", which is no brightness")
    }
    let value = Self.steps(part, of: most)
    try KernelFile.write("\(value)\n", to: place / "brightness", code: "H-623")
  }

  private static let brightest = 1 << 24

  /// What an eye sees as half is a fifth of the light. Only darkness is 0.
  package static func steps(_ part: Double, of most: Int) -> Int {
    guard part > 0 else { return 0 }
    let light = pow(min(part, 1), 2.2)
    return min(max(Int((light * Double(most)).rounded()), 1), most)
  }

  private func find() throws(Fault) -> FilePath {
    let names: [String]
    do throws(Fault) { names = try Folder.names(in: folder, limit: Self.most).map(\.description).sorted() } catch {
      names = []
    }
    if let name {
      if names.contains(name) { return folder / name }
      let there = names.isEmpty ? "none" : names.prefix(8).joined(separator: ", ")
      throw Fault(.missing, "H-620", "there is no \(kind.words) \(name) in \(folder); what is there: \(there)")
    }
    guard let first = names.first else { throw Fault(.missing, "H-621", "there is no \(kind.words) in \(folder)") }
    return folder / first
  }

  private func read(_ path: FilePath) throws(Fault) -> [UInt8] {
    do throws(Fault) { return try AtomicFile.read(path, limit: 4_096) } catch {
      throw Fault(error.kind, "H-622", "the \(kind.words) does not say how bright it can be: \(error.message)")
    }
  }
}

/// Owns a GPIO line that switches a light. It can only be on or off, so it is on from a certain brightness on.
package final class LineLight: Light {
  private let name: LineName
  private let source: KernelLines
  private let line = Mutex<OutputLine?>(nil)

  package init(_ name: LineName, from source: KernelLines = KernelLines()) {
    (self.name, self.source) = (name, source)
  }

  package func shine(_ part: Double) throws(Fault) {
    let isOn = part > Self.isOnAbove
    let result = line.withLock { line in Result { () throws(Fault) in try shine(isOn, by: &line) } }
    try result.get()
  }

  private func shine(_ isOn: Bool, by line: inout OutputLine?) throws(Fault) {
    if let open = line {
      // Its chip may have gone and come back.
      do throws(Fault) { return try open.set(isOn) } catch { line = nil }
    }
    let directory = source.directory()
    let place = try directory.find(name)
    if let holder = directory[place]?.holder {
      let who = holder.isEmpty ? "the kernel or another program" : "\"\(holder)\""
      throw Fault(.busy, "H-624", "the line \(name) of a light is taken by \(who)")
    }
    line = try OutputLine(place, isHigh: isOn)
  }

  private static let isOnAbove = 0.3
}
