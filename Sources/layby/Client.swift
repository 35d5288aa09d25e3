import Audio
import Glibc
import Library
import Offline
import Remote
import Runtime

/// `layby VERB ...`: asks the running player and shows the answer, to people in words and to programs as JSON.
func askRunning(_ verb: String, _ arguments: [String]) throws(Fault) -> Int32 {
  // "-10" is a time and "-3" a turn, not an option.
  let (ours, theirs) = split(arguments)
  let options = try Options(ours, knowing: known(to: verb), of: verb)
  do throws(Fault) {
    return try ask(verb, theirs, options)
  } catch {
    // A program reads it where it reads every answer, and its words are for people.
    guard options.has("--json") else { throw error }
    print(Answer.refused(error))
    return exitCode(for: error)
  }
}

private func known(to verb: String) -> [String: Options.Form] {
  var known: [String: Options.Form] = ["--json": .flag, "--socket": .one, "--run": .one]
  if verb == "copy" { known["--dry"] = .flag }
  if verb == "offline" { known["--why"] = .flag }
  if verb == "queue" { known.merge(["--from": .one, "--count": .one]) { $1 } }
  return known
}

private func ask(_ verb: String, _ arguments: [String], _ options: Options) throws(Fault) -> Int32 {
  var request = Request(verb: verb, arguments: try prepared(page(arguments, options), for: verb))
  if options.has("--dry") { request.arguments.insert("plan", at: 0) }
  let client = try ControlClient(connectingTo: socketPath(options))
  if verb == "events" { return try showEvents(request, client) }

  if verb == "import", arguments != ["stop"] { return try followImport(request, client, options) }
  if verb == "copy", arguments != ["stop"] { return try followCopy(request, client, options) }
  if verb == "offline" { return try followOffline(request, client, options) }
  let answer = try wholeAnswer(to: request, from: client)
  if let fault = Answer.fault(in: answer) { throw fault }
  if verb == "screen" { return try savePicture(answer, arguments, asJSON: options.has("--json")) }
  print(options.has("--json") ? answer.description : inWords(answer, verb))
  return EX_OK
}

/// `queue --from 100 --count 50` is `queue list 100 50`.
private func page(_ arguments: [String], _ options: Options) -> [String] {
  guard options.has("--from") || options.has("--count") else { return arguments }
  if arguments.first == "next" { return arguments + [options["--count"] ?? "10"] }
  let list = arguments.isEmpty ? ["list"] : arguments
  return list + [options["--from"] ?? "1"] + (options["--count"].map { [$0] } ?? [])
}

/// A long queue comes in pages; here they are one again.
private func wholeAnswer(to request: Request, from client: ControlClient) throws(Fault) -> JSON {
  var answer = try client.ask(request)
  guard request.verb == "queue", request.arguments.count < 2, request.arguments.first?.string ?? "list" == "list",
    var entries = answer["entries"]?.items
  else {
    return answer
  }
  let total = answer["total"]?.whole ?? 0
  while entries.count < total {
    answer = try client.ask(Request(verb: "queue", arguments: [JSON("list"), JSON(entries.count + 1)]))
    // It may have become shorter meanwhile.
    guard let more = answer["entries"]?.items, !more.isEmpty else { break }
    entries += more
  }
  return Answer.done([
    ("total", JSON(entries.count)), ("shuffle", answer["shuffle"] ?? false), ("entries", .list(entries)),
  ])
}

private func split(_ arguments: [String]) -> (options: [String], others: [String]) {
  var options: [String] = []
  var others: [String] = []
  var rest = arguments[...]
  while let word = rest.popFirst() {
    if word == "--" { return (options, others + rest) }
    guard word.hasPrefix("--") else { others.append(word); continue }
    options.append(word)
    if ["--socket", "--run", "--from", "--count"].contains(word), let value = rest.popFirst() { options.append(value) }
  }
  return (options, others)
}

