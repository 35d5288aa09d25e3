import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("The line-up")
struct LineUpTests {
  private static let top = FilePath(String(#filePath.dropLast("/Tests/VirtualBoardTests/LineUpTests.swift".count)))
  private static let machine = top / "board" / "virtual" / "machine"

  private static let plain = LineUp(
    image: BoardImage(at: FilePath("/image"), machine: machine), disk: .overlay(FilePath("/run/board/disk.qcow2")),
    folder: FilePath("/run/board"))

  private static func devices(_ lineUp: LineUp) throws -> [String] {
    let words = try lineUp.words()
    return zip(words, words.dropFirst()).filter { $0.0 == "-device" }.map(\.1)
  }

  @Test("has the same devices in the same order, whatever stands behind them")
  func same() throws {
    var other = Self.plain
    other.disk = .logged(raw: FilePath("/run/board/raw"), log: FilePath("/run/board/log"))
    other.clock = .wrong("2000-01-01T00:00:00")
    other.incoming = FilePath("/state")
    other.withTools = false
    #expect(try Self.devices(other) == Self.devices(Self.plain))
    #expect(try other.words() != Self.plain.words())
    #expect(try !Self.devices(Self.plain).isEmpty)
  }

  @Test("puts its own folder where the board's words leave room for it")
  func folder() throws {
    let words = try Self.plain.words()
    #expect(words.contains { $0.contains("id=agent,path=/run/board/agent,") })
    #expect(!words.contains { $0.contains("{RUN}") })
  }

  @Test("names the layer of tools to the kernel only when it is there")
  func tools() throws {
    var shipped = Self.plain
    shipped.withTools = false
    #expect(try Self.plain.words().contains("layby.tools") && !shipped.words().contains("layby.tools"))
    #expect(try !shipped.words().contains { $0.contains("tools.img") })
  }

  @Test("writes a comma in a path twice")
  func commas() throws {
    var odd = Self.plain
    odd.disk = .overlay(FilePath("/a,b"))
    #expect(try odd.words().contains { $0.hasSuffix("file.filename=/a,,b") })
  }

  @Test("knows another image by the moment of its files")
  func identity() throws {
    let folder = TempFolder()
    let image = BoardImage(at: folder.path, machine: Self.machine)
    #expect(!image.isThere(withTools: false))
    for name in ["disk.img", "kernel", "initrd", "cmdline"] {
      try AtomicFile.replace(folder.path / name, with: Array("quiet  console=ttyS0\n".utf8))
    }
    #expect(image.isThere(withTools: false) && !image.isThere(withTools: true))
    #expect(try image.kernelWords() == ["quiet", "console=ttyS0"])
    let before = try image.identity(withTools: false)
    #expect(try image.identity(withTools: false) == before)
    try AtomicFile.replace(folder.path / "disk.img", with: Array("another\n".utf8))
    #expect(try image.identity(withTools: false) != before)
  }
}
