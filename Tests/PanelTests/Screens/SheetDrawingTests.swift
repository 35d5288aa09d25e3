import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// What `Tests/run --step pictures` runs: it draws and asks for nothing, so the other tests are run without it.
@Suite("All screens as pictures")
struct SheetDrawingTests {
  private static let folder = getenv("LAYBY_DRAW").map { FilePath(String(cString: $0)) }
  /// What an earlier commit drew with LAYBY_DRAW.
  private static let before = getenv("LAYBY_BEFORE").map { FilePath(String(cString: $0)) }

  @Test(
    "each screen is drawn, each case's sheet, and what differs from an earlier commit",
    .enabled(if: folder != nil, "LAYBY_DRAW names no folder to draw into"))
  func draw() async throws {
    let folder = try #require(Self.folder)
    var lines: [String] = []
    for one in SheetTests.all {
      for screen in try await DrawnScreen.all(of: one, isPictured: { _ in true }) {
        _ = try screen.save(in: folder)
        lines.append("\(screen.name) \(screen.sum)")
      }
      try DrawnScreen.save(try await DrawnScreen.sheet(of: one), as: "\(one.name).png", in: folder)
    }
    lines.sort()
    try Self.write(lines, to: "sums.txt", in: folder)
    if let before = Self.before {
      let found = try Self.differences(before, folder, DrawnScreen.sums(in: lines))
      try Self.write(found, to: "differences.txt", in: folder)
    }
  }

  /// A line for each screen that is new, gone or changed; the changed ones are drawn into `differences`.
  private static func differences(
    _ before: FilePath, _ after: FilePath, _ now: [String: String]
  ) throws -> [String] {
    let text = String(decoding: try AtomicFile.read(before / "sums.txt", limit: 1 << 20), as: UTF8.self)
    let then = DrawnScreen.sums(in: text.split(separator: "\n").map(String.init))
    var lines: [String] = []
    for name in Set(then.keys).union(now.keys).sorted() where then[name] != now[name] {
      if then[name] == nil {
        lines.append("new      \(name)")
      } else if now[name] == nil {
        lines.append("gone     \(name)")
      } else {
        let found = ScreenDifference(before: try picture(name, before), after: try picture(name, after))
        try DrawnScreen.save(try PNG.encode(found.picture()), as: "differences/\(name).png", in: after)
        lines.append("changed  \(name): \(found.text)")
      }
    }
    return lines + ["\(lines.count) of \(now.count) screens differ"]
  }

  private static func picture(_ name: String, _ folder: FilePath) throws -> PNGPicture {
    try PNGPicture(try AtomicFile.read(folder / "\(name).png", limit: 8 << 20))
  }

  private static func write(_ lines: [String], to name: String, in folder: FilePath) throws(Fault) {
    try DrawnScreen.save(Array((lines.joined(separator: "\n") + "\n").utf8), as: name, in: folder)
  }
}
