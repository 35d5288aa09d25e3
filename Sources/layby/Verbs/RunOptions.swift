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

  init(_ arguments: [String]) throws(Fault) {
    let options = try Options(arguments, of: ProgramVerb.run)
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
