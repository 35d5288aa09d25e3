import Glibc
import Runtime
import TestSupport

@testable import Canvas
@testable import Panel

/// A screen as it is drawn now.
struct DrawnScreen: Sendable {
  /// Also the path of its picture, without the ending: "en-320x240/nothing-to-play".
  let name: String
  /// Of its pixels, and of where their colours come from: eight hexadecimal digits.
  let sum: String
  /// A PNG of it, if that was asked for.
  var picture: [UInt8]?

  /// All screens of a case, those with a picture for which `isPictured` says so.
  static func all(
    of one: SheetTests.Case, isPictured: @escaping @Sendable (DrawnScreen) -> Bool
  ) async throws -> [DrawnScreen] {
    try await onMainLoop(one) { sheet in
      var all: [DrawnScreen] = []
      for screen in await sheet.screens() {
        let canvas = Canvas(size: one.size)
        screen.draw(canvas)
        let name = String(screen.name.map { $0 == " " ? "-" : $0 })
        var drawn = DrawnScreen(name: "\(one.name)/\(name)", sum: sum(of: canvas))
        if isPictured(drawn) { drawn.picture = try PNG.encode(canvas) }
        all.append(drawn)
      }
      return all
    }
  }

  /// All screens of a case on one picture.
  static func sheet(of one: SheetTests.Case) async throws -> [UInt8] {
    try await onMainLoop(one) { sheet in try PNG.encode(await sheet.draw()) }
  }

  private static func onMainLoop<Value: Sendable>(
    _ one: SheetTests.Case, _ body: @escaping @MainLoop @Sendable (Sheet) async throws -> Value
  ) async throws -> Value {
    try await aloneOnMainLoop { () async -> Result<Value, any Error> in
      do { return .success(try await body(Sheet(size: one.size, look: try one.look()))) } catch {
        return .failure(error)
      }
    }.get()
  }

  private static func sum(of canvas: Canvas) -> String {
    let count = canvas.size.width * canvas.size.height * 4
    let digits = String(checksum(UnsafeRawBufferPointer(start: canvas.pixels, count: count)), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Lines of "name sum" as a table.
  static func sums(in lines: [String]) -> [String: String] {
    lines.reduce(into: [:]) { sums, line in
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2 { sums[words[0]] = words[1] }
    }
  }

  /// Where it was put as a picture; nil when it has none.
  func save(in folder: FilePath) throws(Fault) -> FilePath? {
    guard let picture else { return nil }
    return try Self.save(picture, as: "\(name).png", in: folder)
  }

  /// Without waiting for the disk, for there are thousands of them.
  @discardableResult
  static func save(_ bytes: [UInt8], as name: String, in folder: FilePath) throws(Fault) -> FilePath {
    let path = folder / name
    try Folder.make(path.folder, mode: 0o755)
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, code: "T-2")
    try file.writeAll(bytes, code: "T-2", doing: "write \(path)")
    return path
  }
}
