import Runtime
import TestSupport
import Testing

/// The watcher on real programs: those of every Debian, which open, duplicate, write and rename in their own ways.
@Suite("The watched folder", .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer do not go together"))
struct WatchedToolsTests {
  /// Runs `script` in a watched folder that holds `start`, and gives the folder before, its log, and the folder after.
  private func watch(_ script: String, _ start: [String: String] = [:]) throws -> (DiskImage, DiskLog, DiskImage) {
    let temp = TempFolder()
    let (folder, log) = (temp.path / "watched", temp.path / "log")
    try Folder.make(folder)
    var image = DiskImage()
    for (name, text) in start { image.contents[name] = .file(Array(text.utf8)) }
    try image.write(to: folder)
    let shell = try Spawned(
      ["/bin/sh", "-euc", "cd '\(folder)'; \(script)"], environment: Built.watching(folder, log: log),
      output: temp.path / "output")
    let code = shell.wait()
    let output = String(decoding: try AtomicFile.read(temp.path / "output", limit: 65_536), as: UTF8.self)
    try #require(code == 0, "\(output)")
    return (image, try DiskLog(bytes: AtomicFile.read(log, limit: 1 << 24)), try DiskImage(reading: folder))
  }

  @Test(
    "nothing that programs do is missed: the log played again gives the folder",
    arguments: [
      "echo one >a; echo two >>a; dd if=a of=b bs=3 status=none conv=fsync; rm a",
      "mkdir f; cp /bin/sh f/g; mv f/g h; rmdir f; mkdir -p i/j; echo 1 >i/j/k; cp -r i l",
      "dd if=/bin/sh of=a bs=5000 count=1 status=none; truncate -s 100 a; truncate -s 9000 a; mv -f a c; sync c .",
      "cat /bin/sh >a; gzip -k a; rm -f b; mv a b; cat b b >>c; dd if=c of=b bs=700 seek=3 conv=notrunc status=none",
    ])
  func nothingMissed(script: String) throws {
    let (start, log, end) = try watch(script)
    var model = DiskModel(start)
    try model.perform(log)
    var dice = SeededGenerator(seed: 1)
    let isSame = model.image(.nothingLost, &dice) == end
    #expect(isSame && !end.contents.isEmpty)
  }

  @Test("what the model does not know is told", arguments: ["ln a b", "ln -s a b", "mkdir f; mv f g", "tee b <a"])
  func unknown(script: String) throws {
    let (start, log, _) = try watch(script, ["a": "something"])
    var model = DiskModel(start)
    #expect(throws: Fault.self) { try model.perform(log) }
  }

  /// Every state of `name` that a cut at any moment can leave; nil stands for no such file.
  private func states(of name: String, _ script: String, _ start: [String: String]) throws -> Set<String?> {
    let (before, log, _) = try watch(script, start)
    var states: Set<String?> = []
    for count in 0...log.operations.count {
      var model = DiskModel(before)
      try model.perform(log.prefix(count))
      for cut in Cut.allCases {
        for seed in UInt64(1)...8 {
          var dice = SeededGenerator(seed: seed)
          states.insert(model.image(cut, &dice)[name].map { String(decoding: $0, as: UTF8.self) })
        }
      }
    }
    return states
  }

  @Test("a file replaced in the right order is the old one or the new one, whenever the power goes")
  func rightOrder() throws {
    let script = "printf new >made.new; sync made.new; mv made.new made; sync ."
    #expect(try states(of: "made", script, ["made": "old"]) == ["old", "new"])
    #expect(try states(of: "made", script, [:]) == [nil, "new"])
  }

  @Test("renamed before it is synced, it can be empty: the disk catches the wrong order")
  func wrongOrder() throws {
    let script = "printf new >made.new; mv made.new made; sync made; sync ."
    #expect(try states(of: "made", script, ["made": "old"]) == ["old", "new", ""])
  }

  @Test("without the folder's sync the new file may not be promised when the program goes on")
  func folderForgotten() throws {
    let (before, log, _) = try watch("printf new >made.new; sync made.new; mv made.new made", ["made": "old"])
    var model = DiskModel(before)
    try model.perform(log)
    var dice = SeededGenerator(seed: 1)
    #expect(model.image(.promisesOnly, &dice)["made"] == Array("old".utf8))
  }
}
