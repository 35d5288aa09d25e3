import Audio
import Glibc
import Remote
import Runtime

/// `layby VERB ...`: asks the running player and shows the answer, to people in words and to programs as JSON.
func askRunning(_ verb: Verb, _ arguments: [String]) throws(Fault) -> Int32 {
  // "-10" is a time and "-3" a turn, not an option.
  let (ours, theirs) = split(arguments, verb)
  if ours.contains("--help") || ours.contains("-h") {
    print(verb.explanation + "\n\n" + Verb.commonExplanation)
    return EX_OK
  }
  let options = try Options(ours, of: verb)
  do throws(Fault) {
    return try ask(verb, theirs, options)
  } catch {
    // A program reads it where it reads every answer, and its words are for people.
    guard options.has("--json") else { throw error }
    print(Response.refused(error))
    return exitCode(for: error)
  }
}

private func ask(_ verb: Verb, _ arguments: [String], _ options: Options) throws(Fault) -> Int32 {
  var music = MusicArguments()
  var request = Request(verb: verb.name, arguments: try music.prepared(page(arguments, options), for: verb))
  if options.has("--dry") { request.arguments.insert("plan", at: 0) }
  let client = try PatientClient(options, for: verb)
  switch verb.name {
  case "events": return try showEvents(request, client)
  // Another encoding of a folder is an import of it.
  case "library" where arguments.first == "encoding": return try followImport(request, client, options)
  case "import" where arguments != ["stop"]: return try followImport(request, client, options)
  case "copy" where arguments != ["stop"]: return try followCopy(request, client, options)
  case "sign-in": return try followSignIn(request, client, options)
  case "offline": return try followOffline(request, client, options)
  default: break
  }
  var answer = try wholeAnswer(to: request, from: client)
  if let fault = Response.fault(in: answer) { throw fault }
  if verb.name == "screen" { return try savePicture(answer, arguments, asJSON: options.has("--json")) }
  let elsewhere =
    music.areFiles ? answer.items("refused").map { Fault(.missing, $0.word("code"), $0.shown("message")) } : []
  if !(music.missing.isEmpty && music.refused.isEmpty && elsewhere.isEmpty), case .object(var members) = answer {
    members["missing"] = .list(music.missing.map { JSON($0) })
    members["refused"] = .list((music.refused + elsewhere).map { JSON($0.message) })
    answer = .object(members)
  }
  let words = request.arguments.map { $0.string ?? $0.description }
  print(options.has("--json") ? answer.description : inWords(answer, verb.name, words))
  if !options.has("--json") { music.tellMissing(elsewhere) }
  return EX_OK
}

/// Asks the running player, and waits no longer than it was told to.
struct PatientClient {
  let client: ControlClient
  private let patience: Duration

  init(_ options: Options, for verb: Verb) throws(Fault) {
    // A source may be far away, and answers when it does.
    patience = try Self.patience(options) ?? .seconds(verb.group == .offline ? 120 : 30)
    client = try ControlClient(connectingTo: socketPath(options), patience: min(patience, .seconds(5)))
  }

  private static func patience(_ options: Options) throws(Fault) -> Duration? {
    guard let text = options["--wait"] else { return nil }
    guard let patience = SettingType<Duration>.duration(.milliseconds(1) ... .seconds(86_400)).parse(text) else {
      throw Fault(
        .malformed, "X-153", "\"\(shownPlain(text))\" is no time for --wait; expected one such as 500ms or 20s")
    }
    return patience
  }

  func ask(_ request: Request) throws(Fault) -> JSON { try client.ask(request, within: patience) }
}

/// `queue --from 100 --count 50` is `queue list 100 50`.
private func page(_ arguments: [String], _ options: Options) -> [String] {
  guard options.has("--from") || options.has("--count") else { return arguments }
  if arguments.first == "next" { return arguments + [options["--count"] ?? "10"] }
  let list = arguments.isEmpty ? ["list"] : arguments
  return list + [options["--from"] ?? "1"] + (options["--count"].map { [$0] } ?? [])
}

/// A long queue comes in pages; here they are one again.
private func wholeAnswer(to request: Request, from client: PatientClient) throws(Fault) -> JSON {
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
  return Response.done([
    ("total", JSON(entries.count)), ("shuffle", answer["shuffle"] ?? false), ("entries", .list(entries)),
  ])
}

private func split(_ arguments: [String], _ verb: Verb) -> (options: [String], others: [String]) {
  let withValues = (Verb.commonOptions + verb.options).filter { $0.value != nil }.map(\.name)
  var options: [String] = []
  var others: [String] = []
  var rest = arguments[...]
  while let word = rest.popFirst() {
    if word == "--" { return (options, others + rest) }
    guard word.hasPrefix("--") || word == "-h" else { others.append(word); continue }
    options.append(word)
    if withValues.contains(word), let value = rest.popFirst() { options.append(value) }
  }
  return (options, others)
}

/// As given, or what the environment says; else where the unit puts it, or a player of this user's own.
private func socketPath(_ options: Options) -> FilePath {
  if let path = options.path("--socket") { return path }
  if let folder = options.path("--run") { return folder / "control" }
  if let given = EnvironmentVariable.controlSocket.text { return FilePath(given) }
  let ofTheUnit = Settings()[.runPath] / "control"
  guard ofTheUnit.withCString({ access($0, F_OK) }) != 0, let own = EnvironmentVariable.runtimeFolder.text else {
    return ofTheUnit
  }
  return FilePath(own) / "layby" / "control"
}

private func showEvents(_ request: Request, _ client: PatientClient) throws(Fault) -> Int32 {
  try client.client.follow(request) { event throws(Fault) in
    print(event)
    fflush(nil)
  }
  return EX_OK
}

private func savePicture(_ answer: JSON, _ arguments: [String], asJSON: Bool) throws(Fault) -> Int32 {
  var raw = RawArguments.Paths()
  guard let name = arguments.first else {
    let words = answer["words"]?.string ?? ""
    print(asJSON ? Response.done([("words", JSON(words))]).description : shownPlain(words))
    return EX_OK
  }
  guard arguments.count == 1, let path = raw.path(name) else {
    throw Fault(.malformed, "X-151", "expected: layby screen [OUT.png]")
  }
  guard path.name.bytes.suffix(4).elementsEqual(".png".utf8) else {
    throw Fault(.malformed, "X-151", "\(path) would be a PNG file; expected a name that ends with .png")
  }
  guard let text = answer["png"]?.string, let bytes = Base64.decode(text) else {
    throw Fault(.damaged, "X-152", "the picture did not arrive whole")
  }
  try AtomicFile.replace(path, with: bytes, mode: 0o644)
  print(asJSON ? Response.done([("path", JSON(path: path))]).description : path.description)
  return EX_OK
}
