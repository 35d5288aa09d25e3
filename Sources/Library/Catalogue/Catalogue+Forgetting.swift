import Glibc
import Runtime
import Store

/// What is gone is forgotten in slices: whoever asks for a page meanwhile waits for one of them at most. Broken off, it
/// goes on where it was.
extension Catalogue {
  /// What there was of it.
  package struct Forgotten: Equatable, Sendable {
    package var files = 0
    package var folders = 0
    package var playlists = 0
  }

  /// Files in one transaction; their words are taken out of the index too.
  private static let forgottenAtOnce = 100

  /// Forgets what a folder holds no more, files, playlists and folders with all that is in them. Only for a folder
  /// that was read to its end: what an I/O error hid is not gone.
  package func keepOnly(_ names: Set<[UInt8]>, in folder: Int64) async throws(Fault) {
    var forgotten = Forgotten()
    let gone = try known(in: folder).filter { !names.contains($0.key) }.map(\.value)
    let inner = try folders(in: folder).filter { !names.contains($0.key) }.map(\.value)
    try await forget(gone, &forgotten)
    for folder in inner.sorted() { try await forget(folder: folder, &forgotten) }
  }

  /// Forgets files that were deleted, by their paths without endings. One that is there all the same stays. Nothing is
  /// listed.
  package func forget(deleted stems: [FilePath]) async throws(Fault) {
    var forgotten = Forgotten()
    var gone: [Known] = []
    for stem in stems {
      guard let folder = try folder(at: stem.folder) else { continue }
      for (name, known) in try known(in: folder) where name.withoutFileEnding.elementsEqual(stem.name.bytes) {
        let path = Importer.path(stem.folder, name)
        if path.withCString({ access($0, F_OK) }) != 0, errno == ENOENT { gone.append(known) }
      }
    }
    try await forget(gone, &forgotten)
  }

  /// A source that somebody no longer wants. What was played from it keeps its counts.
  package func forget(source: Int64) async throws(Fault) -> Forgotten {
    var forgotten = Forgotten()
    let roots = try opened().rows("SELECT id FROM folder WHERE source = ? AND parent = 0", [.integer(source)]) {
      $0.integer(0) ?? 0
    }
    for root in roots { try await forget(folder: root, &forgotten) }
    try opened().run("DELETE FROM source WHERE id = ?", [.integer(source)])
    return forgotten
  }

  /// A folder and all below it, deepest first.
  private func forget(folder: Int64, _ forgotten: inout Forgotten) async throws(Fault) {
    var tree = [folder]
    var next = 0
    while next < tree.count {
      tree += try folders(in: tree[next]).values.sorted()
      next += 1
      if next % Self.forgottenAtOnce == 0 { await loop.nextRound() }
    }
    for id in tree.reversed() {
      try await forget(Array(try known(in: id).values), &forgotten)
      try write { writer throws(Fault) in
        try writer.connection.run("DELETE FROM folder WHERE id = ?", [.integer(id)])
        writer.forgetFolder(id)
      }
      forgotten.folders += 1
      if forgotten.folders % Self.forgottenAtOnce == 0 { await loop.nextRound() }
    }
  }

  private func forget(_ known: [Known], _ forgotten: inout Forgotten) async throws(Fault) {
    var rest = known.filter { $0.kind == .file }.map(\.id).sorted()[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.forgottenAtOnce)
      rest = rest.dropFirst(Self.forgottenAtOnce)
      try write { writer throws(Fault) in for id in batch { try writer.remove(id) } }
      forgotten.files += batch.count
      await loop.nextRound()
    }
    for playlist in known where playlist.kind == .playlist {
      try forget(playlist: playlist.id)
      forgotten.playlists += 1
      await loop.nextRound()
    }
  }
}
