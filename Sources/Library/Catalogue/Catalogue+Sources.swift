import Runtime
import Store

/// Sources and their folders. A source that is away keeps its rows: only what an import finds gone is forgotten.
extension Catalogue {
  /// Finds or adds a source, and it is present from now on. One that is new survives a power cut, other than what is
  /// read from it later: whoever asked for it would have to ask again.
  package func source(
    _ kind: Source.Kind, key: [UInt8], label: String, root: FilePath, today: Int64
  ) throws(Fault) -> Int64 {
    let known = try opened().first(
      "SELECT id FROM source WHERE kind = ? AND key = ?", [.integer(kind.rawValue), .blob(key)]
    ) { $0.integer(0) }
    if known != nil { return try keep(kind, key, label, root, today) }
    return try opened().durably { () throws(Fault) in try keep(kind, key, label, root, today) }
  }

  private func keep(
    _ kind: Source.Kind, _ key: [UInt8], _ label: String, _ root: FilePath, _ today: Int64
  ) throws(Fault) -> Int64 {
    try write { writer throws(Fault) in
      try writer.insert(
        """
        INSERT INTO source (kind, key, label, root, is_present, added_at, seen_at) VALUES (?, ?, ?, ?, 1, ?, ?)
        ON CONFLICT (kind, key) DO UPDATE SET label = excluded.label, root = excluded.root, is_present = 1,
          seen_at = excluded.seen_at
        RETURNING id
        """,
        [
          .integer(kind.rawValue), .blob(key), .text(Words.bounded(label)), SQLValue(root), .integer(today),
          .integer(today),
        ])
    }
  }

  package func setPresent(_ source: Int64, _ isPresent: Bool) throws(Fault) {
    try opened().run("UPDATE source SET is_present = ? WHERE id = ?", [.integer(isPresent ? 1 : 0), .integer(source)])
  }

  package func sources() throws(Fault) -> [Source] {
    try opened().rows("SELECT id, kind, key, label, root, is_present FROM source ORDER BY id") { row in
      Source(
        id: row.integer(0) ?? 0, kind: Source.Kind(rawValue: row.integer(1) ?? 1) ?? .folder, key: row.bytes(2) ?? [],
        label: row.text(3) ?? "", root: row.path(4) ?? FilePath("/"), isPresent: row.integer(5) == 1)
    }
  }

  /// A few of the files that are known of a source, by chance.
  package func someFiles(of source: Source) throws(Fault) -> [StickRecognition.KnownFile] {
    let chosen = try opened().rows(
      """
      SELECT file.id, size FROM file JOIN folder ON folder.id = folder WHERE source = ? AND size >= 0
      ORDER BY random() LIMIT \(StickRecognition.most)
      """, [.integer(source.id)]
    ) { row in (id: row.integer(0) ?? 0, size: row.integer(1) ?? 0) }
    var files: [StickRecognition.KnownFile] = []
    for file in chosen {
      guard let path = try path(of: file.id), path.bytes.starts(with: source.root.bytes) else { continue }
      let below = path.bytes.dropFirst(source.root.bytes.count).drop { $0 == UInt8(ascii: "/") }
      files.append(StickRecognition.KnownFile(path: Array(below), size: file.size))
    }
    return files
  }

  /// Finds or adds a folder. `parent` is nil, and the name empty, for the root of a source.
  package func folder(_ name: [UInt8], in parent: Int64?, of source: Int64) throws(Fault) -> Int64 {
    try write { writer throws(Fault) in try writer.enter(name, in: parent, of: source).id }
  }

  /// Names of the folders in a folder.
  package func folders(in parent: Int64) throws(Fault) -> [[UInt8]: Int64] {
    var found: [[UInt8]: Int64] = [:]
    let rows = try opened().prepare("SELECT name, id FROM folder WHERE parent = ?")
    try rows.bind([.integer(parent)])
    while try rows.step() { if let name = rows.bytes(0), let id = rows.integer(1) { found[name] = id } }
    return found
  }

  /// What is known of the files in a folder, to be compared with what the disk says.
  package func known(in folder: Int64) throws(Fault) -> [[UInt8]: Known] {
    var found: [[UInt8]: Known] = [:]
    try eachKnown(in: folder) { name, known in found[name] = known }
    return found
  }

  func eachKnown(in folder: Int64, _ give: ([UInt8], Known) -> Void) throws(Fault) {
    for kind in [Known.Kind.file, .playlist] {
      let table = kind == .file ? "file" : "imported_playlist"
      let rows = try opened().prepare("SELECT name, id, size, modified_ns FROM \(table) WHERE folder = ? ORDER BY name")
      try rows.bind([.integer(folder)])
      while try rows.step() {
        guard let name = rows.bytes(0), let id = rows.integer(1) else { continue }
        give(name, Known(id: id, kind: kind, size: rows.integer(2) ?? -1, modified: rows.integer(3) ?? 0))
      }
    }
  }

  // MARK: Encodings that somebody chose

  /// Of a folder, or of the nearest above it that has one, or of its source.
  package func encoding(of folder: Int64) throws(Fault) -> TextEncoding? {
    let connection = try opened()
    var (folder, source): (Int64, Int64?) = (folder, nil)
    // A tree is no deeper than a path is long; a loop in damaged rows ends too.
    for _ in 0..<FilePath.limit where folder != 0 {
      let found = try connection.first("SELECT parent, source, encoding FROM folder WHERE id = ?", [.integer(folder)]) {
        (parent: $0.integer(0) ?? 0, source: $0.integer(1), encoding: $0.text(2))
      }
      guard let found else { break }
      if let chosen = found.encoding.flatMap({ TextEncoding(rawValue: $0) }) { return chosen }
      (folder, source) = (found.parent, found.source)
    }
    guard let source else { return nil }
    return try connection.first("SELECT encoding FROM source WHERE id = ?", [.integer(source)]) { $0.text(0) }
      .flatMap { TextEncoding(rawValue: $0) }
  }

  /// What undeclared texts in a folder, and below it, are written in; nil lets them be guessed again. The files whose
  /// texts were guessed are read again by the next import.
  package func setEncoding(_ encoding: TextEncoding?, of folder: Int64) throws(Fault) {
    try write { writer throws(Fault) in
      let value = SQLValue(encoding?.rawValue)
      try writer.connection.run("UPDATE folder SET encoding = ? WHERE id = ?", [value, .integer(folder)])
      try writer.connection.run(
        """
        WITH RECURSIVE inner(id) AS (VALUES (?) UNION SELECT folder.id FROM folder JOIN inner ON parent = inner.id)
        UPDATE file SET size = -1 WHERE folder IN inner AND encoding IS NOT NULL
        """, [.integer(folder)])
    }
  }

  package func setEncoding(_ encoding: TextEncoding?, ofSource source: Int64) throws(Fault) {
    try write { writer throws(Fault) in
      let value = SQLValue(encoding?.rawValue)
      try writer.connection.run("UPDATE source SET encoding = ? WHERE id = ?", [value, .integer(source)])
      try writer.connection.run(
        """
        UPDATE file SET size = -1 WHERE folder IN (SELECT id FROM folder WHERE source = ?) AND encoding IS NOT NULL
        """, [.integer(source)])
    }
  }
}
