import Runtime

extension SettingType<String?> {
  /// Of a program that reads aloud, by its name there. It stands among that program's options, so it is a name and
  /// nothing else: no path, and no option.
  static var voice: Self {
    SettingType(
      expected: "auto, or the name of a voice, such as de+f3 (espeak-ng --voices lists them)", choices: ["auto"],
      form: ["type": "voice", "choices": ["auto"]],
      parse: { text in
        if text == "auto" { return .some(nil) }
        return isVoice(text) ? .some(text) : nil
      },
      format: { $0 ?? "auto" }, example: "de+f3")
  }

  private static func isVoice(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) }
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 40 else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x5F].contains($0) }
  }
}
