import Store

/// The schema of `state.db`, from the files in `Schema`, which the build puts into the program: firmware has no
/// folder beside it to look for them.
package enum StateSchema {
  package static let migrations = Migrations(
    // "LBst" in ASCII: `file state.db` shows whose it is.
    applicationID: 0x4C42_7374,
    [
      Migration(name: "V0001_session", version: 1, sql: PackageResources.V0001_session_sql),
      Migration(
        name: "V0002_order_history_bookmarks", version: 2, sql: PackageResources.V0002_order_history_bookmarks_sql),
      Migration(name: "V0003_listening_playlists", version: 3, sql: PackageResources.V0003_listening_playlists_sql),
      Migration(name: "V0004_origin", version: 4, sql: PackageResources.V0004_origin_sql),
    ])
}
