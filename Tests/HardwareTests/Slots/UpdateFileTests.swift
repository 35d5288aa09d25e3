import Testing

@testable import Hardware

@Suite("Files with new versions on a stick")
struct UpdateFileTests {
  @Test(
    "the newest for this board is taken, by the numbers in its name",
    arguments: [
      (["layby-pi-1.9.layby", "layby-pi-1.10.layby", "layby-pi-1.2.layby"], "layby-pi-1.10.layby"),
      (["layby-pi-1.0.layby", "layby-virtual-2.0.layby"], "layby-pi-1.0.layby"),
      (["layby-pi-1.0.layby", "layby-pi-1.0.1.layby"], "layby-pi-1.0.1.layby"),
      (["layby-pi-1.0~rc2.layby", "layby-pi-1.0.layby", "layby-pi-1.0~rc1.layby"], "layby-pi-1.0.layby"),
      (["layby-pi-99999999999999999999999.layby", "layby-pi-2.layby"], "layby-pi-99999999999999999999999.layby"),
      (["layby-virtual-2.0.layby", "song.mp3", "layby-pi.layby", "layby-pi-3.0.layby.part"], nil), ([], nil),
    ] as [([String], String?)])
  func newest(names: [String], newest: String?) {
    #expect(UpdateFile.newest(among: names, for: "layby-pi") == newest)
    #expect(UpdateFile.newest(among: names.reversed(), for: "layby-pi") == newest)
  }

  @Test("without a name for this board any is taken, and the system says what is wrong with it")
  func any() { #expect(UpdateFile.newest(among: ["layby-pi-1.0.layby"], for: nil) == "layby-pi-1.0.layby") }

  @Test("an image's own word for its board is found among others")
  func board() {
    #expect(UpdateFile.board(in: "version=1.0\ncompatible=layby-pi\noldest=0\n") == "layby-pi")
    #expect(UpdateFile.board(in: "version=1.0\n") == nil)
  }
}
