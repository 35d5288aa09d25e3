import Library
import Playback
import Runtime
import Store
import TestSupport
import Testing

@Suite("Schemas")
struct SchemaTests {
  static let all: [(Migrations, folder: String)] = [
    (StateSchema.migrations, "Playback"), (LibrarySchema.migrations, "Library"),
  ]

  @Test("every file stands in its list under its own name, numbered from 1 without a gap", arguments: all)
  func files(migrations: Migrations, room: String) throws {
    let house = FilePath(#filePath).folder.folder.folder
    let folder = FilePath("\(house)/Sources/\(room)/Schema")
    let files = try Folder.names(in: folder).map(\.description)
    #expect(files == migrations.steps.map { "\($0.name).sql" })
    for (place, step) in migrations.steps.enumerated() {
      #expect(step.version == Int64(place + 1))
      let number = String("\(10_000 + step.version)".dropFirst())
      #expect(step.name.hasPrefix("V\(number)_"))
      let text = try AtomicFile.read(folder / "\(step.name).sql", limit: 1 << 20)
      #expect(Array(step.sql.utf8) == text)
    }
  }

  @Test("a database of any earlier version ends as a fresh one", arguments: all)
  func everyVersion(migrations: Migrations, room: String) throws {
    let fresh = TempFolder()
    let wanted = try dump(try openState(fresh.path, migrations).connection)
    for version in 1...migrations.steps.count {
      let folder = TempFolder()
      let older = Migrations(applicationID: migrations.applicationID, Array(migrations.steps.prefix(version)))
      _ = try openState(folder.path, older)
      let (connection, notices) = try openState(folder.path, migrations, unclean: true)
      #expect(notices.isEmpty)
      #expect(try dump(connection) == wanted)
    }
  }

  @Test("a queue keeps any path, in the order of its places")
  func queue() throws {
    let folder = TempFolder()
    let (connection, _) = try openState(folder.path, StateSchema.migrations)
    let paths = [FilePath("/b"), FilePath(bytes: [0x2F, 0xE9])]
    for (place, path) in paths.enumerated() {
      let values: [SQLValue] = [.integer(Int64(100 - place)), .integer(Int64(place)), SQLValue(path)]
      try connection.run("INSERT INTO queue_entry(place, id, path) VALUES (?, ?, ?)", values)
    }
    let found = try connection.rows("SELECT path FROM queue_entry ORDER BY place") { $0.path(0) }
    #expect(found == paths.reversed())
    #expect(throws: Fault.self) {
      try connection.run("INSERT INTO queue_entry VALUES (1, 9, 'text is no path')")
    }
  }
}
