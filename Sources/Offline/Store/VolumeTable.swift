import Runtime
import Store

/// What is known of disks, of those that were ever used.
package struct StoredVolumes: Equatable, Sendable {
  /// All is kept on this one.
  package var home = MediaVolume.board
  /// All is being moved to this one.
  package var target: String?
  package var marks: [String: String] = [:]

  package init() {}
}

/// All that is kept of disks and of a move. What has returned survives a power cut.
package protocol VolumeRows: Sendable {
  func volumes() async throws(Fault) -> StoredVolumes
  /// A changed target deletes the list of copied files.
  func store(_ volumes: StoredVolumes) async throws(Fault)
  func moved() async throws(Fault) -> [String: Move.Copy]
  func store(_ copy: Move.Copy, of file: String) async throws(Fault)
}

/// Disks, and what was moved, in `state.db`.
package struct VolumeTable {
  private let connection: Connection

  /// The tables are there: `OfflineSchema.additions` was applied.
  package init(there connection: Connection) { self.connection = connection }

  private func change(_ body: () throws(Fault) -> Void) throws(Fault) {
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in try body() }
    }
  }

  package func volumes() throws(Fault) -> StoredVolumes {
    var volumes = StoredVolumes()
    let kept = try connection.first("SELECT home, target FROM kept_on") { row throws(Fault) in
      (home: row.text(0), target: row.text(1))
    }
    if let kept { (volumes.home, volumes.target) = (kept.home ?? MediaVolume.board, kept.target) }
    let marks = try connection.rows("SELECT name, mark FROM volume") { row throws(Fault) in
      (name: row.text(0) ?? "", mark: row.text(1) ?? "")
    }
    for one in marks { volumes.marks[one.name] = one.mark }
    return volumes
  }

  package func store(_ volumes: StoredVolumes) throws(Fault) {
    try change { () throws(Fault) in
      let before = try connection.first("SELECT target FROM kept_on") { row throws(Fault) in row.text(0) }
      if before != volumes.target { try connection.run("DELETE FROM moved") }
      try connection.run("DELETE FROM volume")
      for (name, mark) in volumes.marks.sorted(by: { $0.key < $1.key }) {
        try connection.run("INSERT INTO volume VALUES (?, ?)", [.text(name), .text(mark)])
      }
      try connection.run(
        "INSERT OR REPLACE INTO kept_on VALUES (1, ?, ?)", [.text(volumes.home), SQLValue(volumes.target)])
    }
  }

  package func moved() throws(Fault) -> [String: Move.Copy] {
    let rows = try connection.rows("SELECT file, size, hash FROM moved") { row throws(Fault) in
      (file: row.text(0) ?? "", copy: Move.Copy(size: row.integer(1) ?? 0, hash: row.text(2) ?? ""))
    }
    var moved: [String: Move.Copy] = [:]
    for one in rows { moved[one.file] = one.copy }
    return moved
  }

  package func store(_ copy: Move.Copy, of file: String) throws(Fault) {
    let values: [SQLValue] = [.text(file), .integer(copy.size), .text(copy.hash)]
    try change { () throws(Fault) in try connection.run("INSERT OR REPLACE INTO moved VALUES (?, ?, ?)", values) }
  }
}
