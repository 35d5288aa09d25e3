import Remote
import Runtime

/// What the program does by itself, without a player that runs.
struct ProgramVerb: Sendable {
  enum Audience: Sendable {
    /// Stands in the help that fits a screen.
    case everybody
    /// Stands in the longer helps only.
    case readers
    /// Called by the image's units; people need not know it.
    case units
  }

  let verb: Verb
  let audience: Audience
  let perform: @Sendable ([String]) throws(Fault) -> Int32

  private init(
    _ verb: Verb, for audience: Audience = .everybody,
    _ perform: @escaping @Sendable ([String]) throws(Fault) -> Int32
  ) {
    (self.verb, self.audience, self.perform) = (verb, audience, perform)
  }

  static func named(_ name: String) -> ProgramVerb? { all.first { $0.verb.name == name } }

  static let all = [
    ProgramVerb(run, runSupervisor), ProgramVerb(doctor, layby.doctor), ProgramVerb(config, showSettings),
    ProgramVerb(index, makeIndex), ProgramVerb(update, layby.update), ProgramVerb(manual, printManual),
    ProgramVerb(help, for: .readers, layby.help),
    ProgramVerb(version, for: .readers, showVersion), ProgramVerb(setup, for: .units, takeSetup),
    ProgramVerb(cardSettings, for: .units, takeCardSettings),
    ProgramVerb(stickPolicy, for: .units, tellStickPolicy), ProgramVerb(board, for: .units, makeBoardFile),
    ProgramVerb(slots, for: .readers, showSlots),
    ProgramVerb(lookAround, for: .units, layby.lookAround),
    ProgramVerb(networkSettings, for: .units, takeNetworkSettings),
    ProgramVerb(hotspotBegin, for: .units, beginHotspot), ProgramVerb(hotspotPage, for: .units, serveHotspotPage),
  ]

  static let run = Verb(
    "run", nil, "start the player",
    options: [
      .init(
        "--board", .file, isRequired: true, help: "what hardware there is; a mistake in it ends the start with code 78"),
      .init("--owner", .file, help: "what the owner wants; layby.conf beside the board's file unless given"),
      .init("--state", .folder, help: "where the queue and the library are kept, instead of the board's [paths] state"),
      .init("--run", .folder, help: "where the control socket is made, instead of the board's [paths] run"),
      .init(
        "--output", .output,
        help: "where the sound goes, instead of the board's [audio] output: \(SoundOutput.expected)"),
      .init(
        "--play", .music, takesMany: true,
        help: "plays files, folders and playlists; when they are what was saved, it goes on where it was"),
      .init("--once", help: "ends when the queue has ended"),
      .init("--for", .span, help: "ends by itself after that time, such as 20s"),
      .init("--terminal", help: "the panel in this terminal, its keys for the knobs"),
    ])

  static let doctor = Verb(
    "doctor", nil, "what this machine can and cannot do",
    options: [
      .init("--board", .file, help: "what this board is to have, compared with what there is"),
      .init("--owner", .file, help: "the owner's file, whose PIN nobody else should be able to read"),
      .init("--state", .folder, help: "where the queue and the library are kept, instead of the board's [paths] state"),
      .init("--json", help: "the same for programs"),
    ])

  static let config = Verb(
    "config", nil, "check the settings, and explain them",
    ["": "show all settings", "SETTING...": "show these, or all of a section"],
    options: [
      .init("--board", .file, help: "a board's file to check; a mistake ends it with code 65"),
      .init("--owner", .file, help: "an owner's file, the same"),
      .init("--explain", help: "shows all settings also where a file would only be checked"),
      .init("--json", help: "the same for programs"),
    ])

  static let index = Verb(
    "index", nil, "make a web server's folder a source",
    ["DIR": "writes the list of the folder's music into it, as layby-index.json"],
    options: [
      .init("--name", .name, help: "what the source is called; the folder's name unless given"),
      .init("--json", help: "what was found, for programs"),
    ])

  static let update = Verb(
    "update", nil, "put a new version on a card with slots",
    [
      "": "how the last update since the start went",
      "FILE": "checks a file *.layby, and writes it into the other slot",
    ],
    options: [
      .init("--run", .folder, help: "the player's run folder, where the wish is left"),
      .init("--told", .folder, help: "where it is told how it goes, instead of /run/layby-update"),
      .init("--json", help: "the end for programs"),
    ])

