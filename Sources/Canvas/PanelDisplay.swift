import Runtime

/// What the panel is drawn on, beside a terminal.
package enum PanelDisplay: Hashable, Sendable {
  case none
  /// Whatever this machine has.
  case automatic
  case device(FilePath)
}

extension SettingType<PanelDisplay> {
  static var panelDisplay: Self {
    SettingType(
      expected: "a path from the root, such as /dev/fb0, or none, or auto", choices: ["none", "auto"],
      form: ["type": "path", "choices": ["none", "auto"]],
      parse: { text in
        switch text {
        case "none": PanelDisplay.none
        case "auto": .automatic
        default: SettingType<FilePath>.path.parse(text).map { .device($0) }
        }
      },
      format: { display in
        switch display {
        case .none: "none"
        case .automatic: "auto"
        case .device(let path): path.description
        }
      })
  }
}

/// Pixels of a panel, as it is seen: upright, however it is built in.
package struct PanelSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension SettingType<PanelSize> {
  static func size(_ range: ClosedRange<Int>) -> Self {
    SettingType(
      expected: "width x height in pixels, each from \(range.lowerBound) to \(range.upperBound), such as 320x240",
      form: ["type": "size", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound), "unit": "pixels"],
      parse: { text in
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { wholeNumber($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        guard range.contains(width), range.contains(height) else { return nil }
        return PanelSize(width: width, height: height)
      },
      format: { "\($0.width)x\($0.height)" })
  }
}
