import Runtime

/// What can be set of what is wired to the board, and of what the kernel tells.
package enum HardwareSettings {
  package static let settings: [SettingEntry] =
    [
      SettingEntry(.boardName),
      SettingEntry(.eraseButtons),
      SettingEntry(.knobLines),
      SettingEntry(.knobEdges),
      SettingEntry(.knobRests),
      SettingEntry(.knobReversed),
      SettingEntry(.knobAcceleration),
    ] + Setting.buttonNames.map { SettingEntry(.button($0)) } + Setting.keyMeanings.map { SettingEntry(.keys($0)) } + [
      SettingEntry(.linesBias),
      SettingEntry(.linesActiveLow),
      SettingEntry(.linesDebounce),
      SettingEntry(.giveWayLine),
      SettingEntry(.eventKeys),
      SettingEntry(.touchRotation),
      SettingEntry(.panelFont),
      SettingEntry(.panelBoldFont),
      SettingEntry(.panelBacklight),
      SettingEntry(.ambientSensor),
      SettingEntry(.powerLight),
      SettingEntry(.pwmFrequency),
      SettingEntry(.pwmInverted),
      SettingEntry(.headlightsLine),
      SettingEntry(.ignitionLine),
      SettingEntry(.ignitionActiveLow),
      SettingEntry(.ignitionBias),
      SettingEntry(.ignitionDebounce),
      SettingEntry(.allowsSetup),
      SettingEntry(.joinsWireless),
      SettingEntry(.stickMounting),
      SettingEntry(.offAfter),
      SettingEntry(.writeUntil),
      SettingEntry(.offBelow),
      SettingEntry(.stickImport),
      SettingEntry(.mobileIsMetered),
      SettingEntry(.meteredNetworks),
      SettingEntry(.unmeteredNetworks),
      SettingEntry(.radioCountry),
      SettingEntry(.timeZone),
      SettingEntry(.timeServers),
    ]
}

extension Setting<String> {
  package static var boardName: Self {
    Setting(
      .board, "board", "name", .text, "", "What this board is called, on its panel and in the network.",
      example: "dashboard")
  }
}

extension Setting<KnobLines?> {
  package static var knobLines: Self {
    Setting(
      .board, "encoder", "lines", .knobLines, nil,
      "The two GPIO lines of the knob. When it turns the wrong way, swap them.", example: "ENC_A, ENC_B")
  }
}

extension Setting<KnobEdges> {
  package static var knobEdges: Self {
    Setting(
      .board, "encoder", "edges", .choice(["1": .one, "2": .two, "4": .four]), .four,
      "How many edges the knob's two lines make together from one detent to the next; most knobs make 4.")
  }
}

extension Setting<KnobRest> {
  package static var knobRests: Self {
    Setting(
      .board, "encoder", "rests", .choice(["open": .open, "first": .first, "both": .both, "second": .second]), .open,
      "Which of the knob's contacts are closed at a detent; most have both open.")
  }
}

extension Setting<Bool> {
  package static var knobReversed: Self {
    Setting(.board, "encoder", "reverse", .yesOrNo, false, "Whether the knob turns the other way round.")
  }
}

extension Setting<KnobAcceleration> {
  package static var knobAcceleration: Self {
    Setting(
      .board, "encoder", "acceleration", .choice(["off": .off, "gentle": .gentle, "strong": .strong]), .gentle,
      "How much further a detent goes in long lists when the knob is turned quickly; the volume never jumps.")
  }
}

extension Setting<LineName?> {
  /// By what is printed on them, and in the order of the board's plan.
  package static let buttonNames = [
    "knob", "play", "next", "previous", "forward", "rewind", "up", "down", "page_up", "page_down",
    "back", "home", "louder", "quieter", "mute", "help",
    "power",
  ]

  package static func button(_ name: String) -> Self {
    let help =
      name == "knob" ? "The GPIO line of the switch under the knob." : "The GPIO line of the button \"\(name)\"."
    let example = name == "knob" ? "ENC_SW" : "BTN_\(name.uppercased())"
    return Setting(.board, "buttons", name, .line, nil, help, example: example)
  }
}

extension Setting<[KeyName]> {
  /// What a key can do that no button on lines is for: the knob's turns, a detent or five, and nothing at all.
  package static let keyTurns = ["turn_right", "turn_left", "turn_far_right", "turn_far_left"]
  private static let turns = [
    "turn_right": "right", "turn_left": "left", "turn_far_right": "right by five detents",
    "turn_far_left": "left by five detents",
  ]
  package static let keyNothing = "nothing"
  package static let keyMeanings = Setting<LineName?>.buttonNames + keyTurns + [keyNothing]
  /// For those whose key has another name than they have.
  private static let keyExamples = [
    "knob": "KEY_ENTER, KEY_OK", "play": "KEY_PLAYPAUSE", "next": "KEY_NEXTSONG", "previous": "KEY_PREVIOUSSONG",
    "forward": "KEY_FASTFORWARD", "page_up": "KEY_PAGEUP", "page_down": "KEY_PAGEDOWN", "louder": "KEY_VOLUMEUP",
    "quieter": "KEY_VOLUMEDOWN", "turn_right": "KEY_RIGHT", "turn_left": "KEY_LEFT", "turn_far_right": "KEY_CHANNELUP",
    "turn_far_left": "KEY_CHANNELDOWN", "nothing": "KEY_SLEEP",
  ]

