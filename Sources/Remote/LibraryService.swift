import Library
import Runtime

/// The verbs about the library: bringing music in, and finding it.
@Deck
package final class LibraryService {
  let catalogue: Catalogue
  let imports: ImportPart
  let copies: CopyPart

  package init(_ catalogue: Catalogue, _ imports: ImportPart, _ copies: CopyPart) {
    self.catalogue = catalogue
    self.imports = imports
    self.copies = copies
  }

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    switch verb.name {
    case "import": return try await startImport(arguments, verb)
    case "copy": return try await copy(arguments, verb)
    case "search": return try await search(arguments, verb)
    case "letters": return try await letters(arguments, verb)
    case "browse": return try await browse(arguments, verb)
    case "library": return try await survey(arguments, verb)
    default: throw verb.wrong("the library knows nothing of it")
    }
  }

  // MARK: Importing

  /// `import PATH...` begins, and does not wait for the end; `import` alone tells how far it is.
  private func startImport(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    if arguments.count == 1, arguments[0].string == "stop" {
      imports.stop()
      return importState
    }
    let paths = arguments.compactMap(\.path)
    guard paths.count == arguments.count, paths.allSatisfy(\.isAbsolute) else {
      throw verb.wrong("expected folders, from / on")
    }
    for path in paths { try await imports.add(folder: path) }
    return importState
  }

  private var importState: JSON {
    var members: [(String, JSON)] = [
      ("running", JSON(imports.isRunning || !imports.waiting.isEmpty)), ("waiting", JSON(imports.waiting.count)),
    ]
    if let progress = imports.progress { members.append(("import", Self.shown(progress))) }
    if let fault = imports.lastFault {
      members.append(("fault", ["code": JSON(fault.code), "message": JSON(fault.message)]))
    }
    return Answer.done(members)
  }

  private static func shown(_ progress: ImportProgress) -> JSON {
    var members: [(String, JSON)] = [
      ("root", JSON(path: progress.root)), ("phase", JSON(progress.phase.rawValue)),
      ("files", JSON(progress.seen)), ("of", JSON(progress.total)), ("read", JSON(progress.read)),
      ("unreadable", JSON(progress.unreadable)), ("left_out", JSON(progress.leftOut)),
      ("unplayable", JSON(progress.unplayable)), ("playlists", JSON(progress.playlists)),
    ]
    if let left = progress.left(at: Deck.loop.now) { members.append(("left_s", JSON(left.inSeconds))) }
    return .object(JSON.Object(members))
  }

  // MARK: Finding

  /// Of artists, albums and tracks each the best; words in any order, each the beginning of one.
  private func search(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let words = arguments.compactMap { $0.string ?? $0.whole.map(String.init) }
    let query = SearchQuery(words.joined(separator: " "))
    guard words.count == arguments.count, !query.isEmpty else { throw verb.wrong("nothing to search for") }
    var found: [(String, JSON)] = []
    for (name, wanted) in [("artists", Catalogue.Wanted.artists), ("albums", .albums), ("tracks", .tracks)] {
      var rows: [Row] = []
      var place: SearchPlace?
      repeat {
        let part = try await catalogue.search(query, for: wanted, after: place, count: Self.best - rows.count)
        rows += part.rows
        place = part.next
      } while place != nil && rows.count < Self.best
      found.append((name, .list(try await shown(rows))))
    }
    return Answer.done(found)
  }

  /// `letters TYPED [LETTER]`: what a knob offers when so much was typed.
  private func letters(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let words = arguments.compactMap(\.string)
    guard words.count == arguments.count, words.count <= 2 else { throw verb.wrong("expected what was typed") }
    let part = try await catalogue.wheel(
      after: words.first ?? "", behind: words.count == 2 ? words[1] : nil, count: Self.page)
    var members = [("letters", JSON.list(part.letters.map { JSON($0) }))]
    if let next = part.next { members.append(("next", JSON(next))) }
    return Answer.done(members)
  }

  private static let best = 20

  /// `browse LIST [ID] [after TOKEN]`: a page.
  private func browse(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    var words = arguments.compactMap { $0.string ?? $0.whole.map(String.init) }
    guard words.count == arguments.count else { throw verb.wrong("expected words") }
    var key: PageKey?
    if words.count >= 2, words[words.count - 2] == "after" {
      guard let place = PageToken.key(words[words.count - 1]) else { throw verb.wrong("that is no place in a list") }
      key = place
      words.removeLast(2)
    }
    guard !words.isEmpty else { throw verb.wrong("no list was named") }
    if let id = List.track(words) { return Answer.done([("rows", [try await track(id)])]) }
    guard let list = List(words: words) else {
      throw verb.wrong("there is no list \"\(shownBriefly(words.joined(separator: " ")))\"", arguments)
    }
    let page = try await catalogue.page(of: list, after: key, count: Self.page)
    if page.rows.isEmpty, key == nil { try await catalogue.mustKnow(list, named: words.joined(separator: " ")) }
    let letters = key == nil ? try await catalogue.letters(of: list) : []
    var members: [(String, JSON)] = [("rows", .list(try await shown(page.rows)))]
    if let next = page.next { members.append(("next", JSON(PageToken.text(next)))) }
    if !letters.isEmpty {
      let jumps = letters.map { letter -> JSON in
        ["letter": JSON(letter.letter), "count": JSON(letter.count), "after": JSON(PageToken.text(letter.start))]
      }
      members.append(("letters", .list(jumps)))
    }
    return Answer.done(members)
  }

  private static let page = 100

  private func track(_ id: Int64) async throws(Fault) -> JSON {
    let path = try await catalogue.knownPath(ofTrack: id)
    let track = try await catalogue.track(at: path) ?? Track(named: path)
    var members: [(String, JSON)] = [("kind", "track"), ("id", JSON(id)), ("title", JSON(track.title))]
    if !track.artist.isEmpty { members.append(("detail", JSON(track.artist))) }
    if !track.album.isEmpty { members.append(("album", JSON(track.album))) }
    if let number = track.number { members.append(("number", JSON(number))) }
    if let duration = track.duration { members.append(("duration_s", JSON(duration.inSeconds))) }
    return .object(JSON.Object(members + [("path", JSON(path: path))]))
  }

  private func shown(_ rows: [Row]) async throws(Fault) -> [JSON] {
    var shown: [JSON] = []
    for row in rows {
      var members = Self.members(of: row)
      if row.kind == .track, let path = try await catalogue.path(of: row.id) {
        if !row.isSilent { members.append(("path", JSON(path: row.part(of: path)?.address ?? path))) }
      }
      shown.append(.object(JSON.Object(members)))
    }
    return shown
  }

  /// What a row does not have is left out.
  nonisolated static func members(of row: Row) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("kind", JSON("\(row.kind)")), ("id", JSON(row.id)), ("title", JSON(row.title)),
    ]
    if !row.detail.isEmpty { members.append(("detail", JSON(row.detail))) }
    if !row.album.isEmpty { members.append(("album", JSON(row.album))) }
    if row.count > 0 { members.append(("count", JSON(row.count))) }
    if row.number > 0 { members.append(("number", JSON(row.number))) }
    if let year = row.year { members.append(("year", JSON(year))) }
    if let duration = row.duration { members.append(("duration_s", JSON(duration.inSeconds))) }
    if !row.isPresent { members.append(("present", false)) }
    if let begins = row.begins { members.append(("begins_s", JSON(begins.inSeconds))) }
    return members
  }

  // MARK: What there is

  /// `library`, `library problems`, `library encoding PATH NAME|guess`, `library forget SOURCE`.
  private func survey(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch arguments.first?.string {
    case nil where arguments.isEmpty: return try await counts()
    case "problems" where arguments.count == 1:
      let problems = try await catalogue.problems(count: Self.page)
      var shown: [JSON] = []
      for row in problems {
        let path = try await catalogue.path(of: row.id)
        shown.append(["path": path.map { JSON(path: $0) } ?? .null, "reason": JSON(row.detail)])
      }
      return Answer.done([("problems", .list(shown))])
    case "encoding" where arguments.count == 3: return try await setEncoding(arguments, verb)
    case "forget" where arguments.count == 2: return try await forget(arguments[1], verb)
    default: throw verb.wrong("that is nothing of the library's")
    }
  }

  private func counts() async throws(Fault) -> JSON {
    let survey = try await catalogue.survey()
    let sources = try await catalogue.sources().map { source -> JSON in
      [
        "id": JSON(source.id), "kind": JSON("\(source.kind)"), "label": JSON(source.label),
        "root": JSON(path: source.root),
        "present": JSON(source.isPresent),
      ]
    }
    return Answer.done([
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
    guard let folder = try await catalogue.folder(at: path) else {
      throw Fault(.missing, "X-180", "\(path) is in no folder that was imported")
    }
    try await catalogue.setEncoding(encoding, of: folder)
    try await imports.add(folder: path)
    return importState
  }
}
