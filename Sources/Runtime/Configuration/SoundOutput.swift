/// Where the sound goes, as people write it.
package enum SoundOutput: Equatable, Sendable {
  /// A device by ALSA's name for it.
  case alsa(device: String)
  /// A WAV file, as fast as it can be written.
  case file(FilePath)
  /// Nowhere, at the pace of a device.
  case null
  /// Nowhere, at once: for measuring.
  case nullFast

  package static let expected = "alsa:DEVICE, file:PATH.wav, null or null:fast"
  private static let longestName = 200

  /// Nil when it is none of these.
  package init?(_ text: String) {
    if text == "null" {
      self = .null
    } else if text == "null:fast" {
      self = .nullFast
    } else {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let rest = String(text[text.index(after: colon)...])
      switch text[..<colon] {
      case "alsa" where !rest.isEmpty && text.utf8.count <= Self.longestName: self = .alsa(device: rest)
      case "file":
        guard let path = FilePath(bytes: rest.utf8), path.ending == "wav", path.bytes.count <= FilePath.limit else {
          return nil
        }
        self = .file(path)
      default: return nil
      }
    }
  }
}

extension SoundOutput: CustomStringConvertible {
  package var description: String {
    switch self {
    case .alsa(let device): "alsa:\(device)"
    case .file(let path): "file:\(path)"
    case .null: "null"
    case .nullFast: "null:fast"
    }
  }
}

extension SettingType<SoundOutput> {
  static var soundOutput: Self {
    SettingType(
      expected: SoundOutput.expected, choices: ["alsa:default", "null"], form: ["type": "output"],
      parse: { SoundOutput($0) }, format: { $0.description })
  }
}
