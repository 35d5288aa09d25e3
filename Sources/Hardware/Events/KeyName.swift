import Runtime

/// A key of an input device as board.conf names it: as Linux's input-event-codes.h does, or by the number that stands
/// there, because new ones are made every year.
package struct KeyName: Hashable, Comparable, Sendable {
  package let code: UInt16

  /// The kernel has no higher one.
  package static let highest: UInt16 = 0x2FF
  static let expected = "names of keys such as KEY_PLAYPAUSE, or code:240, each once, with commas between them"
  private static let byNumber = "code:"

  /// Nil when no key can have it.
  package init?(code: Int) {
    guard 1...Int(Self.highest) ~= code else { return nil }
    self.code = UInt16(code)
  }

  /// Nil when it is none. KEY_ may be left out, and small letters are as good.
  package init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    let word = text.uppercased()
    if let code = Self.codes[word] ?? Self.codes["KEY_" + word] {
      self.init(code: Int(code))
      return
    }
    guard text.lowercased().hasPrefix(Self.byNumber), let number = wholeNumber(text.dropFirst(Self.byNumber.count))
    else { return nil }
    self.init(code: number)
  }

  package static func < (left: KeyName, right: KeyName) -> Bool { left.code < right.code }

  /// What a finger can press to mean something: not a mouse's buttons, and nothing that tells of a pen, or of a finger
  /// on a surface.
  package var isForFingers: Bool { !(0x110...0x11F ~= code) && !(0x140...0x15F ~= code) }

  /// The name that was probably meant.
  static func nearest(to text: String) -> String? {
    let word = text.uppercased()
    let whole = word.hasPrefix("KEY_") || word.hasPrefix("BTN_") ? word : "KEY_" + word
    // All names begin with KEY_ or BTN_, so this beginning does not make two names alike.
    let (start, rest) = (whole.prefix(4), whole.dropFirst(4))
    let others = codes.keys.filter { $0.hasPrefix(start) }.sorted().map { $0.dropFirst(4).lowercased() }
    return Spelling.nearest(to: String(rest), among: others).map { start + $0.uppercased() }
  }
}

extension KeyName: CustomStringConvertible {
  package var description: String { Self.names[code] ?? "\(Self.byNumber)\(code)" }
}

