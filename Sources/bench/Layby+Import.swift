import Runtime

extension Layby.Run {
  /// The library is opened after the player is ready.
  func waitForLibrary() throws(Fault) {
    let deadline = Moment.now + .seconds(60)
    while true {
      do throws(Fault) {
        if try ask("browse", ["playlists"]) != nil { return }
      } catch {
        guard error.code == "B-151", .now < deadline else { throw error }
      }
      guard .now < deadline else { throw Fault(.passing, "B-252", "layby did not open its library within 60 s") }
      try Patience.wait(until: .now + .milliseconds(5))
    }
  }

  /// Imports the folder, and waits for the end. Asks how far it is every few milliseconds: `look` hears how many
  /// files were met. All files have to be met, and `read` of them read.
  func importTree(
    _ tree: MadeUpTree, reading read: Int, _ look: (Int) throws(Fault) -> Void = { _ in }
  ) throws(Fault) {
    let deadline = Moment.now + .seconds(1_200)
    var answer = try ask("import", ["\(tree.path)"])
    while answer?["running"]?.truth == true {
      guard Moment.now < deadline else { throw Fault(.passing, "B-253", "layby still imports after 20 minutes") }
      try Patience.wait(until: .now + .milliseconds(5))
      answer = try ask("import")
      try look(Int(answer?["import"]?["files"]?.whole ?? 0))
    }
    let now = answer?["import"]
    guard now?["files"]?.whole == Int64(tree.files), now?["read"]?.whole == Int64(read), now?["unreadable"]?.whole == 0
    else {
      throw Fault(
        .malformed, "B-254",
        "layby was to find \(tree.files) files and to read \(read), but: \(answer.map { "\($0)" } ?? "no answer")")
    }
  }
}
