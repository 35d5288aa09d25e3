import Store

/// What Offline keeps in `state.db`, from the files in `Schema`, which the build puts into the program. The database is
/// opened by whoever owns it, and given to Offline open.
package enum OfflineSchema {
  package static let additions = Additions(
    of: "offline",
    [
      Migration(name: "V0001_downloads", version: 1, sql: PackageResources.V0001_downloads_sql),
      Migration(name: "V0002_wishes", version: 2, sql: PackageResources.V0002_wishes_sql),
      Migration(name: "V0003_plays", version: 3, sql: PackageResources.V0003_plays_sql),
      Migration(name: "V0004_volumes", version: 4, sql: PackageResources.V0004_volumes_sql),
      Migration(name: "V0005_pieces", version: 5, sql: PackageResources.V0005_pieces_sql),
      Migration(name: "V0006_known_items", version: 6, sql: PackageResources.V0006_known_items_sql),
    ])
}