extension KeyName {
  package static let codes: [String: UInt16] = {
    var codes: [String: UInt16] = [:]
    var next: UInt16 = 0
    for word in all.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if word.hasPrefix("="), let code = UInt16(word.dropFirst()) {
        next = code
        continue
      }
      codes[word.hasPrefix("BTN_") ? String(word) : "KEY_" + word] = next
      next += 1
    }
    return codes
  }()

  private static let names = Dictionary(codes.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

  /// Of input-event-codes.h what keyboards, remotes, steering wheels and game pads have, in the order of their codes:
  /// behind `=113` stand the names of 113, 114 and so on. KEY_ is left out.
  private static let all = """
    =1 ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL A S
    D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT SLASH RIGHTSHIFT KPASTERISK
    LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS
    KP1 KP2 KP3 KP0 KPDOT =85 ZENKAKUHANKAKU 102ND F11 F12 RO KATAKANA HIRAGANA HENKAN KATAKANAHIRAGANA MUHENKAN
    KPJPCOMMA KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT
    DELETE MACRO MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE SCALE KPCOMMA HANGEUL HANJA YEN LEFTMETA
    RIGHTMETA COMPOSE STOP AGAIN PROPS UNDO FRONT COPY OPEN PASTE FIND CUT HELP MENU CALC SETUP SLEEP WAKEUP FILE
    SENDFILE DELETEFILE XFER PROG1 PROG2 WWW MSDOS COFFEE ROTATE_DISPLAY CYCLEWINDOWS MAIL BOOKMARKS COMPUTER BACK
    FORWARD CLOSECD EJECTCD EJECTCLOSECD NEXTSONG PLAYPAUSE PREVIOUSSONG STOPCD RECORD REWIND PHONE ISO CONFIG
    HOMEPAGE REFRESH EXIT MOVE EDIT SCROLLUP SCROLLDOWN KPLEFTPAREN KPRIGHTPAREN NEW REDO F13 F14 F15 F16 F17 F18
    F19 F20 F21 F22 F23 F24 =200 PLAYCD PAUSECD PROG3 PROG4 =205 SUSPEND CLOSE PLAY FASTFORWARD BASSBOOST PRINT HP
    CAMERA SOUND QUESTION EMAIL CHAT SEARCH CONNECT FINANCE SPORT SHOP ALTERASE CANCEL BRIGHTNESSDOWN BRIGHTNESSUP
    MEDIA SWITCHVIDEOMODE KBDILLUMTOGGLE KBDILLUMDOWN KBDILLUMUP SEND REPLY FORWARDMAIL SAVE DOCUMENTS BATTERY
    BLUETOOTH WLAN UWB UNKNOWN VIDEO_NEXT VIDEO_PREV BRIGHTNESS_CYCLE BRIGHTNESS_AUTO DISPLAY_OFF WWAN RFKILL MICMUTE
    =256 BTN_0 BTN_1 BTN_2 BTN_3 BTN_4 BTN_5 BTN_6 BTN_7 BTN_8 BTN_9
    =288 BTN_TRIGGER BTN_THUMB BTN_THUMB2 BTN_TOP BTN_TOP2 BTN_PINKIE BTN_BASE BTN_BASE2 BTN_BASE3 BTN_BASE4 BTN_BASE5
    BTN_BASE6 =304 BTN_SOUTH BTN_EAST BTN_C BTN_NORTH BTN_WEST BTN_Z BTN_TL BTN_TR BTN_TL2 BTN_TR2 BTN_SELECT BTN_START
    BTN_MODE BTN_THUMBL BTN_THUMBR =352 OK SELECT GOTO CLEAR POWER2 OPTION INFO TIME VENDOR ARCHIVE PROGRAM CHANNEL
    FAVORITES EPG PVR MHP LANGUAGE TITLE SUBTITLE ANGLE =373 MODE KEYBOARD =376 PC TV TV2 VCR VCR2 SAT SAT2 CD TAPE
    RADIO TUNER PLAYER TEXT DVD AUX MP3 AUDIO VIDEO DIRECTORY LIST MEMO CALENDAR RED GREEN YELLOW BLUE CHANNELUP
    CHANNELDOWN FIRST LAST AB NEXT RESTART SLOW SHUFFLE BREAK PREVIOUS DIGITS TEEN TWEN VIDEOPHONE GAMES ZOOMIN ZOOMOUT
    ZOOMRESET =438 CONTEXT_MENU MEDIA_REPEAT 10CHANNELSUP 10CHANNELSDOWN IMAGES =512 NUMERIC_0 NUMERIC_1 NUMERIC_2
    NUMERIC_3 NUMERIC_4 NUMERIC_5 NUMERIC_6 NUMERIC_7 NUMERIC_8 NUMERIC_9 NUMERIC_STAR NUMERIC_POUND NUMERIC_A NUMERIC_B
    NUMERIC_C NUMERIC_D =542 LIGHTS_TOGGLE =544 BTN_DPAD_UP BTN_DPAD_DOWN BTN_DPAD_LEFT BTN_DPAD_RIGHT =582
    VOICECOMMAND ASSISTANT =614 RIGHT_UP RIGHT_DOWN LEFT_UP LEFT_DOWN ROOT_MENU MEDIA_TOP_MENU NUMERIC_11 NUMERIC_12
    AUDIO_DESC 3D_MODE NEXT_FAVORITE STOP_RECORD PAUSE_RECORD VOD UNMUTE FASTREVERSE SLOWREVERSE DATA
    """
}

extension SettingType<[KeyName]> {
  static var keyNames: Self {
    SettingType(
      expected: KeyName.expected, form: ["type": "keys", "maximum": JSON(Int(KeyName.highest))],
      parse: { text in
        if trimmed(text).isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { KeyName(String(trimmed($0))) }
        let keys = parts.compactMap { $0 }
        return keys.count == parts.count && Set(keys).count == keys.count ? keys : nil
      },
      format: { $0.map(\.description).joined(separator: ", ") },
      nearest: { text in
        let wrong = text.split(separator: ",").map { String(trimmed($0)) }.first { KeyName($0) == nil }
        return wrong.flatMap { KeyName.nearest(to: $0) }
      })
  }
}
