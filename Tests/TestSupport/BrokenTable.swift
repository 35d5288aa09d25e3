import Runtime
import Store

/// Writes nothing over the page with which a table begins, as a worn card does. Nobody has the file open.
package func breakTable(_ name: String, in file: FilePath) throws {
  let place: (page: Int64?, size: Int64?) = try {
    let connection = try Connection(open: file, as: .writer(durability: .normal))
    return (
      try connection.first("SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(name)]) { $0.integer(0) },
      try connection.first("PRAGMA page_size") { $0.integer(0) }
    )
  }()
  var bytes = try AtomicFile.read(file, limit: 1 << 26)
  guard let page = place.page, let size = place.size, page > 1, page * size <= bytes.count else {
    throw Fault(.malformed, "T-1", "there is no table \(name) in \(file)")
  }
  for index in Int((page - 1) * size)..<Int(page * size) { bytes[index] = 0 }
  try AtomicFile.replace(file, with: bytes)
}
