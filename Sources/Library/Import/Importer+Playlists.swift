import Runtime

/// Playlists that lie beside the music, when all of it is known: they name files that may come later in the walk.
///
/// What cannot be looked at is not gone: where a folder does not answer, an entry keeps what it led to, and the list is
/// looked up again next time.
extension Importer {
  /// Entries that are asked for in one go.
  private static let slice = 100

  func importPlaylists(_ run: inout ImportRun) async throws(Fault) {
    var folders = FolderNames(root: run.root, disk: disk, limits: limits)
    for playlist in run.playlists where !playlist.isUnchanged || run.hasChanged {
      try run.checkStop()
      let found = try await lookUp(playlist, &folders, run)
      // What was not found may have gone in this moment, with all the rest.
      try run.stillThere()
      try checkRoom()
      _ = try await catalogue.store(found)
      run.entries += found.entries.count
      run.progress.playlists += 1
    }
  }

  private func lookUp(
    _ playlist: ImportRun.Playlist, _ folders: inout FolderNames, _ run: ImportRun
  ) async throws(Fault) -> FoundPlaylist {
    var found = FoundPlaylist(playlist.facts, title: Self.title(playlist), entries: [])
    let list: PlaylistFile
    do throws(Fault) {
      let bytes = try disk.read(Self.path(playlist.path, playlist.facts.name), limit: limits.playlistBytes)
      list = PlaylistFile.entries(of: bytes, kind: playlist.kind)
    } catch {
      try run.checkStop()
      found.problem = error.message
      found.facts.size = -1
      // It is too long, and does not say any more what it was.
      if error.kind == .malformed { return found }
      found.entries = try await catalogue.entries(ofPlaylist: playlist.facts.name, in: playlist.facts.folder)
      return found
    }
    found.title = list.title ?? found.title
    let count = fitting(list, run)
    var lost = Lost()
    let paths = try await paths(of: list, count, from: playlist, &folders, &lost, run)
    var files = try await self.files(at: paths, run)
    if !lost.unseen.isEmpty {
      found.facts.size = -1
      let before = try await catalogue.entries(ofPlaylist: playlist.facts.name, in: playlist.facts.folder)
      let known = Dictionary(before.map { ($0.written, $0.file) }, uniquingKeysWith: { $0 ?? $1 })
      for index in lost.unseen { files[index] = (known[list.entries[index].written] ?? nil) ?? files[index] }
    }
    found.problem = lost.problem(taken: count, of: list.entries.count)
    for (entry, file) in zip(list.entries, files) { found.entries.append(Self.entry(entry, file)) }
    return found
  }

  /// Entries whose files nobody knows, and why.
  private struct Lost {
    /// A folder did not answer.
    var unseen: [Int] = []
    /// They lead through more than is looked at.
    var given = 0

    func problem(taken: Int, of all: Int) -> String? {
      var words: [String] = []
      if !unseen.isEmpty { words.append("a folder that \(unseen.count) of its entries lead to could not be looked at") }
      if given > 0 { words.append("\(given) of its entries lead through too many folders to be looked up") }
      if taken < all { words.append("only \(taken) of its \(all) entries are taken") }
      return words.isEmpty ? nil : words.joined(separator: "; ")
    }
  }

  /// How many of its entries there is room for.
  private func fitting(_ list: PlaylistFile, _ run: ImportRun) -> Int {
    var bytes = limits.playlistBytes
    let most = max(0, min(Catalogue.mostEntries, limits.entries - run.entries))
    for (index, entry) in list.entries.prefix(most).enumerated() {
      bytes -= min(entry.path.count, FilePath.limit) + (entry.title?.utf8.count ?? 0)
      if bytes < 0 { return index }
    }
    return min(most, list.entries.count)
  }

  private func paths(
    of list: PlaylistFile, _ count: Int, from playlist: ImportRun.Playlist, _ folders: inout FolderNames,
    _ lost: inout Lost, _ run: ImportRun
  ) async throws(Fault) -> [FilePath?] {
    let beside = playlist.names.compactMap { FilePath(bytes: $0) }
    var paths: [FilePath?] = []
    folders.beginList(of: count)
    for (index, entry) in list.entries.prefix(count).enumerated() {
      if index > 0, entry.path == list.entries[index - 1].path {
        // Another track of the same file.
        paths.append(paths[index - 1])
      } else {
        folders.beginEntry()
        paths.append(
          PlaylistPath.resolve(
            entry.path, text: entry.pathText, beside: beside, root: folders.root, isConverted: playlist.kind == .cue,
            names: { folders.names(in: $0) }))
      }
      if folders.hasFailed {
        // What was found may be another one of that name.
        lost.unseen.append(index)
      } else if folders.isSpent && paths[index] == nil {
        lost.given += 1
      }
      if folders.needsRest() {
        try run.checkStop()
        await loop.nextRound()
      }
    }
    return paths
  }

  private func files(at paths: [FilePath?], _ run: ImportRun) async throws(Fault) -> [Int64?] {
    var files: [Int64?] = []
    // In slices: whoever asks for a page meanwhile waits for one of them.
    while files.count < paths.count {
      files += try await catalogue.files(at: Array(paths[files.count...].prefix(Self.slice)))
      try run.checkStop()
    }
    return files
  }

  /// A cue sheet's tracks have no other name than the sheet's, so whose they are is kept apart. What else a list says
  /// of an entry is shown where its file is not known.
  private static func entry(_ entry: PlaylistFile.Entry, _ file: Int64?) -> FoundPlaylist.Entry {
    let isPart = entry.cue != nil
    let title = [isPart ? nil : entry.artist, entry.title].compactMap { $0 }.joined(separator: " - ")
    return FoundPlaylist.Entry(
      file: file, written: entry.written, title: title.isEmpty ? nil : title, artist: isPart ? entry.artist : nil,
      begins: entry.cue.map { .milliseconds($0.start * 1_000 / PlaylistFile.CueTimes.perSecond) })
  }

  /// By its name, without the ending.
  private static func title(_ playlist: ImportRun.Playlist) -> String {
    FilePath(bytes: playlist.facts.name.withoutFileEnding)?.description ?? "?"
  }
}

extension PlaylistFile.Entry {
  /// Its path, as the library keeps it.
  fileprivate var written: [UInt8] { path.count <= FilePath.limit ? path : Array(path.prefix(FilePath.limit)) }
}
