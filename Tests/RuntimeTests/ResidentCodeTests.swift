import Runtime
import Testing

@Suite("The program's code in memory")
struct ResidentCodeTests {
  @Test("what is not run again is let go, and what is run is there as before")
  func letGo() throws {
    let text = String(repeating: "Where the signal ends, the music goes on. ", count: 3)
    let before = try Self.residentKilobytes()
    ResidentCode.letGo()
    let after = try Self.residentKilobytes()
    #expect(after < before)
    #expect(text.split(separator: ".").count == 4)
    #expect(throws: Fault.self) { try JSON(parsing: text) }
  }

  /// Of all that is mapped from files.
  private static func residentKilobytes() throws -> Int {
    let status = String(decoding: try AtomicFile.read(FilePath("/proc/self/status"), limit: 1 << 16), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
  }
}
