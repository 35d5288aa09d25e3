import Glibc
import Remote
import Runtime

/// `layby VERB ...`: asks the running player and shows the answer, to people in words and to programs as JSON.
func askRunning(_ verb: String, _ arguments: [String]) throws(Fault) -> Int32 {
  // "-10" is a time and "-3" a turn, not an option.
  let (ours, theirs) = split(arguments)
  let options = try Options(ours, knowing: ["--json": .flag, "--socket": .one, "--run": .one], of: verb)
  do throws(Fault) {
    return try ask(verb, theirs, options)
  } catch {
    // A program reads it where it reads every answer, and its words are for people.
    guard options.has("--json") else { throw error }
    print(Answer.refused(error))
    return exitCode(for: error)
  }
}

private func ask(_ verb: String, _ arguments: [String], _ options: Options) throws(Fault) -> Int32 {
  let request = Request(verb: verb, arguments: try prepared(arguments, for: verb))
  let client = try ControlClient(connectingTo: socketPath(options))
  if verb == "events" { return try showEvents(request, client) }

  let answer = try wholeAnswer(to: request, from: client)
  if let fault = Answer.fault(in: answer) { throw fault }
  if verb == "screen" { return try savePicture(answer, arguments, asJSON: options.has("--json")) }
  print(options.has("--json") ? answer.description : inWords(answer, verb))
  return EX_OK
}

/// A long queue comes in pages; here they are one again.
private func wholeAnswer(to request: Request, from client: ControlClient) throws(Fault) -> JSON {
  var answer = try client.ask(request)
  guard request.verb == "queue", request.arguments.count < 2, var entries = answer["entries"]?.items else {
    return answer
  }
  let total = answer["total"]?.whole ?? 0
  while entries.count < total {
    answer = try client.ask(Request(verb: "queue", arguments: [JSON("list"), JSON(entries.count + 1)]))
    // It may have become shorter meanwhile.
    guard let more = answer["entries"]?.items, !more.isEmpty else { break }
    entries += more
  }
  return Answer.done([("total", JSON(entries.count)), ("entries", .list(entries))])
}

private func split(_ arguments: [String]) -> (options: [String], others: [String]) {
  var options: [String] = []
  var others: [String] = []
  var rest = arguments[...]
  while let word = rest.popFirst() {
    if word == "--" { return (options, others + rest) }
    guard word.hasPrefix("--") else { others.append(word); continue }
    options.append(word)
    if ["--socket", "--run"].contains(word), let value = rest.popFirst() { options.append(value) }
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
  guard verb == "queue", arguments.first == "add" else { return arguments.map { JSON($0) } }
  var paths: [FilePath] = []
  var raw = RawArguments.Paths()
  for word in arguments.dropFirst() {
    if let path = raw.path(word) { paths += try MusicFolder.files(at: path.absolute) }
  }
  guard !paths.isEmpty else {
    throw Fault(.missing, "X-150", "there is no music in \(arguments.dropFirst().joined(separator: " "))")
  }
  return [JSON("add")] + paths.map { JSON(path: $0) }
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
  guard let name = arguments.first, let path = raw.path(name) else {
    throw Fault(.malformed, "X-151", "expected: layby screen OUT.png")
  }
  guard let text = answer["png"]?.string, let bytes = Base64.decode(text) else {
    throw Fault(.damaged, "X-152", "the picture did not arrive whole")
  }
  try AtomicFile.replace(path, with: bytes, mode: 0o644)
  print(asJSON ? Answer.done([("path", JSON(path: path))]).description : path.description)
  return EX_OK
}

// MARK: Words for people

private func inWords(_ answer: JSON, _ verb: String) -> String {
  switch verb {
  case "queue": if let entries = answer["entries"]?.items { return words(ofQueue: entries) }
  case "log": return (answer["lines"]?.items ?? []).compactMap(\.string).map(shownPlain).joined(separator: "\n")
  case "health":
    return (answer["health"]?.items ?? []).map { part in
      let restarts = part["restarts"]?.whole ?? 0
      return padded(part["part"]?.string ?? "", to: 12) + (part["state"]?.string ?? "")
        + (restarts > 0 ? ", restarted \(restarts) times" : "")
    }.joined(separator: "\n")
  default: break
  }
  return answer["status"].map { words(ofStatus: $0) } ?? "done"
}

private func words(ofQueue entries: [JSON]) -> String {
  if entries.isEmpty { return "the queue is empty" }
  return entries.map { entry in
    let mark = entry["current"]?.truth == true ? "> " : "  "
    return mark + padded("\(entry["number"]?.whole ?? 0)", to: 6) + (entry["path"]?.path?.description ?? "")
  }.joined(separator: "\n")
}

private func words(ofStatus status: JSON) -> String {
  guard let title = status["title"]?.string.map(shownPlain) else { return "nothing to play" }
  let by = status["artist"]?.string.flatMap { $0.isEmpty ? nil : " by \(shownPlain($0))" } ?? ""
  let place = clock(status["position_s"]?.double ?? 0)
  let length = status["duration_s"]?.double.map { " of " + clock($0) } ?? ""
  let number = "\((status["index"]?.whole ?? 0) + 1) of \(status["count"]?.whole ?? 0)"
  return "\(status["state"]?.string ?? ""): \(title)\(by), \(place)\(length), track \(number), "
    + "volume \(status["volume"]?.whole ?? 0)" + (status["safe_mode"]?.truth == true ? ", safe mode" : "")
}

private func clock(_ seconds: Double) -> String {
  let whole = Int(min(max(seconds, 0), 360_000))
  let rest = whole % 60
  return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}
