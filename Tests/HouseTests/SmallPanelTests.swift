import Testing

@Suite("Small panels of the Raspberry Pi")
struct SmallPanelTests {
  private static let folder = "board/raspberry-pi/overlays"

  /// The texts in quotation marks, or the number in angle brackets, of the first line with this property.
  private static func values(of property: String, in overlay: String) -> [String] {
    let line = overlay.split(separator: "\n").first { $0.contains("\(property) = ") } ?? ""
    let parts = line.split { "\"<>".contains($0) }.map(String.init)
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
  }

  /// Of one section: only those under [initrd], [load] and [more] come to the card.
  private static func modules(_ section: String) -> Set<String> {
    let lines = House.read("board/raspberry-pi/modules").split(separator: "\n")
    let rows = lines.drop { $0 != "[\(section)]" }.dropFirst().prefix { !$0.hasPrefix("[") }
    return Set(rows.compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  @Test("each has its driver on the card, and one that the driver does not know its first commands, by its size")
  func complete() {
    let overlays = House.entries(of: Self.folder).filter { $0.hasPrefix("panel-") }.sorted()
    let (more, built) = (Self.modules("more"), Self.modules("built"))
    #expect(overlays.count == 4)
    #expect(built.isSubset(of: more.union(["drm_mipi_dbi", "ssd130x"])) && built.contains("raspberrypi_hwmon"))
    for name in overlays {
      let overlay = House.read("\(Self.folder)/\(name)")
      let kinds = Self.values(of: "compatible", in: overlay)
      guard kinds.contains("panel-mipi-dbi-spi") else {
        #expect(more.contains("ssd130x_i2c") && built.isSuperset(of: ["ssd130x", "ssd130x_i2c"]), "\(name)")
        continue
      }
      #expect(more.contains("panel_mipi_dbi") && built.isSuperset(of: ["drm_mipi_dbi", "panel_mipi_dbi"]), "\(name)")
      let size = ["hactive", "vactive"].flatMap { Self.values(of: $0, in: overlay) }.joined(separator: "x")
      #expect(kinds.first?.hasSuffix("-\(size)") == true, "\(name): \(kinds), and \(size)")
      #expect(!House.read("image/panels/\(kinds.first ?? "")").isEmpty, "\(name): no commands for \(kinds)")
    }
  }
}
