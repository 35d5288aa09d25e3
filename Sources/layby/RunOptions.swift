import Runtime

/// What `layby run` was told beside the two files.
struct RunOptions {
  var board: FilePath
  var owner: FilePath?
  var state: FilePath?
  var run: FilePath?
  var output: SoundOutput?
  /// Plays these, instead of what was saved unless it is the same.
  var play: [FilePath] = []
  var endsAfter: Duration?
  /// Ends when the queue does.
  var once = false
  /// Draws the panel in the terminal and reads its keys.
  var inTerminal = false

  static let help = """
    layby run --board FILE [--owner FILE] [--state DIR] [--run DIR] [--output alsa:DEVICE|file:PATH.wav|null|null:fast]
              [--play MUSIC...] [--once] [--for 20s] [--terminal]

      --board FILE    what hardware there is (required); a mistake in it ends the start with code 78
      --owner FILE    what the owner wants; layby.conf beside the board's file unless given
      --state DIR     where the queue and the library are kept, instead of the board's [paths] state
      --run DIR       where the control socket is made, instead of the board's [paths] run
      --output NAME   where the sound goes, instead of the board's [audio] output
      --play MUSIC... plays these files, folders and playlists; when they are what was saved, it goes on where it was
      --once          ends when the queue has ended
      --for 20s       ends by itself
      --terminal      the panel in this terminal, its keys for the knobs
    """

  init(_ arguments: [String]) throws(Fault) {
    let options = try Options(
      arguments,
      knowing: [
        "--board": .one, "--owner": .one, "--state": .one, "--run": .one, "--output": .one, "--play": .many,
        "--for": .one, "--once": .flag, "--terminal": .flag,
      ], of: "run")
    guard options.others.isEmpty else {
      throw Fault(
        .malformed, "X-143",
        "layby run does not know what \"\(options.others[0])\" is; music goes behind --play; see layby run --help")
    }
    var raw = RawArguments.Paths()
    func path(_ name: String) -> FilePath? { options[name].flatMap { raw.path($0) } }
    guard let board = path("--board") else {
      throw Fault(.malformed, "X-144", "layby run needs --board FILE; board/desk/board.conf is for this computer")
    }
    guard options.all("--board").count == 1 else {
      throw Fault(
        .malformed, "X-148", "layby run was given \(options.all("--board").count) boards' files, and is one board")
    }
    self.board = board
    owner = path("--owner") ?? board.folder / "layby.conf"
    state = path("--state")
    run = path("--run")
    if let text = options["--output"] {
      guard let output = SoundOutput(text) else {
        throw Fault(.malformed, "X-146", "\"\(text)\" is no output; expected \(SoundOutput.expected)")
      }
      self.output = output
    }
    var music = MusicArguments()
    play = music.queue(of: options.all("--play").compactMap { raw.path($0) })
    music.tellMissing()
    once = options.has("--once")
    inTerminal = options.has("--terminal")
    if let text = options["--for"] {
      guard let duration = SettingType<Duration>.duration(.milliseconds(1) ... .seconds(86_400)).parse(text) else {
        throw Fault(.malformed, "X-145", "\"\(text)\" is no time for --for; expected one such as 20s or 5m")
      }
      endsAfter = duration
    }
  }

  func stateFolder(_ settings: Settings) -> FilePath { (state ?? settings[.statePath]).absolute }
  func runFolder(_ settings: Settings) -> FilePath { (run ?? settings[.runPath]).absolute }
}
