import Runtime
import Store
import TestSupport
import Testing

private func step(_ version: Int64, _ sql: String) -> Migration {
  Migration(name: "step \(version)", version: version, sql: Array(sql.utf8))
}

@Suite("Tables that another room adds")
struct AdditionsTests {
  let folder = TempFolder()

  @Test("each room's steps are taken once, in order, and counted for it alone")
  func once() throws {
    let connection = try openState(folder.path).connection
    let steps = [step(2, "INSERT INTO p VALUES (1)"), step(1, "CREATE TABLE p(x INTEGER) STRICT")]
    let (one, other) = (Additions(of: "one", steps), Additions(of: "other", [step(5, "CREATE TABLE q(x)")]))
    for _ in 0..<2 { try one.apply(to: connection) }
    try other.apply(to: connection)
    #expect(try one.version(in: connection) == 2 && other.version(in: connection) == 5)
    #expect(try connection.first("SELECT count(*) FROM p") { $0.integer(0) } == 1)
    #expect(try openState(folder.path).notices.isEmpty)
  }

  @Test("a step that fails, or that ends its own transaction, leaves the room where it was", arguments: [false, true])
  func failing(endsItself: Bool) throws {
    let connection = try openState(folder.path).connection
    let good = step(1, "CREATE TABLE p(x INTEGER) STRICT")
    let bad = step(2, endsItself ? "COMMIT" : "INSERT INTO p VALUES (1); INSERT INTO nothing VALUES (1)")
    let fault = #expect(throws: Fault.self) { try Additions(of: "one", [good, bad]).apply(to: connection) }
    #expect(fault?.code == "S-114" && fault?.message.contains("S-113") == endsItself)
    #expect(try Additions(of: "one", [good]).version(in: connection) == 1)
    #expect(try connection.first("SELECT count(*) FROM p") { $0.integer(0) } == 0)
    #expect(!connection.isInTransaction)
  }
}
