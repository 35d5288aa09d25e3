import Runtime
import Store
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationsTests {
  let folder = TempFolder()

  @Test("a database of any earlier version ends as a fresh one, and opening again changes nothing")
  func everyVersion() throws {
    let fresh = try dump(try openState(folder.path).connection)
    for version in 0...2 {
      let other = TempFolder()
      if version > 0 {
        let older = Migrations(applicationID: 77, Array(twoSteps.steps.prefix(version)))
        #expect(try openState(other.path, older).notices.isEmpty)
      }
      for _ in 0..<2 {
        let (connection, notices) = try openState(other.path)
        #expect(notices.isEmpty)
        #expect(try dump(connection) == fresh)
      }
    }
  }

  @Test("a step that fails at its n-th statement leaves data and version as they were, and the start goes on")
  func failing() throws {
    let statements = [
      "ALTER TABLE b ADD COLUMN z", "UPDATE b SET z = y + 1", "INSERT INTO a VALUES (9)", "CREATE INDEX b_y ON b(y)",
      "DELETE FROM a WHERE x = 1",
    ]
    let before = try dump(try openState(folder.path).connection)
    for place in 0...statements.count {
      for broken in ["SELECT * FROM nothing", "INSERT INTO a VALUES (2)", "NONSENSE"] {
        var script = statements
        script.insert(broken, at: place)
        let later = [Migration(3, script.joined(separator: ";\n")), Migration(4, "CREATE TABLE c(x)")]
        let (connection, notices) = try openState(
          folder.path, Migrations(applicationID: 77, twoSteps.steps + later))
        #expect(notices.map(\.code) == ["S-112"], "\(broken) at \(place)")
        #expect(notices.first?.message.contains("V3") == true)
        #expect(try dump(connection) == before, "\(broken) at \(place)")
      }
    }
    let mended = Migrations(applicationID: 77, twoSteps.steps + [Migration(3, statements.joined(separator: ";\n"))])
    let (connection, notices) = try openState(folder.path, mended)
    #expect(notices.isEmpty)
    #expect(try Migrations.version(of: connection) == 3)
  }

  @Test("a step that ends its own transaction is told, and its version is not counted")
  func ownCommit() throws {
    let more = Migrations(applicationID: 77, twoSteps.steps + [Migration(3, "CREATE TABLE c(x); COMMIT")])
    let (connection, notices) = try openState(folder.path, more)
    #expect(notices.map(\.code) == ["S-112"])
    #expect(try Migrations.version(of: connection) == 2)
  }

  @Test("a first step that fails is a fault: there is nothing to go on with")
  func first() throws {
    let fault = try faultOf {
      try openState(folder.path, Migrations(applicationID: 77, [Migration(1, "CREATE TABLE a(x); NONSENSE")]))
    }
    #expect(fault.code == "S-112")
    #expect(try openState(folder.path).notices.isEmpty)
  }

  @Test("a newer database is used as it is, and told")
  func newer() throws {
    let before = try dump(try openState(folder.path).connection)
    let (connection, notices) = try openState(folder.path, Migrations(applicationID: 77, [twoSteps.steps[0]]))
    #expect(notices.map(\.code) == ["S-111"])
    #expect(try dump(connection) == before)
  }

  @Test("the database of another program is not touched but set aside")
  func foreign() throws {
    _ = try openState(folder.path, Migrations(applicationID: 5, twoSteps.steps))
    let (_, notices) = try openState(folder.path)
    #expect(notices.map(\.code) == ["S-110"])
  }
}
