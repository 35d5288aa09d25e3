import Offline
import Runtime
import Services

/// What somebody means who names something.
extension Keeping {
  /// Something that can be wanted; by its id, or by its name where only one is called so.
  package struct Target: Equatable, Sendable {
    package var kind: ContainerID.Kind
    package var name: String
    /// Nil: whichever source has it.
    package var source: String?

    package init(kind: ContainerID.Kind, name: String, source: String? = nil) {
      (self.kind, self.name, self.source) = (kind, name, source)
    }
  }

  /// What sources have, and why nothing is known of the others.
  package struct SourceContents: Sendable {
    package var containers: [(source: String, container: MediaContainer)] = []
    package var unknown: [(source: String, fault: Fault)] = []
  }

  /// What sources have of a kind, with all of these words in its name; of one source where it is named.
  package func browse(
    _ kind: ContainerID.Kind, of source: String?, _ words: [String], count: Int
  ) async throws(Fault) -> SourceContents {
    var contents = try await self.contents(kind, of: source)
    contents.containers = Array(contents.containers.lazy.filter { $0.container.has(words) }.prefix(count))
    return contents
  }

  /// A source that cannot be asked hides what the others have only if it is named, or if none can.
  private func contents(_ kind: ContainerID.Kind, of name: String?) async throws(Fault) -> SourceContents {
    var contents = SourceContents()
    let chosen = try chosen(name)
    for source in chosen {
      do throws(Fault) {
        contents.containers += try await containers(kind, of: source).map { (source.id, $0) }
      } catch { contents.unknown.append((source.id, error)) }
    }
    if let first = contents.unknown.first, contents.unknown.count == chosen.count { throw first.fault }
    return contents
  }

  /// Finds it among what the sources have.
  package func known(_ target: Target) async throws(Fault) -> ContainerKey {
    let contents = try await self.contents(target.kind, of: target.source)
    var found: [(key: ContainerKey, shown: String)] = []
    for (source, container) in contents.containers {
      let key = ContainerKey(container.id, of: source)
      let names = target.names(in: source)
      if names.contains(container.id.id) { return key }
      if names.contains(key.shownName) || names.contains(where: container.isCalled) {
        found.append((key, key.shownName))
      }
    }
    if found.isEmpty, let unknown = contents.unknown.first { throw unknown.fault }
    return try only(found, target, "layby offline browse \(target.kind.rawValue)")
  }

  /// Finds it among what is wanted already; its source need not be there for that.
  package func wanted(_ target: Target) async throws(Fault) -> ContainerKey {
    let lines = try await self.lines()
    var found: [(key: ContainerKey, shown: String)] = []
    for key in lines.map(\.container) where key.isMeant(by: target.kind) {
      if let source = target.source, source != key.source { continue }
      let names = target.names(in: key.source)
      if names.contains(key.id) { return key }
      let name = key.shownName.lowercased()
      let isCalled = names.contains { name == $0.lowercased() || name.hasSuffix("/" + $0.lowercased()) }
      if isCalled { found.append((key, key.shownName)) }
    }
    return try only(found, target, "layby offline list")
  }

  /// Nil stays nil: everything is meant.
  package func wanted(_ target: Target?) async throws(Fault) -> ContainerKey? {
    guard let target else { return nil }
    let key: ContainerKey = try await wanted(target)
    return key
  }

  package func item(_ target: Target) async throws(Fault) -> ItemKey {
    let key = try await known(target)
    return ItemKey(source: key.source, item: key.id)
  }

