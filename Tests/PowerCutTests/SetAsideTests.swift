import Kit
import Remote
import Runtime
import Testing

/// The one thing that is done to the state folder outside of a save: a damaged database gets another name.
@Suite("Setting a damaged database aside", .enabled(if: !Built.isSanitized, "a preloaded library and a sanitizer"))
struct SetAsideTests {
  @Test("goes on after a cut in its middle: it starts, and what was damaged is still there to be looked at")
  func cutInTheMiddle() throws {
    let junk = [UInt8](repeating: 0x55, count: 8_192)
    for count in 1...3 {
      for cut in Cut.allCases {
        let temp = TempFolder()
        var home = RunningLayby.Home(folder: temp.path, life: 1)
        var start = DiskImage()
        for name in ["state.db", "state.db-wal"] { start.contents[name] = .file(junk) }
        start.contents["running"] = .file([])
        try Folder.make(home.state)
        try start.write(to: home.state)
        var dying = try RunningLayby(home, dieAt: "aside.renamed:\(count)")
        #expect(throws: RunningLayby.Ending.died) { try dying.waitUntilReady() }
        _ = dying.kill()

        var dice = SeededGenerator(seed: UInt64(count))
        let image = try Round.image(start, dying.log(), cut, &dice)
        home = RunningLayby.Home(folder: temp.path, life: 2)
        try Folder.make(home.state)
        try image.write(to: home.state)
        var layby = try RunningLayby(home)
        try layby.waitUntilReady()
        _ = try layby.ask(Request(verb: "queue", arguments: ["clear"]))
        #expect(layby.stop() == 0)
        let end = try DiskImage(reading: home.state)
        let kept = end.contents.contains { name, content in name.contains("damaged") && content == .file(junk) }
        #expect(kept, "\(end.contents.keys.sorted()), died at \(count), \(cut)")
      }
    }
  }
}
