import Runtime
import Testing

@testable import Library
@testable import Remote

@Suite("A row of the library")
struct LibraryRowTests {
  private func shown(_ row: Row) -> JSON { .object(JSON.Object(BrowsingVerbs.members(of: row))) }

  @Test("says what it has, and nothing of what it has not")
  func members() {
    var row = Row(kind: .album, id: 3, title: "Suites")
    #expect(shown(row) == ["kind": "album", "id": 3, "title": "Suites"])
    (row.detail, row.album, row.count, row.number, row.year) = ("Bach", "Suites", 1, 1, 1_720)
    (row.duration, row.begins, row.isPresent) = (.seconds(2), .seconds(1), false)
    let all: JSON = [
      "kind": "album", "id": 3, "title": "Suites", "detail": "Bach", "album": "Suites", "count": 1, "number": 1,
      "year": 1_720, "duration_s": 2.0, "present": false, "begins_s": 1.0,
    ]
    #expect(shown(row) == all)
  }
}