  package static func keys(_ meaning: String) -> Self {
    let what =
      if meaning == keyNothing { "do nothing" } else if let turn = turns[meaning] { "turn the knob \(turn)" } else {
        "act as the button \"\(meaning)\""
      }
    return Setting(
      .board, "keys", meaning, .keyNames, [], "Keys that \(what), whatever they did before.",
      example: keyExamples[meaning, default: "KEY_\(meaning.uppercased())"])
  }
}

extension Setting<LineBias> {
  package static var linesBias: Self {
    Setting(
      .board, "lines", "bias", .choice(["pull-up": .pullUp, "pull-down": .pullDown, "none": .none]), .pullUp,
      "The processor's own resistor for the lines of knob and buttons; none when the board has resistors.")
  }
}

extension Setting<Bool> {
  package static var linesActiveLow: Self {
    Setting(
      .board, "lines", "active", .choice(["low": true, "high": false]), true,
      "The level of a pressed button: low when it connects its line to ground.")
  }
}

extension Setting<Duration> {
  package static var linesDebounce: Self {
    Setting(
      .board, "lines", "debounce", .duration(.zero...(.milliseconds(100))), .milliseconds(5),
      "How long a button's line must keep its level before it counts; cheap buttons bounce for longer.", example: "10ms"
    )
  }
}

extension Setting<LineName?> {
  package static var giveWayLine: Self {
    Setting(
      .board, "lines", "give_way", .line, nil,
      "The GPIO line that is active while something else sounds: a telephone, a beeper, the navigation's voice.",
      example: "PHONE_RINGS")
  }
}

extension Setting<Bool> {
  package static var eventKeys: Self {
    Setting(
      .board, "inputs", "keys", .yesOrNo, true,
      "Whether the kernel's keyboards, remotes, wheels and touch screens are read, also when other programs read them.")
  }
}

extension Setting<TouchRotation> {
  package static var touchRotation: Self {
    Setting(
      .board, "inputs", "touch_rotate",
      .choice(["0": .none, "90": .quarter, "180": .half, "270": .threeQuarters]), .none,
      "By how many degrees clockwise a touched place must be turned to match the picture.")
  }
}

extension Setting<[FilePath]> {
  private static let fonts = FilePath("/usr/share/fonts/truetype")
  private static let inter = FilePath("/usr/share/fonts/opentype/inter")
  /// The package's other file, for all its name, lacks Korean letters.
  private static let ideographs = FilePath("/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf")
  private static let devanagari = fonts / "lohit-devanagari/Lohit-Devanagari.ttf"
  private static let pictures = fonts / "ancient-scripts/Symbola_hint.ttf"

  package static var panelFont: Self {
    Setting(
      .board, "panel", "font", .paths,
      [
        inter / "Inter-Regular.otf", fonts / "dejavu/DejaVuSans.ttf", ideographs, fonts / "tlwg/Garuda.ttf", devanagari,
        pictures,
      ],
      "Font files for text on the panel; a letter that one file lacks is taken from the next.",
      example: "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf, \(ideographs)")
  }

  package static var panelBoldFont: Self {
    Setting(
      .board, "panel", "bold_font", .paths,
      [
        inter / "Inter-SemiBold.otf", fonts / "dejavu/DejaVuSans-Bold.ttf", ideographs, fonts / "tlwg/Garuda-Bold.ttf",
        devanagari, pictures,
      ],
      "Font files for bold text, which must be readable from afar.",
      example: "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf, \(ideographs)")
  }
}

extension Setting<LightChoice> {
  package static var panelBacklight: Self {
    Setting(
      .board, "panel", "backlight", .light(hasAuto: true), .none,
      "The panel's light: one of the kernel's by name, auto for its first, a GPIO line, or a PWM channel.",
      example: "line:LIGHT")
  }
}

extension Setting<AmbientChoice> {
  package static var ambientSensor: Self {
    Setting(
      .board, "panel", "ambient", .ambient, .auto,
      "The light sensor that layby.conf's colours = auto goes by; auto is the first that the kernel knows.",
      example: "bh1750")
  }
}

