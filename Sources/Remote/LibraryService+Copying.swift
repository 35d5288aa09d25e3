import Library
import Runtime

/// `copy`: music to the device.
extension LibraryService {
  /// `copy [plan] PATH...|album ID|playlist ID ...` begins, and does not wait for the end; `copy` alone tells how
  /// far it is.
  func copy(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    var words = arguments[...]
    if words.count == 1, words.first?.string == "stop" {
      await copies.stop()
      return copyState
    }
    let isPlan = words.first?.string == "plan"
    if isPlan { words = words.dropFirst() }
    if isPlan && words.isEmpty { throw verb.wrong("nothing was named") }
    if let (list, id) = Self.listed(words) {
      for wish in try await wishes(list, id) { try await copies.add(wish, isPlan: isPlan) }
      return copyState
    }
    let paths = words.compactMap(\.path)
    guard paths.count == words.count, paths.allSatisfy(\.isAbsolute) else {
      throw verb.wrong("expected folders or files, from / on, or an album, an artist, a playlist ... by its ID")
    }
    if !paths.isEmpty { try await copies.add(paths, isPlan: isPlan) }
    return copyState
  }

  /// With what search and browse show, by its number.
  private static let kinds = ["album", "artist", "folder", "genre", "playlist", "track"]

  private static func listed(_ words: ArraySlice<JSON>) -> (String, Int64)? {
    guard words.count == 2, let name = words.first?.string, Self.kinds.contains(name),
      let id = words.last.flatMap({ $0.whole ?? $0.string.flatMap { Int64($0) } })
    else { return nil }
    return (name, id)
  }

  // MARK: How far it is

  private var copyState: JSON {
    let away = copies.away.map { wish -> JSON in
      ["label": JSON(wish.from.label), "from": JSON(path: wish.from.root)]
    }
    var members: [(String, JSON)] = [
      ("running", JSON(copies.isRunning || copies.waiting > 0)), ("waiting", JSON(copies.waiting)),
    ]
    if let progress = copies.progress { members.append(("copy", shown(progress))) }
    if let failures = copies.progress?.failures, !failures.isEmpty {
      let told = failures.map { failure -> JSON in
        [
          "path": JSON(path: failure.path), "code": JSON(failure.fault.code), "message": JSON(failure.fault.message),
        ]
      }
      members.append(("failures", .list(told)))
    }
    if !away.isEmpty { members.append(("away", .list(away))) }
    if let fault = copies.lastFault {
      members.append(
        (
          "fault",
          ["code": JSON(fault.code), "kind": JSON(fault.kind.rawValue), "message": JSON(fault.message)]
        ))
    }
    return Answer.done(members)
  }

  private func shown(_ progress: CopyProgress) -> JSON {
    let now = Deck.loop.now
    var members: [(String, JSON)] = [
      ("from", JSON(path: progress.from)), ("to", JSON(path: progress.to)), ("phase", JSON(progress.phase.rawValue)),
      ("files", JSON(progress.files)), ("of", JSON(progress.of)), ("bytes", JSON(progress.bytes)),
      ("of_bytes", JSON(progress.ofBytes)), ("there", JSON(progress.there)), ("failed", JSON(progress.failed)),
      ("left_out", JSON(progress.leftOut)), ("needed", JSON(progress.needed)),
      ("free", JSON(progress.space.free)), ("reserve", JSON(progress.space.reserve)), ("fits", JSON(progress.fits)),
    ]
    if let speed = progress.speed(at: now) { members.append(("bytes_s", JSON(Int64(speed)))) }
    if let left = progress.left(at: now, before: copies.lastSpeed) {
      members.append(("left_s", JSON(left.components.seconds)))
    }
    if let path = progress.now { members.append(("now", JSON(path: path))) }
    return .object(JSON.Object(members))
  }

  // MARK: What an album or a playlist is made of

  /// What of it lies on sources that are here, source by source; what is on the device already is not copied to it.
  private func wishes(_ list: String, _ id: Int64) async throws(Fault) -> [CopyWish] {
    var places: [Catalogue.FilePlace] = []
    switch list {
    case "album": places = try await self.places(.tracksOf(album: id))
    case "playlist":
      places = try await self.places(.playlist(id))
      if let own = try await catalogue.place(ofPlaylist: id) { places.append(own) }
    case "track": places = try await catalogue.places(of: [id]).compactMap { $0 }
    default:
      guard let all = List(words: [list, "\(id)"]) else { break }
      var gathering = Gathering(catalogue, most: CopyWish.mostNamed)
      var rest = try await gathering.tracks(of: all)[...]
      while !rest.isEmpty {
        places += try await catalogue.places(of: rest.prefix(Catalogue.slice).map(\.id)).compactMap { $0 }
        rest = rest.dropFirst(Catalogue.slice)
      }
    }
    guard !places.isEmpty else { throw Fault(.missing, "X-182", "the library knows no \(list) \(id)") }
    let sources = try await catalogue.sources()
    var (onDevice, away) = (0, 0)
    var named: [Int64: [[[UInt8]]: [[UInt8]]]] = [:]
    for place in places {
      guard let source = sources.first(where: { $0.id == place.source }) else { continue }
      // Also where the folder of copies lies in one that was imported.
      if CopyWish.names(of: CopyWish.path(of: place.folder, below: source.root), below: copies.music) != nil {
        onDevice += 1
      } else if source.isPresent {
        named[source.id, default: [:]][place.folder, default: []].append(place.name)
      } else {
        away += 1
      }
    }
    guard !named.isEmpty else {
      throw Fault(
        .missing, "X-183",
        "nothing of \(list) \(id) can be copied: \(onDevice) of its files are on the device, \(away) on sources that are"
          + " not here")
    }
    return sources.compactMap { source in
      named[source.id].map { folders in
        CopyWish(
          from: .init(kind: source.kind, key: source.key, label: source.label, root: source.root),
          // In one order, so that asking again is asking for the same.
          picks: folders.map { CopyWish.Pick(folder: $0.key, only: Self.sorted(Set($0.value))) }
            .sorted { $0.folder.joined(separator: [0]).lexicographicallyPrecedes($1.folder.joined(separator: [0])) })
      }
    }
  }

  private static func sorted(_ names: Set<[UInt8]>) -> [[UInt8]] { names.sorted { $0.lexicographicallyPrecedes($1) } }

  private func places(_ list: List) async throws(Fault) -> [Catalogue.FilePlace] {
    var places: [Catalogue.FilePlace] = []
    var key: PageKey?
    repeat {
      let page = try await catalogue.page(of: list, after: key, count: Catalogue.largestPage)
      let files = page.rows.filter { $0.kind == .track || $0.kind == .unreadable }.map(\.id)
      places += try await catalogue.places(of: files).compactMap { $0 }
      guard places.count <= CopyWish.mostNamed else {
        throw Fault(.full, "X-184", "it has more than \(CopyWish.mostNamed) files; copy their folder instead")
      }
      key = page.next
    } while key != nil
    return places
  }
}
