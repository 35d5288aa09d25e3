import Application
import Library
import Runtime

/// The verbs about the library: bringing music in, and what there is.
@MainLoop
struct LibraryVerbs {
  let browsing: Browsing
  let importing: Importing

  // MARK: Importing

  /// `import PATH...` begins, and does not wait for the end; `import` alone tells how far it is.
  func startImport(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    if arguments.count == 1, arguments[0].string == "stop" {
      importing.stop()
      return importState
    }
    let paths = arguments.compactMap(\.path)
    guard paths.count == arguments.count, paths.allSatisfy(\.isAbsolute) else {
      throw verb.wrong("expected folders, from / on")
    }
    try await importing.start(paths)
    return importState
  }

  private var importState: JSON {
    let state = importing.state
    var members: [(String, JSON)] = [("running", JSON(state.isRunning)), ("waiting", JSON(state.waiting))]
    if let progress = state.progress { members.append(("import", Self.shown(progress))) }
    if let fault = state.fault {
      members.append(("fault", ["code": JSON(fault.code), "message": JSON(fault.message)]))
    }
    return Response.done(members)
  }

  private static func shown(_ progress: ImportProgress) -> JSON {
    var members: [(String, JSON)] = [
      ("root", JSON(path: progress.root)), ("phase", JSON(progress.phase.rawValue)),
      ("files", JSON(progress.seen)), ("of", JSON(progress.total)), ("read", JSON(progress.read)),
      ("unreadable", JSON(progress.unreadable)), ("left_out", JSON(progress.leftOut)),
      ("folders_too_deep", JSON(progress.foldersTooDeep)),
      ("unplayable", JSON(progress.unplayable)), ("playlists", JSON(progress.playlists)),
    ]
    if let left = progress.left(at: MainLoop.loop.now) { members.append(("left_s", JSON(left.inSeconds))) }
    return .object(JSON.Object(members))
  }

  // MARK: What there is

  /// `library`, `library problems`, `library encoding PATH NAME|guess`, `library forget SOURCE`.
  func survey(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch arguments.first?.string {
    case nil where arguments.isEmpty: return try await counts()
    case "problems" where arguments.count == 1:
      let problems = try await browsing.problems(count: BrowsingVerbs.page)
      var shown: [JSON] = []
      for row in problems {
        let path = try await browsing.path(ofTrack: row.id)
        shown.append(["path": path.map { JSON(path: $0) } ?? .null, "reason": JSON(row.detail)])
      }
      return Response.done([("problems", .list(shown))])
    case "encoding" where arguments.count == 3: return try await setEncoding(arguments, verb)
    case "forget" where arguments.count == 2: return try await forget(arguments[1], verb)
    default: throw verb.wrong("that is nothing of the library's")
    }
  }

  private func counts() async throws(Fault) -> JSON {
    let survey = try await browsing.survey()
    let sources = try await browsing.sources().map { source -> JSON in
      [
        "id": JSON(source.id), "kind": JSON("\(source.kind)"), "label": JSON(source.label),
        "root": JSON(path: source.root),
        "present": JSON(source.isPresent),
      ]
    }
    return Response.done([
      ("tracks", JSON(survey.tracks)), ("albums", JSON(survey.albums)), ("artists", JSON(survey.artists)),
      ("genres", JSON(survey.genres)), ("folders", JSON(survey.folders)), ("playlists", JSON(survey.playlists)),
      ("recordings", JSON(survey.recordings)), ("unreadable", JSON(survey.unreadable)),
      ("bytes", JSON(survey.bytes)), ("sources", .list(sources)),
    ])
  }

  /// A guess was wrong: what a folder's texts are written in, or `guess` to let it be guessed again.
  private func setEncoding(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    guard let path = arguments[1].path, let name = arguments[2].string else { throw verb.wrong("no folder was named") }
    let encoding = TextEncoding(rawValue: name)
    guard encoding != nil || name == "guess" else {
      let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
      throw verb.wrong("\"\(name)\" is none of \(names), guess")
    }
    try await importing.setEncoding(encoding, of: path)
    return importState
  }

  // MARK: Forgetting

  /// `library forget SOURCE`: one that is away for good.
  func forget(_ name: JSON, _ verb: Verb) async throws(Fault) -> JSON {
    let source = try Self.source(name, among: try await browsing.sources())
    let gone = try await importing.forget(source)
    return Response.done([
      (
        "forgot",
        [
          "id": JSON(source.id), "label": JSON(source.label), "root": JSON(path: source.root),
          "files": JSON(gone.files),
          "folders": JSON(gone.folders), "playlists": JSON(gone.playlists),
        ]
      )
    ])
  }

  /// By its number, its path or its label.
  nonisolated static func source(_ name: JSON, among sources: [Source]) throws(Fault) -> Source {
    let text = name.string ?? ""
    let number = name.whole ?? Int64(text)
    if let found = sources.first(where: { $0.id == number }) ?? sources.first(where: { $0.root == name.path }) {
      return found
    }
    let found = sources.filter { $0.label == text }
    if found.count == 1 { return found[0] }
    let all = (found.isEmpty ? sources : found).map { "\($0.id) \(shownPlain($0.label)) (\($0.root))" }
    let list = all.isEmpty ? "none" : all.joined(separator: ", ")
    guard found.isEmpty else {
      throw Fault(.malformed, "X-171", "\(found.count) sources are called \(shownBriefly(text)); say which: \(list)")
    }
    throw Fault(.missing, "X-170", "the library knows no source \(shownBriefly(text)); it knows \(list)")
  }
}
