import Hardware

/// What is printed on keys, where that is not the kernel's name for them, and what the panel's languages call those that
/// have English words on them.
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

  /// What a key does, where the panel has a word for that. In English the key's own name says it.
  static let meanings: [String: Word] = [
    "BACK": .back, "CONFIG": .settings, "FASTFORWARD": .forward, "FASTREVERSE": .rewind, "FORWARD": .forward,
    "HELP": .help, "MENU": .menu, "MUTE": .mute, "NEXT": .nextTrack, "NEXTSONG": .nextTrack,
    "PAGEDOWN": .pageDown, "PAGEUP": .pageUp, "PAUSE": .pause, "PLAYPAUSE": .playOrPause, "POWER": .power,
    "PREVIOUS": .previousTrack, "PREVIOUSSONG": .previousTrack, "REWIND": .rewind, "SEARCH": .search,
    "SETUP": .settings, "SHUFFLE": .shuffle, "SPACE": .space, "VOLUMEDOWN": .quieter, "VOLUMEUP": .louder,
  ]

  static let german: [String: String] = [
    "BACKSPACE": "Rücktaste", "BASSBOOST": "Bass +", "BLUE": "Blau", "BRIGHTNESSDOWN": "Dunkler",
    "BRIGHTNESSUP": "Heller", "CAPSLOCK": "Feststelltaste", "CHANNELDOWN": "Kanal -", "CHANNELUP": "Kanal +",
    "CLOSECD": "Schublade schließen", "CONTEXT_MENU": "Kontextmenü", "DELETE": "Entf", "EJECTCD": "Auswerfen",
    "EJECTCLOSECD": "Schublade", "END": "Ende", "ENTER": "Eingabe", "EPG": "Programm", "EXIT": "Beenden",
    "GREEN": "Grün", "HOME": "Pos1", "HOMEPAGE": "Startseite", "INFO": "Info", "INSERT": "Einfg",
    "LEFTCTRL": "Strg", "LEFTSHIFT": "Umschalt", "MICMUTE": "Mikrofon aus", "MODE": "Modus", "NUMLOCK": "Num",
    "PAUSECD": "CD anhalten", "PHONE": "Telefon", "PLAY": "Wiedergabe", "PLAYCD": "CD abspielen",
    "PVR": "Aufnahmen", "RECORD": "Aufnahme", "RED": "Rot", "RIGHTCTRL": "Strg rechts",
    "RIGHTMETA": "Super rechts", "RIGHTSHIFT": "Umschalt rechts", "SCROLLDOWN": "Rollen runter",
    "SCROLLLOCK": "Rollen", "SCROLLUP": "Rollen hoch", "SELECT": "Auswahl", "SLEEP": "Schlaf",
    "SLOWREVERSE": "Langsam zurück", "STOP": "Stopp", "STOPCD": "Stopp", "SYSRQ": "Druck", "TAB": "Tab",
    "THUMBL": "Linker Stick", "THUMBR": "Rechter Stick", "UNKNOWN": "Unbekannt", "VOICECOMMAND": "Sprachbefehl",
    "YELLOW": "Gelb",
  ]

  static let french: [String: String] = [
    "BACKSPACE": "Retour arrière", "BASSBOOST": "Graves +", "BLUE": "Bleu", "BRIGHTNESSDOWN": "Plus sombre",
    "BRIGHTNESSUP": "Plus clair", "CAPSLOCK": "Verr. Maj", "CHANNELDOWN": "Chaîne -", "CHANNELUP": "Chaîne +",
    "CLOSECD": "Fermer le tiroir", "CONTEXT_MENU": "Menu contextuel", "DELETE": "Suppr", "EJECTCD": "Éjecter",
    "EJECTCLOSECD": "Tiroir", "END": "Fin", "ENTER": "Entrée", "EPG": "Guide", "EXIT": "Quitter",
    "GREEN": "Vert", "HOME": "Début", "HOMEPAGE": "Page d’accueil", "INFO": "Info", "INSERT": "Inser",
    "LEFTCTRL": "Ctrl", "LEFTSHIFT": "Maj", "MICMUTE": "Micro coupé", "MODE": "Mode", "NUMLOCK": "Verr. Num",
    "PAUSECD": "Pause CD", "PHONE": "Téléphone", "PLAY": "Lecture", "PLAYCD": "Lire le CD",
    "PVR": "Enregistrements", "RECORD": "Enregistrer", "RED": "Rouge", "RIGHTCTRL": "Ctrl droite",
    "RIGHTMETA": "Super droite", "RIGHTSHIFT": "Maj droite", "SCROLLDOWN": "Défiler vers le bas",
    "SCROLLLOCK": "Arrêt défil", "SCROLLUP": "Défiler vers le haut", "SELECT": "Sélection", "SLEEP": "Veille",
    "SLOWREVERSE": "Retour lent", "STOP": "Arrêt", "STOPCD": "Arrêt", "SYSRQ": "Impr. écran", "TAB": "Tab",
    "THUMBL": "Stick gauche", "THUMBR": "Stick droit", "UNKNOWN": "Inconnue", "VOICECOMMAND": "Voix",
    "YELLOW": "Jaune",
  ]

  static let spanish: [String: String] = [
    "BACKSPACE": "Retroceso", "BASSBOOST": "Graves +", "BLUE": "Azul", "BRIGHTNESSDOWN": "Menos brillo",
    "BRIGHTNESSUP": "Más brillo", "CAPSLOCK": "Bloq Mayús", "CHANNELDOWN": "Canal -", "CHANNELUP": "Canal +",
    "CLOSECD": "Cerrar bandeja", "CONTEXT_MENU": "Menú contextual", "DELETE": "Supr", "EJECTCD": "Expulsar",
    "EJECTCLOSECD": "Bandeja", "END": "Fin", "ENTER": "Intro", "EPG": "Guía", "EXIT": "Salir", "GREEN": "Verde",
    "HOME": "Inicio", "HOMEPAGE": "Página de inicio", "INFO": "Info", "INSERT": "Insertar", "LEFTCTRL": "Ctrl",
    "LEFTSHIFT": "Mayús", "MICMUTE": "Micrófono apagado", "MODE": "Modo", "NUMLOCK": "Bloq Num",
    "PAUSECD": "Pausar CD", "PHONE": "Teléfono", "PLAY": "Reproducir", "PLAYCD": "Reproducir CD",
    "PVR": "Grabaciones", "RECORD": "Grabar", "RED": "Rojo", "RIGHTCTRL": "Ctrl derecha",
    "RIGHTMETA": "Super derecha", "RIGHTSHIFT": "Mayús derecha", "SCROLLDOWN": "Desplazar abajo",
    "SCROLLLOCK": "Bloq Despl", "SCROLLUP": "Desplazar arriba", "SELECT": "Seleccionar", "SLEEP": "Suspender",
    "SLOWREVERSE": "Retroceso lento", "STOP": "Parar", "STOPCD": "Parar", "SYSRQ": "Impr Pant", "TAB": "Tab",
    "THUMBL": "Palanca izquierda", "THUMBR": "Palanca derecha", "UNKNOWN": "Desconocida", "VOICECOMMAND": "Voz",
    "YELLOW": "Amarillo",
  ]

  static let japanese: [String: String] = [
    "BACKSPACE": "Backspace", "BASSBOOST": "低音強調", "BLUE": "青", "BRIGHTNESSDOWN": "暗く", "BRIGHTNESSUP": "明るく",
    "CAPSLOCK": "Caps Lock", "CHANNELDOWN": "チャンネル -", "CHANNELUP": "チャンネル +", "CLOSECD": "トレイを閉じる",
    "CONTEXT_MENU": "メニュー", "DELETE": "Delete", "EJECTCD": "取り出し", "EJECTCLOSECD": "トレイ開閉", "END": "End",
    "ENTER": "Enter", "EPG": "番組表", "EXIT": "終了", "GREEN": "緑", "HOME": "Home", "HOMEPAGE": "ホームページ",
    "INFO": "情報", "INSERT": "Insert", "LEFTCTRL": "Ctrl", "LEFTSHIFT": "Shift", "MICMUTE": "マイクオフ",
    "MODE": "モード", "NUMLOCK": "Num Lock", "PAUSECD": "CD一時停止", "PHONE": "電話", "PLAY": "再生", "PLAYCD": "CD再生",
    "PVR": "録画一覧", "RECORD": "録音", "RED": "赤", "RIGHTCTRL": "右Ctrl", "RIGHTMETA": "右Super",
    "RIGHTSHIFT": "右Shift", "SCROLLDOWN": "下スクロール", "SCROLLLOCK": "Scroll Lock", "SCROLLUP": "上スクロール",
    "SELECT": "選択", "SLEEP": "スリープ", "SLOWREVERSE": "スロー逆再生", "STOP": "停止", "STOPCD": "停止",
    "SYSRQ": "Print Screen", "TAB": "Tab", "THUMBL": "左スティック", "THUMBR": "右スティック", "UNKNOWN": "不明",
    "VOICECOMMAND": "音声操作", "YELLOW": "黄",
  ]

  static let arabic: [String: String] = [
    "BACKSPACE": "Backspace", "BASSBOOST": "تعزيز الجهير", "BLUE": "أزرق", "BRIGHTNESSDOWN": "أعتم",
    "BRIGHTNESSUP": "أسطع", "CAPSLOCK": "Caps Lock", "CHANNELDOWN": "قناة -", "CHANNELUP": "قناة +",
    "CLOSECD": "إغلاق الدرج", "CONTEXT_MENU": "قائمة السياق", "DELETE": "Delete", "EJECTCD": "إخراج",
    "EJECTCLOSECD": "الدرج", "END": "End", "ENTER": "Enter", "EPG": "الدليل", "EXIT": "خروج", "GREEN": "أخضر",
    "HOME": "Home", "HOMEPAGE": "الصفحة الرئيسية", "INFO": "معلومات", "INSERT": "Insert", "LEFTCTRL": "Ctrl",
    "LEFTSHIFT": "Shift", "MICMUTE": "كتم الميكروفون", "MODE": "الوضع", "NUMLOCK": "Num Lock",
    "PAUSECD": "إيقاف القرص مؤقتًا", "PHONE": "الهاتف", "PLAY": "تشغيل", "PLAYCD": "تشغيل القرص",
    "PVR": "التسجيلات", "RECORD": "تسجيل", "RED": "أحمر", "RIGHTCTRL": "Ctrl يمين", "RIGHTMETA": "Super يمين",
    "RIGHTSHIFT": "Shift يمين", "SCROLLDOWN": "تمرير لأسفل", "SCROLLLOCK": "Scroll Lock",
    "SCROLLUP": "تمرير لأعلى", "SELECT": "اختيار", "SLEEP": "سكون", "SLOWREVERSE": "رجوع بطيء", "STOP": "إيقاف",
    "STOPCD": "إيقاف", "SYSRQ": "Print Screen", "TAB": "Tab", "THUMBL": "العصا اليسرى",
    "THUMBR": "العصا اليمنى", "UNKNOWN": "غير معروف", "VOICECOMMAND": "أمر صوتي", "YELLOW": "أصفر",
  ]

  /// On the keypad: what stands behind "KP" in the kernel's name.
  static let keypad: [String: String] = [
    "ENTER": "Enter", "PLUS": "+", "MINUS": "-", "ASTERISK": "*", "SLASH": "/", "DOT": ".", "COMMA": ",", "EQUAL": "=",
    "PLUSMINUS": "\u{B1}", "LEFTPAREN": "(", "RIGHTPAREN": ")", "JPCOMMA": ",",
  ]
}