extension Setting<LightChoice> {
  package static var powerLight: Self {
    Setting(
      .board, "lights", "power", .light(hasAuto: false), .none,
      "A lamp that is on while the board is: one of the kernel's LEDs by name, a GPIO line, or a PWM channel.",
      example: "line:LED_READY")
  }
}

extension Setting<Int> {
  package static var pwmFrequency: Self {
    Setting(
      .board, "lights", "pwm_frequency", .whole(20...100_000, unit: "Hz"), 1_000,
      "How often a second a PWM channel switches its light; the data sheet of the light's driver says what it takes.",
      example: "25000")
  }
}

extension Setting<Bool> {
  package static var pwmInverted: Self {
    Setting(
      .board, "lights", "pwm_inverted", .yesOrNo, false, "Whether the light shines while its PWM channel is low.")
  }
}

extension Setting<LineName?> {
  package static var headlightsLine: Self {
    Setting(
      .board, "lights", "headlights", .line, nil,
      "The GPIO line that is active while the car's lights are on, wired as buttons are; colours = auto goes by it.",
      example: "HEADLIGHTS")
  }

  package static var ignitionLine: Self {
    Setting(
      .board, "power", "ignition", .line, nil,
      "The GPIO line that tells whether the car's ignition (ACC) is on; without it the board rests, then switches off.",
      example: "ACC")
  }
}

extension Setting<Bool> {
  package static var ignitionActiveLow: Self {
    Setting(
      .board, "power", "ignition_active", .choice(["high": false, "low": true]), false,
      "The level of the ignition's line while the ignition is on.")
  }
}

extension Setting<LineBias> {
  package static var ignitionBias: Self {
    Setting(
      .board, "power", "ignition_bias", .choice(["pull-up": .pullUp, "pull-down": .pullDown, "none": .none]), .pullDown,
      "The processor's own resistor for the ignition's line.")
  }
}

extension Setting<Duration> {
  package static var ignitionDebounce: Self {
    Setting(
      .board, "power", "ignition_debounce", .duration(.zero...(.seconds(30))), .seconds(4),
      "How long the ignition must be off before the music rests; while the engine is cranked, it drops for seconds.",
      example: "8s")
  }
}

extension Setting<Bool> {
  package static var allowsSetup: Self {
    Setting(
      .board, "sticks", "allow_setup", .yesOrNo, false,
      "Whether the file layby-setup.conf on a stick may set up network and name, once it is confirmed on the panel.")
  }
}

extension Setting<Bool> {
  package static var joinsWireless: Self {
    Setting(
      .board, "board", "wifi", .yesOrNo, false,
      "Whether the panel and `layby wifi` may choose a Wi-Fi network: only where the system takes that up, as images do."
    )
  }
}

extension Setting<StickMounting?> {
  package static var stickMounting: Self {
    Setting(
      .board, "sticks", "mount",
      .choice(["automatic": nil, "at_once": .atOnce, "ask": .afterYes, "never": .never]), nil,
      "When a stick is read: at once, after a yes on the panel, or never; automatic asks only in a kiosk."
    )
  }
}

extension Setting<Duration> {
  package static var offAfter: Self {
    Setting(
      .owner, "power", "off_after", .duration(.zero...(.seconds(86_400))), .seconds(60),
      "How long the board rests after the ignition went off before it switches itself off.", example: "10m")
  }
}

extension Setting<Int> {
  package static var writeUntil: Self {
    Setting(
      .owner, "power", "write_until", .whole(0...50, unit: "percent"), 5,
      "With the battery at this level or below, imports, downloads and copies wait; 0 is never.", example: "10")
  }

  package static var offBelow: Self {
    Setting(
      .owner, "power", "off_below", .whole(0...50, unit: "percent"), 2,
      "With the battery at this level or below for half a minute, the board switches itself off; 0 is never.",
      example: "5")
  }
}

extension Setting<StickImport> {
  package static var stickImport: Self {
    Setting(
      .owner, "sticks", "import", .choice(["ask": .ask, "always": .always, "never": .never]), .ask,
      "Whether the music on a stick that is put in is taken into the library.")
  }
}

extension Setting<Bool> {
  package static var mobileIsMetered: Self {
    Setting(
      .owner, "network", "mobile_is_metered", .yesOrNo, true,
      "Whether traffic over a modem or a telephone costs money, so that the rules for metered networks hold.")
  }
}

extension Setting<[String]> {
  package static var meteredNetworks: Self {
    Setting(
      .owner, "network", "metered", .names, [],
      "Wi-Fi networks whose traffic costs money or is limited, such as the one of a telephone.",
      example: "telephone, train")
  }

  package static var unmeteredNetworks: Self {
    Setting(
      .owner, "network", "unmetered", .names, [],
      "Wi-Fi networks whose traffic costs nothing, whatever else says that it does.", example: "home, garage")
  }
}
