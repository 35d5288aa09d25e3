import FaultServer
import Glibc
import Runtime
import Services
import TestSupport
import Testing

extension ProgramTests {
  /// A megabyte of marks on one letter: to compare it as Unicode once takes a minute of processor time.
  @Suite(
    "Text from servers that is hard to compare", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct HardTextTests {
    /// Where in an index it stands, and what becomes of the index.
    struct Place: Sendable, CustomTestStringConvertible {
      let testDescription: String
      /// Nil: it is taken in.
      let code: String?
      let make: @Sendable (_ index: DirectoryIndex, _ text: String) -> [UInt8]

      init(
        _ name: String, _ code: String? = nil, make: @escaping @Sendable (DirectoryIndex, String) -> [UInt8]
      ) {
        (testDescription, self.code, self.make) = (name, code, make)
      }
    }

    // Two that differ in their ends alone: whoever compares no more than their beginnings is not quick by it.
    static let places = [
      Place("keys that nobody knows") { bytes($0, #""\#($1)1":1,"\#($1)2":2,"#, before: #""name":"#) },
      Place("keys of an item that nobody knows") { bytes($0, #""\#($1)1":1,"\#($1)2":2,"#, before: #""title":"#) },
      Place("the name of the index", "G-103") { index, text in
        var index = index
        index.name = text
        return index.fileBytes
      },
      Place("a title", "G-103") { index, text in
        var index = index
        index.items[0].title = text
        return index.fileBytes
      },
      Place("the name of a quality", "G-103") { bytes($0, #""variants":{"\#($1)":{}},"#, before: #""title":"#) },
      Place("the format", "G-101") { _, text in Array(#"{"format":"\#(text)","version":1}"#.utf8) },
    ]

    private static func bytes(_ index: DirectoryIndex, _ text: String, before key: String) -> [UInt8] {
      var bytes = index.fileBytes
      let key = Array(key.utf8)
      let at = bytes.indices.first { bytes[$0...].starts(with: key) }
      bytes.insert(contentsOf: text.utf8, at: at ?? 0)
      return bytes
    }

    @Test("stops nobody: what makes sense is taken in, else it is told what is wrong", arguments: places)
    func marks(_ place: Place) async throws {
      let folder = try KeptFolder(pieces: 1)
      let index = place.make(folder.index, combiningMarks(bytes: 1_000_000))
      folder.server.serve("/layby-index.json", Resource(index, etag: "\"hard\"", kind: "application/json"))
      let player = try await RunningPlayer(in: try Home(owner: folder.settings))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      let answer = try await player.answer("offline", ["want", "album", "Elsewhere"])
      #expect(answer["ok"]?.truth == (place.code == nil), "\(answer)")
      #expect(answer["error"]?["code"]?.string == place.code, "\(answer)")
      if place.code == nil {
        try await player.until("it is here") {
          try await player.ask("offline")["offline"]?.items?.first?["whole"]?.whole == 1
        }
      }
      try await player.stop()
    }
  }
}
