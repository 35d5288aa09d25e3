import Application
import Formats
import Library
import Offline
import Playback
import Runtime

/// The verb `playlist`: playlists made on the device.
@MainLoop
struct PlaylistVerbs {
  let playlists: Playlists
  let playing: Playing
  let browsing: Browsing

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    let words = arguments.map(\.word)
    guard let what = arguments.isEmpty ? "list" : words[0] else { throw verb.wrong("expected a word") }
    if what == "list", arguments.count < 2 {
      return Response.done([("playlists", .list(try await playlists.all().map { Self.shown($0) }))])
    }
    guard arguments.count > 1, let name = words[1] else { throw verb.wrong("no playlist was named") }
    let rest = Array(arguments.dropFirst(2))
    if what == "make", rest.isEmpty { return try await make(name, verb) }
    let playlist = try await playlists.named(name)
    let id = playlist.id
    switch (what, rest.count) {
    case ("show", 0): return try await show(playlist, after: nil)
    case ("show", 2) where words[2] == "after":
      guard let place = words[3].flatMap({ Int64($0) }) else { throw verb.wrong("that is no place in a playlist") }
      return try await show(playlist, after: place)
    case ("rename", 1):
      guard let new = words[2] else { throw verb.wrong("no new name was given") }
      guard Playlists.isName(new) else { throw verb.wrong(Playlists.whatNamesAre) }
      try await playlists.expectNew(new)
      try await playlists.rename(id, new)
    case ("delete", 0):
      try await playlists.remove(id)
      return Response.done([("deleted", JSON(playlist.name))])
    case ("add", 1...): try await playlists.add(try Self.paths(rest, verb), to: id)
    case ("fill", 1...2): try await fill(id, words.dropFirst(2).compactMap(\.self), verb)
    case ("remove", 1...): try await playlists.remove(entries: try entries(rest, verb), from: id)
    case ("move", 1...2):
      let moved = try entries(rest, verb)
      try await playlists.move(entry: moved[0], behind: moved.count > 1 ? moved[1] : nil, in: id)
    case ("offline", 1...2):
      let isAnyway = rest.count == 2 && words[2] == "on" && words[3] == OfflineRequest.anyway
      guard let word = words[2], ["on", "off"].contains(word), isAnyway || rest.count == 1 else {
        throw verb.wrong("expected on or off")
      }
      try await playlists.setOffline(id, word == "on", isAnyway: isAnyway)
    case ("queue", 0): return try await playing.addOrReplace(playlist: id, replacing: false).answer(playing.status)
    case ("play", 0): return try await playing.addOrReplace(playlist: id, replacing: true).answer(playing.status)
    default: throw verb.wrong("that is nothing to do with a playlist")
    }
    return Response.done([("playlist", await shownWithProgress(try await playlists.playlist(id)))])
  }

  private func make(_ name: String, _ verb: Verb) async throws(Fault) -> JSON {
    guard Playlists.isName(name) else { throw verb.wrong(Playlists.whatNamesAre) }
    return Response.done([("playlist", Self.shown(try await playlists.make(named: name)))])
  }

  /// `fill NAME queue`, `fill NAME LIST [ID]`: what is to be played, or what a list of the library leads to.
  private func fill(_ id: Int64, _ words: [String], _ verb: Verb) async throws(Fault) {
    if words == ["queue"] {
      try await playlists.addQueue(to: id)
    } else if let track = List.track(words) {
      try await playlists.add([try await browsing.track(track).path], to: id)
    } else {
      try await playlists.add(try List(words: words, of: verb), to: id)
    }
  }

  private func entries(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> [Int64] {
    let numbers = arguments.compactMap(\.number).map { Int64($0) }
    guard numbers.count == arguments.count else { throw verb.wrong("expected numbers of entries, as show tells them") }
    return numbers
  }

  private static func paths(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> [FilePath] {
    let paths = arguments.compactMap(\.path)
    let areGood = paths.allSatisfy { path in
      (path.ofFile.isAbsolute || ItemKey(address: path) != nil) && path.bytes.count <= FilePath.limit
    }
    guard paths.count == arguments.count, areGood else {
      throw verb.wrong("expected paths, from / on, or what a source has, as source:NAME/...")
    }
    return paths
  }

  // MARK: Answers

  private static func shown(_ playlist: Playlist) -> JSON { .object(JSON.Object(members(of: playlist))) }

  private static func members(of playlist: Playlist) -> [(String, JSON)] {
    [
      ("id", JSON(playlist.id)), ("name", JSON(playlist.name)), ("count", JSON(playlist.count)),
      ("duration_s", JSON(playlist.duration.inSeconds)), ("offline", JSON(playlist.isOffline)),
      ("changed", JSON(playlist.changedAt)),
    ]
  }

  /// With how far it is, where it is kept and sources have something of it.
  private func shownWithProgress(_ playlist: Playlist) async -> JSON {
    var members = Self.members(of: playlist)
    if let kept = await playlists.progress(of: playlist) {
      members.append(
        ("kept", ["items": JSON(kept.items), "whole": JSON(kept.whole), "failed": JSON(kept.failed)]))
    }
    return .object(JSON.Object(members))
  }

  /// A page, with where each entry lies now.
  private func show(_ playlist: Playlist, after place: Int64?) async throws(Fault) -> JSON {
    let (lines, next) = try await playlists.lines(of: playlist.id, after: place, count: Playlists.largestPage)
    let shown = lines.map { line -> JSON in
      .object(
        JSON.Object(
          [("entry", JSON(line.entry.id)), ("path", JSON(path: line.path))]
            + (line.track ?? Track(named: line.path.ofFile)).names + [
              ("duration_s", JSON(line.entry.duration.inSeconds)), ("added", JSON(line.entry.addedAt)),
              ("present", JSON(line.present != nil)),
            ]))
    }
    var members = [("playlist", await shownWithProgress(playlist)), ("entries", JSON.list(shown))]
    if let next { members.append(("next", JSON("\(next)"))) }
    return Response.done(members)
  }
}

extension Playing.Added {
  func answer(_ status: PlayerStatus) -> JSON {
    var members = [("added", JSON(count)), ("status", status.json)]
    if let unsaved {
      members += [("saved", false), ("code", JSON(unsaved.code)), ("message", JSON(unsaved.message))]
    }
    return Response.done(members)
  }
}

extension Track {
  /// What a list says of it beside its path.
  var names: [(String, JSON)] { [("title", JSON(title))] + (artist.isEmpty ? [] : [("artist", JSON(artist))]) }
}
