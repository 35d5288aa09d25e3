import Runtime

/// Playlists that lie beside the music, when all of it is known: they name files that may come later in the walk.
extension Importer {
  /// Of one playlist's file.
  private static let longest = 8 << 20
  /// Of its entries, asked for in one go.
  private static let slice = 100

  func importPlaylists(_ run: inout ImportRun) async throws(Fault) {
    var folders = FolderNames(root: run.root)
    for playlist in run.playlists where !playlist.isUnchanged || run.hasChanged {
      try run.checkStop()
      var found = FoundPlaylist(playlist.facts, title: Self.title(playlist), entries: [])
      do throws(Fault) {
        let path = Self.path(playlist.path, playlist.facts.name)
        let bytes = try AtomicFile.read(path, limit: Self.longest)
        let list = PlaylistFile.entries(of: bytes, kind: playlist.kind)
        found.title = list.title ?? found.title
        found.entries = try await entries(of: list, beside: playlist.names, &folders, run)
      } catch {
        try run.checkStop()
        try run.stillThere()
        found.problem = error.message
        found.facts.size = -1
      }
      _ = try await catalogue.store(found)
      run.progress.playlists += 1
    }
  }

  private func entries(
    of list: PlaylistFile, beside names: [[UInt8]], _ folders: inout FolderNames, _ run: ImportRun
  ) async throws(Fault) -> [FoundPlaylist.Entry] {
    let beside = names.compactMap { FilePath(bytes: $0) }
    var paths: [FilePath?] = []
    for entry in list.entries.prefix(Catalogue.mostEntries) {
      try run.checkStop()
      paths.append(
        PlaylistPath.resolve(
          entry.path, text: entry.pathText, beside: beside, root: folders.root, names: { folders.names(in: $0) }))
    }
    var files: [Int64?] = []
    // In slices: whoever asks for a page meanwhile waits for one of them.
    while files.count < paths.count {
      files += try await catalogue.files(at: Array(paths[files.count...].prefix(Self.slice)))
      try run.checkStop()
    }
    return zip(list.entries, files).map { entry, file in
      let title = [entry.artist, entry.title].compactMap { $0 }.joined(separator: " - ")
      return FoundPlaylist.Entry(
        file: file, written: entry.path, title: title.isEmpty ? nil : title,
        begins: entry.cue.map { .milliseconds($0.start * 1_000 / PlaylistFile.CueTimes.perSecond) })
    }
  }

  /// By its name, without the ending.
  private static func title(_ playlist: ImportRun.Playlist) -> String {
    let name = playlist.facts.name
    let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return FilePath(bytes: name[..<end])?.description ?? "?"
  }
}

/// What lies in the folders that playlists lead to, each looked at once.
private struct FolderNames {
  let root: FilePath
  private var seen: [[FilePath]: PlaylistPath.Names?] = [:]
  /// In memory at once.
  private static let most = 200

  init(root: FilePath) { self.root = root }

  mutating func names(in folder: [FilePath]) -> PlaylistPath.Names? {
    if let known = seen[folder] { return known }
    if seen.count >= Self.most { seen.removeAll() }
    var path = root
    for name in folder { path = Importer.path(path, name.bytes) }
    let listing = try? Listing(of: path, followingLink: folder.isEmpty)
    let names = listing.map {
      PlaylistPath.Names(($0.folders + $0.files.map(\.name)).compactMap { FilePath(bytes: $0) })
    }
    seen[folder] = .some(names)
    return names
  }
}