  static let slots = Verb(
    "slots", nil, "the two slots of a card: which is started, and how often",
    [
      "": "how they stand", "good": "the slot that runs is good; its starts are not counted any more",
      "get-primary": "the slot that is started",
      "set-primary NAME": "starts that slot from now on; with three tries, unless it is good",
      "get-current": "the slot that runs", "get-state NAME": "good, or bad: that slot is not started",
      "set-state NAME good|bad": "says so",
    ],
    options: [
      .init("--device", .file, help: "the partition with the counters, or a copy of it"),
      .init("--words", .file, help: "what the kernel was started with, instead of /proc/cmdline"),
      .init(
        "--run", .folder, help: "of good: first waits until the player of that run folder has answered for a while"),
      .init("--for", .span, help: "how long that is, instead of 30s"),
      .init("--usb", .folder, help: "where the kernel lists USB devices, instead of /sys/bus/usb/devices"),
      .init("--json", help: "the same for programs"),
    ])

  static let manual = Verb(
    "manual", nil, "the manual page, all settings, bash's completion",
    [
      "man": "the manual page: layby manual man | man -l -",
      "settings": "all settings, with an example of each, as Markdown",
      "completion": "for bash: source <(layby manual completion)",
    ])

  static let help = Verb(
    "help", nil, "what the verbs are, and what they take",
    [
      "": "all verbs, on one screen", "VERB": "what one of them takes",
      "all": "what all of them take, exit codes, files, the environment",
    ])

  static let version = Verb("version", nil, "which version this is")

  static let setup = Verb(
    "setup", nil, "takes what the owner has confirmed of a stick's layby-setup.conf",
    options: [
      .init("--state", .folder, isRequired: true, help: "the player's state folder"),
      .init(
        "--card", .file, help: "the network and the name that the card gives, in place of what the player has written"),
      .init("--network", .folder, isRequired: true, help: "the folder for the network and the host's name"),
      .init("--told", .folder, isRequired: true, help: "the folder in which the player is told how it went"),
    ])

  static let cardSettings = Verb(
    "card-settings", nil, "makes layby.conf of a card the owner's file, when it is another one than last time",
    options: [
      .init("--card", .file, isRequired: true, help: "layby.conf of the card"),
      .init("--owner", .file, isRequired: true, help: "the owner's file"),
      .init("--last", .file, isRequired: true, help: "what was taken last"),
    ])

  static let stickPolicy = Verb(
    "stick-policy", nil, "whether a stick is mounted at once, after a yes or never",
    options: [
      .init("--board", .file, isRequired: true, help: "the board's file"),
      .init("--owner", .file, help: "the owner's file"),
      .init("--state", .folder, help: "the player's state folder"),
      .init("--told", .file, help: "the file for the answer"),
    ])

  static let lookAround = Verb("look-around", nil, "has the radios look for networks")

  static let networkSettings = Verb(
    "network-settings", nil, "takes up what the owner has set for the clock and the radios",
    options: [
      .init("--board", .file, isRequired: true, help: "the board's file"),
      .init("--owner", .file, help: "the owner's file"),
      .init("--state", .folder, help: "the player's state folder"),
      .init("--clock", .file, isRequired: true, help: "the file for systemd-timesyncd"),
    ])

  static let hotspotBegin = Verb(
    "hotspot-begin", nil, "takes the player's wish for a hotspot, and writes what it is made of",
    options: [
      .init("--wish", .file, isRequired: true, help: "the player's wish, which is removed"),
      .init("--told", .folder, isRequired: true, help: "the folder for what the units read"),
    ])

  static let hotspotPage = Verb(
    "hotspot-page", nil, "serves the hotspot's page on the sockets that systemd hands over",
    options: [
      .init("--facts", .file, isRequired: true, help: "what the page is made of"),
      .init("--answer", .file, isRequired: true, help: "the file for what was chosen on it"),
    ])

  static let board = Verb(
    "board", nil, "makes a board's file of what layby-board.conf on its card says",
    options: [
      .init("--base", .file, isRequired: true, help: "what every board of its kind has"),
      .init("--from", .file, isRequired: true, help: "layby-board.conf; without it, everything is found out"),
      .init("--write", .file, help: "the file to be made; without it, it is printed"),
      .init("--errors", .file, help: "the file for mistakes; it is removed when there are none"),
      .init("--wifi", .file, help: "layby-wifi.conf"),
      .init("--write-setup", .file, help: "the file for that network and the board's name"),
      .init("--sound", .folder, help: "where the kernel tells of sound cards, instead of /proc/asound"),
      .init("--graphics", .folder, help: "where the kernel tells of screens, instead of /sys/class/drm"),
    ])
}

extension Verb {
  /// Its only form, with every option: for what lacks one that is required.
  var wholeUsage: String { forms.map { "layby " + wholeUsage(of: $0) }.joined(separator: ", ") }
}