extension PanelWords {
  /// What people read on the key, or what it does: `KEY_KPENTER` is "Keypad Enter". One for which this language has no
  /// word is told by its number.
  package func name(of key: KeyName) -> String {
    let name = "\(key)"
    guard let start = ["KEY_", "BTN_"].first(where: { name.hasPrefix($0) }) else { return "\(self[.key]) \(key.code)" }
    let bare = String(name.dropFirst(start.count))
    if let own = keys[bare] ?? (isEnglish ? nil : KeyLabels.meanings[bare].map { self[$0] }) { return own }
    if let printed = KeyLabels.printed[bare] { return printed }
    if bare.hasPrefix("KP") {
      let rest = String(bare.dropFirst(2))
      return "\(self[.keypad]) \(keys[rest] ?? KeyLabels.keypad[rest] ?? rest)"
    }
    let numeric = "NUMERIC_"
    let sign = bare.hasPrefix(numeric) ? String(bare.dropFirst(numeric.count)) : bare
    // Letters, figures, F1 and so on are the same everywhere.
    if sign.count == 1 || sign.first == "F" && Int(sign.dropFirst()) != nil { return sign }
    guard isEnglish else { return "\(self[.key]) \(key.code)" }
    let words = String(sign.map { $0 == "_" ? " " : $0 })
    return words.prefix(1) + words.dropFirst().lowercased()
  }
}
