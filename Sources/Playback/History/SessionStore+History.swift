import Library
import Runtime
import Store

/// History and playlists are in `state.db`, whose one connection that writes the session store owns.
extension SessionStore {
  /// Each of an entry of the queue: it was chosen where that entry was.
  package func note(_ listenings: [(Listening, of: EntryID)]) throws(Fault) {
    let connection = try historian()
    try connection.transaction { () throws(Fault) in
      let knowsOrigins = try Migrations.version(of: connection) >= 4
      for (listening, entry) in listenings {
        var listening = listening
        if knowsOrigins, let origin = try OriginTable(connection: connection).origin(of: entry) {
          (listening.origin, listening.originName) = (origin.kind, origin.name)
        }
        try ListeningTable(connection: connection).note(listening)
      }
    }
  }

  /// The latest first; `before` is the number of the last one that is known.
  package func listenings(before number: Int64? = nil, count: Int) throws(Fault) -> [(
    number: Int64, listening: Listening
  )] {
    try ListeningTable(connection: try historian()).latest(before: number, count: count)
  }

  /// How often each recording was played, for a library that was begun anew: in parts, by key.
  package func totals(after key: ContentKey? = nil, count: Int) throws(Fault) -> [Catalogue.Count] {
    try ListeningTable(connection: try historian()).totals(after: key, count: count)
  }

  package func playlists() throws(Fault) -> [Playlist] { try table().all() }

  package func makePlaylist(_ name: String, today: Int64) throws(Fault) -> Int64 {
    try table().make(name, today: today)
  }

  package func rename(playlist id: Int64, _ name: String, today: Int64) throws(Fault) {
    try table().rename(id, name, today: today)
  }

  package func setOffline(playlist id: Int64, _ isOffline: Bool) throws(Fault) {
    try table().setOffline(id, isOffline)
  }

  package func remove(playlist id: Int64) throws(Fault) { try table().remove(id) }

  package func entries(ofPlaylist id: Int64, after place: Int64? = nil, count: Int) throws(Fault) -> [PlaylistEntry] {
    try table().entries(of: id, after: place, count: count)
  }

  package func add(_ wishes: [PlaylistWish], toPlaylist id: Int64, today: Int64) throws(Fault) {
    try table().add(wishes, to: id, today: today)
  }

  package func remove(entry: Int64, fromPlaylist id: Int64, today: Int64) throws(Fault) {
    try table().remove(entry: entry, from: id, today: today)
  }

  package func move(
    entry: Int64, behind other: Int64?, inPlaylist id: Int64, today: Int64
  ) throws(Fault) {
    try table().move(entry, behind: other, in: id, today: today)
  }

  private func table() throws(Fault) -> PlaylistTable { PlaylistTable(connection: try historian()) }

  /// The migration that brought history may have failed; the session is saved all the same.
  private func historian() throws(Fault) -> Connection {
    guard let connection, try Migrations.version(of: connection) >= 3 else {
      throw Fault(.missing, "P-183", "history and playlists cannot be reached")
    }
    return connection
  }
}
