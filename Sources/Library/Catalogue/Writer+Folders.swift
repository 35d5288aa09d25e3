import Runtime
import Store

extension Writer {
  /// Finds or adds a folder, and tells what was said of its undeclared texts. `parent` is nil, and the name empty, for
  /// the root of a source.
  func enter(
    _ name: [UInt8], in parent: Int64?, of source: Int64
  ) throws(Fault) -> (id: Int64, encoding: TextEncoding?) {
    let key: [SQLValue] = [.integer(parent ?? 0), .integer(source), .blob(name)]
    let known = try connection.first(
      "SELECT id, encoding FROM folder WHERE parent = ? AND source = ? AND name = ?", key
    ) { row in row.integer(0).map { (id: $0, encoding: row.text(1)) } }
    if let known { return (known.id, known.encoding.flatMap { TextEncoding(rawValue: $0) }) }
    let text = String(decoding: name, as: UTF8.self)
    let id = try insert(
      "INSERT INTO folder (parent, source, name, sort, album_folder) VALUES (?, ?, ?, ?, 0) RETURNING id",
      key + [.blob(NaturalOrder.key(name))])
    let albums = parent.map { AlbumIdentity.isDiscFolder(text) ? $0 : id } ?? id
    try connection.run("UPDATE folder SET album_folder = ? WHERE id = ?", [.integer(albums), .integer(id)])
    return (id, nil)
  }
}