  /// The track that a person named by id or title; an id counts before a title. What is wanted or stored is found even
  /// when its source cannot be reached.
  package func anyItem(_ target: Target) async throws(Fault) -> ItemKey {
    let sources = try chosen(target.source)
    let named = sources.flatMap { source in
      target.names(in: source.id).map { ItemKey(source: source.id, item: $0) }
    }
    if let known = try await ask({ part async throws(Fault) in await part.known(named) }) { return known }
    let titled = try await ask { part async throws(Fault) in await part.items(called: target.name) }
    let found = titled.filter { item in sources.contains { $0.id == item.source } }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let keys = found.map { (ContainerKey(source: $0.source, kind: .track, id: $0.item), $0.item) }
      let key = try only(keys, target, "layby offline state")
      return ItemKey(source: key.source, item: key.id)
    }
    return try await item(target)
  }

  /// Finds the smart download that has this id or this title.
  package func smartDownload(_ name: String) async throws(Fault) -> ItemKey {
    let lines = try await smartDownloads()
    let wanted = name.lowercased()
    var found: [(key: ContainerKey, shown: String)] = []
    for line in lines {
      let target = Target(kind: .track, name: name)
      if target.names(in: line.item.source).contains(line.item.item) { return line.item }
      guard line.title?.lowercased() == wanted else { continue }
      found.append((ContainerKey(source: line.item.source, kind: .track, id: line.item.item), line.item.item))
    }
    let target = Target(kind: .track, name: name)
    let key = try only(found, target, "layby offline smart")
    return ItemKey(source: key.source, item: key.id)
  }

  /// An address of the web means what a source has there: nothing else of the web is played.
  package func item(at address: WebAddress) throws(Fault) -> ItemKey {
    // Until then nobody knows whose it is.
    if case .opening = availability { _ = try opened }
    for source in sources {
      if let item = source.item(at: address) { return ItemKey(source: source.id, item: item) }
    }
    throw Fault(
      .missing, "X-138",
      "\(shownPlain(withoutSecrets(address.text))) is an address of the web, and is in no folder that a source has: a"
        + " section [source NAME] of layby.conf names such a folder; other addresses are not played")
  }

  /// What a source's address names is in the queue only if there is such a source. Until that is known, any may be.
  package func expectSource(of key: ItemKey) throws(Fault) {
    switch availability {
    case .opening, .broken: return
    case .withoutSources: _ = try opened
    case .open: _ = try chosen(key.source)
    }
  }

  func chosen(_ name: String?) throws(Fault) -> [any MediaSource] {
    guard let name else { return sources }
    let found = sources.filter { $0.id == name }
    guard found.isEmpty else { return found }
    let all = sources.map(\.id).joined(separator: ", ")
    throw Fault(.missing, "X-192", "there is no source \"\(shownBriefly(name))\"; there is \(all)")
  }

  private func only(
    _ found: [(key: ContainerKey, shown: String)], _ target: Target, _ way: String
  ) throws(Fault) -> ContainerKey {
    if found.count == 1 { return found[0].key }
    let name = "\(target.kind.rawValue) \"\(shownBriefly(target.name))\""
    guard let first = found.first else {
      throw Fault(.missing, "X-193", "there is no \(name); \(way) shows those that there are")
    }
    let others = found.prefix(5).map { "\($0.key.source): \(shownPlain($0.shown))" }.joined(separator: ", ")
    throw Fault(
      .malformed, "X-194", "\(found.count) are called \(name): \(others); name one by its id, as \(first.shown)")
  }
}

extension Keeping.Target {
  /// What it may be called in a source: as it is written, and without the source in front, as answers show it
  /// (`kiosk:far/1.mp3`) and as it stands in the queue (`source:kiosk/far/1.mp3`).
  func names(in source: String) -> [String] {
    ["", "\(source):", "\(source): ", "source:\(source)/"].filter { name.hasPrefix($0) }.map {
      String(name.dropFirst($0.count))
    }
  }
}

extension ContainerKey {
  package init(_ id: ContainerID, of source: String) {
    let kind: Kind =
      switch id.kind {
      case .track: .track
      case .album: .album
      case .artist: .artist
      case .playlist: .playlist
      }
    self.init(source: source, kind: kind, id: id.id)
  }

  /// A playlist that is wanted may be a source's or this device's.
  func isMeant(by kind: ContainerID.Kind) -> Bool {
    self.kind.rawValue == kind.rawValue || self.kind == .devicePlaylist && kind == .playlist
  }

  /// As a list names it: an album without its artist, a track without its folders.
  package var title: String {
    switch kind {
    case .album: shownPlain(FolderPath.decode(String(id.split(separator: "/").last ?? "")))
    case .track, .episode: shownPlain(String(id.split(separator: "/").last ?? ""))
    case .artist, .playlist, .devicePlaylist, .podcast, .predicted, .cache: shownName
    }
  }

  /// An album's id is its artist and its name, encoded; a track's is its path, which is not.
  package var shownName: String { kind == .album ? shownPlain(FolderPath.decode(id)) : shownPlain(id) }
}

extension MediaContainer {
  /// By its title, or with who made it before it.
  func isCalled(_ name: String) -> Bool {
    let wanted = name.lowercased()
    if title.lowercased() == wanted { return true }
    return artist.map { "\($0)/\(title)".lowercased() == wanted } ?? false
  }

  /// All of them, anywhere.
  func has(_ words: [String]) -> Bool {
    let text = Array("\(artist ?? "") \(title)".lowercased().utf8)
    return words.allSatisfy { Self.has(text, Array($0.lowercased().utf8)) }
  }

  private static func has(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard word.count <= text.count else { return false }
    return (0...text.count - word.count).contains { text[$0...].starts(with: word) }
  }
}
