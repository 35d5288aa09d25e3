import Application
import Library
import Runtime

/// The verbs that look through the library: `search`, `letters` and `browse`.
@MainLoop
struct BrowsingVerbs {
  let browsing: Browsing

  /// Of artists, albums and tracks each the best; words in any order, each the beginning of one.
  func search(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let words = arguments.compactMap(\.word)
    let text = words.joined(separator: " ")
    guard words.count == arguments.count, !SearchQuery(text).isEmpty else { throw verb.wrong("nothing to search for") }
    var found: [(String, JSON)] = []
    for (name, wanted) in [("artists", Browsing.Wanted.artists), ("albums", .albums), ("tracks", .tracks)] {
      let rows = try await browsing.search(text, for: wanted, count: Self.best)
      found.append((name, .list(try await shown(rows))))
    }
    return Response.done(found)
  }

  /// `letters TYPED [LETTER]`: what a knob offers when so much was typed.
  func letters(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let words = arguments.compactMap(\.string)
    guard words.count == arguments.count, words.count <= 2 else { throw verb.wrong("expected what was typed") }
    let part = try await browsing.wheel(
      after: words.first ?? "", behind: words.count == 2 ? words[1] : nil, count: Self.page)
    var members = [("letters", JSON.list(part.letters.map { JSON($0) }))]
    if let next = part.next { members.append(("next", JSON(next))) }
    return Response.done(members)
  }

  private static let best = 20

  /// `browse LIST [ID] [after TOKEN]`: a page.
  func browse(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    var words = arguments.compactMap(\.word)
    guard words.count == arguments.count else { throw verb.wrong("expected words") }
    var key: PageKey?
    if words.count >= 2, words[words.count - 2] == "after" {
      guard let place = PageToken.key(words[words.count - 1]) else { throw verb.wrong("that is no place in a list") }
      key = place
      words.removeLast(2)
    }
    guard !words.isEmpty else { throw verb.wrong("no list was named") }
    if let id = List.track(words) { return Response.done([("rows", [try await track(id)])]) }
    let list = try List(words: words, of: verb, arguments)
    let page = try await browsing.page(of: list, after: key, count: Self.page)
    if page.rows.isEmpty, key == nil { try await browsing.expect(list, named: words.joined(separator: " ")) }
    let letters = key == nil ? try await browsing.letters(of: list) : []
    var members: [(String, JSON)] = [("rows", .list(try await shown(page.rows)))]
    if let next = page.next { members.append(("next", JSON(PageToken.text(next)))) }
    if !letters.isEmpty {
      let jumps = letters.map { letter -> JSON in
        ["letter": JSON(letter.letter), "count": JSON(letter.count), "after": JSON(PageToken.text(letter.start))]
      }
      members.append(("letters", .list(jumps)))
    }
    return Response.done(members)
  }

  /// Rows of one answer.
  static let page = 100

  private func track(_ id: Int64) async throws(Fault) -> JSON {
    let (path, track) = try await browsing.track(id)
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
      if row.kind == .track, let path = try await browsing.path(ofTrack: row.id) {
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
}
