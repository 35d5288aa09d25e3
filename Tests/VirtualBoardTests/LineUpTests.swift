import Kit
import Runtime
import Testing
import VirtualBoard

@Suite("The line-up")
struct LineUpTests {
  private static let plain = LineUp(
    image: BoardImage(at: FilePath("/image")), disk: .overlay(FilePath("/work/disk.qcow2")), folder: FilePath("/work"))

  private static func devices(_ lineUp: LineUp) -> [String] {
    zip(lineUp.words, lineUp.words.dropFirst()).filter { $0.0 == "-device" }.map(\.1)
  }

  @Test("has the same devices in the same order, whatever stands behind them")
  func same() {
    var other = Self.plain
    other.disk = .logged(raw: FilePath("/work/raw"), log: FilePath("/work/log"))
    other.clock = .wrong("2000-01-01T00:00:00")
    other.incoming = FilePath("/state")
    #expect(Self.devices(other) == Self.devices(Self.plain))
    #expect(other.words != Self.plain.words)
  }

  @Test("names the layer of tools to the kernel only when it is there")
  func tools() {
    var shipped = Self.plain
    shipped.withTools = false
    #expect(Self.plain.words.contains("layby.tools") && !shipped.words.contains("layby.tools"))
    #expect(!shipped.words.contains { $0.contains("tools") })
  }

  @Test("writes a comma in a path twice")
  func commas() {
    var odd = Self.plain
    odd.disk = .overlay(FilePath("/a,b"))
    #expect(odd.words.contains { $0.hasSuffix("file.filename=/a,,b") })
  }

  @Test("knows another image by the moment of its files")
  func identity() throws {
    let folder = TempFolder()
    let image = BoardImage(at: folder.path)
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
