import Store

/// The schema of `library.db`, from the files in `Schema`, which the build puts into the program: firmware has no
/// folder beside it to look for them.
package enum LibrarySchema {
  package static let migrations = Migrations(
    // "LBli" in ASCII: `file library.db` shows whose it is.
    applicationID: 0x4C42_6C69,
    [
      Migration(name: "V0001_tracks", version: 1, sql: PackageResources.V0001_tracks_sql),
      Migration(name: "V0002_loudness", version: 2, sql: PackageResources.V0002_loudness_sql),
      Migration(name: "V0003_catalogue", version: 3, sql: PackageResources.V0003_catalogue_sql),
      Migration(name: "V0004_natural_order", version: 4, sql: PackageResources.V0004_natural_order_sql),
      Migration(name: "V0005_index_facts", version: 5, sql: PackageResources.V0005_index_facts_sql),
    ])
}
