import Runtime
import Store

extension Catalogue {
  /// What one transaction takes: it is there or not, and a reader waits no longer than for these.
  package static let largestBatch = 500

  /// All of them or none. Their ids are in the order of the batch. The same files in the same batches make the same
  /// catalogue, broken off or not.
  @discardableResult
  package func store(_ batch: [Found], today: Int64) throws(Fault) -> [Int64] {
    guard batch.count <= Self.largestBatch else {
      throw Fault(.malformed, "L-303", "\(batch.count) files in one batch; \(Self.largestBatch) is the limit")
    }
    return try write { writer throws(Fault) in
      var ids: [Int64] = []
      for found in batch { ids.append(try writer.store(found, today: today)) }
      return ids
    }
  }

  /// Forgets what a folder holds no more, files, playlists and folders with all that is in them. Only for a folder
  /// that was read to its end: what an I/O error hid is not gone.
  package func keepOnly(_ names: Set<[UInt8]>, in folder: Int64) throws(Fault) {
    let gone = try known(in: folder).filter { !names.contains($0.key) }
    try forget(gone.values.filter { $0.kind == .file }.map(\.id))
    for playlist in gone.values where playlist.kind == .playlist { try forget(playlist: playlist.id) }
    for (name, inner) in try folders(in: folder) where !names.contains(name) { try forget(folder: inner) }
  }

  /// A folder and all below it. Deepest first, in batches: broken off, it goes on where it was.
  package func forget(folder: Int64) throws(Fault) {
    var tree = [folder]
    var next = 0
    while next < tree.count {
      tree += try folders(in: tree[next]).values.sorted()
      next += 1
    }
    for id in tree.reversed() {
      let all = try known(in: id).values
      try forget(all.filter { $0.kind == .file }.map(\.id))
      for playlist in all where playlist.kind == .playlist { try forget(playlist: playlist.id) }
      try write { writer throws(Fault) in
        try writer.connection.run("DELETE FROM folder WHERE id = ?", [.integer(id)])
        writer.forgetFolder(id)
      }
    }
  }

  /// A source that somebody no longer wants. What was played from it keeps its counts.
  package func forget(source: Int64) throws(Fault) {
    let roots = try opened().rows("SELECT id FROM folder WHERE source = ? AND parent = 0", [.integer(source)]) {
      $0.integer(0) ?? 0
    }
    for root in roots { try forget(folder: root) }
    try opened().run("DELETE FROM source WHERE id = ?", [.integer(source)])
  }

  private func forget(_ files: [Int64]) throws(Fault) {
    var rest = files.sorted()[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.largestBatch)
      rest = rest.dropFirst(Self.largestBatch)
      try write { writer throws(Fault) in for id in batch { try writer.remove(id) } }
    }
  }
}
