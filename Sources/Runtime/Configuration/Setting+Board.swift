// board.conf: what hardware there is.

extension Setting<String> {
  package static var boardName: Self {
    Setting(
      .board, "board", "name", .text, "", "What this board is called, on its panel and in the network.",
      example: "dashboard")
  }
}

extension Setting<PanelSize> {
  package static var panelSize: Self {
    Setting(
      .board, "panel", "size", .size(16...4096), PanelSize(width: 320, height: 240),
      "How many pixels wide and high the panel is, as you look at it. A device with one fixed size has that instead.",
      example: "800x480")
  }
}

extension Setting<PanelDisplay> {
  package static var panelDevice: Self {
    Setting(
      .board, "panel", "device", .panelDisplay, .none,
      "The framebuffer or graphics card that shows the panel; auto is the first framebuffer, else the first card.",
      example: "/dev/fb0")
  }
}

extension Setting<Int> {
  package static var panelRotation: Self {
    Setting(
      .board, "panel", "rotate", .choice(["0": 0, "90": 90, "180": 180, "270": 270]), 0,
      "By how many degrees the picture is turned clockwise on the panel's device, so that it is seen upright.")
  }
}

extension Setting<FilePath?> {
  package static var watchdogDevice: Self {
    Setting(
      .board, "watchdog", "device", .device("/dev/watchdog0"), nil,
      "The hardware watchdog that resets the board when the program hangs.")
  }

  package static var firstMusic: Self {
    Setting(
      .board, "paths", "first_music", .device("/data/music"), nil,
      "The folder whose music is played at a start as long as nothing was ever queued.")
  }

  package static var musicPath: Self {
    Setting(
      .board, "paths", "music", .device("/data/music"), nil,
      "The folder for copied music, which the library reads; with none it is the folder music in the state folder.",
      example: "/data/copied")
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

extension Setting<SoundOutput> {
  package static var audioOutput: Self {
    Setting(
      .board, "audio", "output", .soundOutput, .alsa(device: "default"),
      "Where the sound goes: an ALSA device, a WAV file, or nowhere (null at a device's pace, null:fast at once).",
      example: "alsa:hw:0,0")
  }
}

extension Setting<Duration> {
  package static var linesDebounce: Self {
    Setting(
      .board, "lines", "debounce", .duration(.zero...(.milliseconds(100))), .milliseconds(5),
      "How long a button's line must keep its level before it counts; cheap buttons bounce for longer.", example: "10ms"
    )
  }

  package static var watchdogTimeout: Self {
    Setting(
      .board, "watchdog", "timeout", .duration(.seconds(2)...(.seconds(120))), .seconds(15),
      "How long after the program's last sign of life the watchdog resets the board.", example: "30s")
  }

  package static var audioBuffer: Self {
    Setting(
      .board, "audio", "buffer", .duration(.milliseconds(40)...(.seconds(2))), .seconds(2),
      "How much sound the device holds in advance. One that cannot be rewound holds 150 ms at most.",
      example: "500ms")
  }
}

extension Setting<MixerChoice> {
  package static var audioMixer: Self {
    Setting(
      .board, "audio", "mixer", .mixer, .auto,
      "The sound card's own volume control: its name, auto for the likeliest that says its decibels, or none.",
      example: "Master")
  }
}

extension Setting<KnobLines?> {
  package static var knobLines: Self {
    Setting(
      .board, "encoder", "lines", .knobLines, nil,
      "The two GPIO lines of the knob. When it turns the wrong way, swap them.", example: "ENC_A, ENC_B")
  }
}

extension Setting<Bool> {
  package static var linesActiveLow: Self {
    Setting(
      .board, "lines", "active", .choice(["low": true, "high": false]), true,
      "The level of a pressed button: low when it connects its line to ground.")
  }

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

extension Setting<LineBias> {
  package static var linesBias: Self {
    Setting(
      .board, "lines", "bias", .choice(["pull-up": .pullUp, "pull-down": .pullDown, "none": .none]), .pullUp,
      "The processor's own resistor for the lines of knob and buttons; none when the board has resistors.")
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

/// When a stick's file system is given to the kernel, which is where a stick made for it attacks.
package enum StickMounting: String, Equatable, Sendable {
  case atOnce = "at_once"
  case afterYes = "ask"
  case never
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

extension Setting<Bool> {
  package static var allowsSetup: Self {
    Setting(
      .board, "sticks", "allow_setup", .yesOrNo, false,
      "Whether the file layby-setup.conf on a stick may set up network and name, once it is confirmed on the panel.")
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

// What feeds it, and what shines.

extension Setting<LineName?> {
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

extension Setting<LightChoice> {
  package static var panelBacklight: Self {
    Setting(
      .board, "panel", "backlight", .light(hasAuto: true), .none,
      "The panel's light: one of the kernel's by name, auto for its first, a GPIO line, or a PWM channel.",
      example: "line:LIGHT")
  }

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

extension Setting<AmbientChoice> {
  package static var ambientSensor: Self {
    Setting(
      .board, "panel", "ambient", .ambient, .auto,
      "The light sensor that layby.conf's colours = auto goes by; auto is the first that the kernel knows.",
      example: "bh1750")
  }
}

extension Setting<LineName?> {
  package static var headlightsLine: Self {
    Setting(
      .board, "lights", "headlights", .line, nil,
      "The GPIO line that is active while the car's lights are on, wired as buttons are; colours = auto goes by it.",
      example: "HEADLIGHTS")
  }
}

extension Setting<FilePath> {
  package static var statePath: Self {
    Setting(
      .board, "paths", "state", .path, FilePath("/var/lib/layby"),
      "The folder for what must survive a restart: queue, position, volume, library.", example: "/data/state")
  }

  package static var runPath: Self {
    Setting(
      .board, "paths", "run", .path, FilePath("/run/layby"),
      "The folder for what is needed only while the player runs: the control socket.", example: "/run/user/1000/layby")
  }
}