/// As given, or what the environment says; else where the unit puts it, or a player of this user's own.
private func socketPath(_ options: Options) -> FilePath {
  if let path = options.path("--socket") { return path }
  if let folder = options.path("--run") { return folder / "control" }
  if let given = getenv("LAYBY_SOCKET") { return FilePath(String(cString: given)) }
  let ofTheUnit = Settings()[.runPath] / "control"
  guard ofTheUnit.withCString({ access($0, F_OK) }) != 0, let own = getenv("XDG_RUNTIME_DIR") else { return ofTheUnit }
  return FilePath(String(cString: own)) / "layby" / "control"
}

/// The player has its own working folder, so paths go to it from the root; folders go as the music in them.
private func prepared(_ arguments: [String], for verb: String) throws(Fault) -> [JSON] {
  let isAdding = verb == "queue" && arguments.first == "add"
  var raw = RawArguments.Paths()
  if verb == "bookmarks", arguments.first == "forget", arguments.count == 2, let path = raw.path(arguments[1]) {
    return [JSON("forget"), JSON(path: MusicPart(address: path) == nil ? path.absolute : path)]
  }
  if verb == "import", arguments != ["stop"] {
    return arguments.compactMap { raw.path($0) }.map { JSON(path: $0.absolute) }
  }
  if verb == "copy", arguments != ["stop"], !isOfTheLibrary(arguments) {
    return arguments.compactMap { raw.path($0) }.map { JSON(path: $0.absolute) }
  }
  if verb == "library", arguments.count == 3, let path = raw.path(arguments[1]) {
    return [JSON(arguments[0]), JSON(path: path.absolute), JSON(arguments[2])]
  }
  let isListing = verb == "playlist" && arguments.first == "add" && arguments.count > 2
  guard isAdding || isListing || verb == "playnext" else { return arguments.map { JSON($0) } }
  var paths: [FilePath] = []
  let verbs = arguments.prefix(isListing ? 2 : isAdding ? 1 : 0)
  let words = arguments.dropFirst(verbs.count)
  for word in words {
    guard let path = raw.path(word), paths.count < Request.argumentLimit else { continue }
    // What a source has is found by the player.
    if MusicPart(address: path) != nil || ItemKey(address: path) != nil && !isListing {
      paths.append(path)
    } else {
      paths += try MusicFiles.at(path.absolute, most: Request.argumentLimit - paths.count)
    }
  }
  // Without a word the player's own answer says what was expected.
  guard !paths.isEmpty || words.isEmpty else {
    throw Fault(.missing, "X-150", "there is no music in \(words.joined(separator: " "))")
  }
  return verbs.map { JSON($0) } + paths.map { JSON(path: $0) }
}

/// `album 7`, not two paths.
private func isOfTheLibrary(_ arguments: [String]) -> Bool {
  arguments.count == 2 && ["album", "playlist", "track"].contains(arguments[0]) && Int64(arguments[1]) != nil
}

private func showEvents(_ request: Request, _ client: ControlClient) throws(Fault) -> Int32 {
  try client.tell(request)
  while let event = try client.next() {
    if let fault = Answer.fault(in: event), event["event"] == nil { throw fault }
    print(event)
    fflush(nil)
  }
  return EX_OK
}

private func savePicture(_ answer: JSON, _ arguments: [String], asJSON: Bool) throws(Fault) -> Int32 {
  var raw = RawArguments.Paths()
  guard let name = arguments.first else {
    let words = answer["words"]?.string ?? ""
    print(asJSON ? Answer.done([("words", JSON(words))]).description : shownPlain(words))
    return EX_OK
  }
  guard arguments.count == 1, let path = raw.path(name) else {
    throw Fault(.malformed, "X-151", "expected: layby screen [OUT.png]")
  }
  guard let text = answer["png"]?.string, let bytes = Base64.decode(text) else {
    throw Fault(.damaged, "X-152", "the picture did not arrive whole")
  }
  try AtomicFile.replace(path, with: bytes, mode: 0o644)
  print(asJSON ? Answer.done([("path", JSON(path: path))]).description : path.description)
  return EX_OK
}
