import Hardware

/// What is printed on keys, where that is not the kernel's name for them.
enum KeyLabels {
  /// By the kernel's name without `KEY_` or `BTN_`.
  static let printed: [String: String] = [
    "ESC": "Esc", "MINUS": "-", "EQUAL": "=", "BACKSPACE": "Backspace", "TAB": "Tab", "LEFTBRACE": "[",
    "RIGHTBRACE": "]", "ENTER": "Enter", "LEFTCTRL": "Ctrl", "RIGHTCTRL": "Ctrl (R)", "SEMICOLON": ";",
    "APOSTROPHE": "'", "GRAVE": "`", "LEFTSHIFT": "Shift", "RIGHTSHIFT": "Shift (R)", "BACKSLASH": "\\", "COMMA": ",",
    "DOT": ".", "SLASH": "/", "LEFTALT": "Alt", "RIGHTALT": "Alt Gr", "SPACE": "Space", "CAPSLOCK": "Caps Lock",
    "NUMLOCK": "Num Lock", "SCROLLLOCK": "Scroll Lock", "102ND": "< >", "SYSRQ": "Print Screen", "UP": "\u{2191}",
    "DOWN": "\u{2193}", "LEFT": "\u{2190}", "RIGHT": "\u{2192}", "PAGEUP": "Page Up", "PAGEDOWN": "Page Down",
    "VOLUMEUP": "Vol +", "VOLUMEDOWN": "Vol -", "LEFTMETA": "Super", "RIGHTMETA": "Super (R)", "HOMEPAGE": "Home page",
    "NEXTSONG": "Next track", "PREVIOUSSONG": "Previous track", "PLAYPAUSE": "Play/Pause",
    "FASTFORWARD": "Fast forward",
    "STOPCD": "Stop", "PLAYCD": "Play CD", "PAUSECD": "Pause CD", "EJECTCD": "Eject", "CLOSECD": "Close CD",
    "EJECTCLOSECD": "Eject/Close", "SCROLLUP": "Scroll up", "SCROLLDOWN": "Scroll down", "CHANNELUP": "Ch +",
    "CHANNELDOWN": "Ch -", "BASSBOOST": "Bass boost", "OK": "OK", "TV": "TV", "CD": "CD", "DVD": "DVD", "AUX": "AUX",
    "MP3": "MP3", "EPG": "Guide", "PVR": "Recordings", "BRIGHTNESSUP": "Brighter", "BRIGHTNESSDOWN": "Darker",
    "MICMUTE": "Microphone off", "ZOOMIN": "Zoom +", "ZOOMOUT": "Zoom -", "ZOOMRESET": "Zoom 100 %", "AB": "A-B",
    "FASTREVERSE": "Fast reverse", "SLOWREVERSE": "Slow reverse", "VOICECOMMAND": "Voice", "PHONE": "Phone",
    "THUMBL": "Left stick", "THUMBR": "Right stick", "TL": "L1", "TR": "R1", "TL2": "L2", "TR2": "R2",
    "RADIO": "Radio", "WWW": "Web", "PC": "PC", "VCR": "VCR", "HP": "HP", "WLAN": "Wi-Fi",
  ]

  /// On the keypad: what stands behind "KP" in the kernel's name.
  static let keypad: [String: String] = [
    "ENTER": "Enter", "PLUS": "+", "MINUS": "-", "ASTERISK": "*", "SLASH": "/", "DOT": ".", "COMMA": ",", "EQUAL": "=",
    "PLUSMINUS": "\u{B1}", "LEFTPAREN": "(", "RIGHTPAREN": ")", "JPCOMMA": ",",
  ]
}

extension PanelWords {
  /// What people read on the key: `KEY_KPENTER` is "Keypad Enter".
  package func name(of key: KeyName) -> String {
    let name = "\(key)"
    guard let start = ["KEY_", "BTN_"].first(where: { name.hasPrefix($0) }) else { return "\(self[.key]) \(key.code)" }
    let bare = String(name.dropFirst(start.count))
    if let printed = KeyLabels.printed[bare] { return bare == "SPACE" ? self[.space] : printed }
    if bare.hasPrefix("KP") {
      let rest = String(bare.dropFirst(2))
      return "\(self[.keypad]) \(KeyLabels.keypad[rest] ?? rest)"
    }
    let numeric = "NUMERIC_"
    let sign = bare.hasPrefix(numeric) ? String(bare.dropFirst(numeric.count)) : bare
    let words = String(sign.map { $0 == "_" ? " " : $0 })
    return words.count > 1 ? words.prefix(1) + words.dropFirst().lowercased() : words
  }
}
