import Glibc
import Runtime

/// Boards that were booted once and saved with memory and disk, so that a test gets a fresh one in about half a second.
/// They are stored beside the image. Their names depend on the image and on QEMU's options, so a change of either makes
/// new ones. A lock keeps two tests from making the same state at once.
package struct SavedStates: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    /// The system runs. layby does not run, and its state folder is empty.
    case ready
    /// As after the first start of a new board: it plays the music of `first_music`.
    case playing
  }

  package let image: BoardImage
  private let folder: FilePath

  package init(of image: BoardImage) throws(Fault) {
    self.image = image
    let key = try image.identity(withTools: true) + Self.making
    folder = image.folder / "states" / shortHash(key)
  }

  /// Part of the names; to be increased when `make` does something else to the guest.
  private static let making = "2"
  private static let patience: Duration = .seconds(240)

  func memory(_ name: Name) -> FilePath { folder / "\(name.rawValue).memory" }
  func disk(_ name: Name) -> FilePath { folder / "\(name.rawValue).qcow2" }

  private func isThere(_ name: Name) -> Bool { memory(name).exists && disk(name).exists }

  /// Makes the missing states, if this one is missing. Throws when this one cannot be made.
  package func prepare(_ name: Name) throws(Fault) {
    if isThere(name) { return }
    let states = image.folder / "states"
    try Folder.make(states, mode: 0o755)
    let lock = try Descriptor.open(states / "lock", O_RDWR | O_CREAT, code: "V-180")
    guard flock(lock.number, LOCK_EX) == 0 else { throw Fault.system("V-180", doing: "lock \(states)") }
    if isThere(name) { return }
    if !isThere(.ready) {
      for other in try Folder.names(in: states) where other != FilePath("lock") {
        FilePath("\(states)/\(other)").removeAll()
      }
      try Folder.make(folder, mode: 0o755)
      try make()
    }
    guard isThere(name) else {
      let why = String(decoding: try AtomicFile.read(silence, limit: 1 << 20), as: UTF8.self)
      throw Fault(.damaged, "V-182", "the board does not play after its boot: \(why)")
    }
  }

  /// The reason why the board does not play is stored here, so that no later test boots only to fail.
  private var silence: FilePath { folder / "silence" }

  private func make() throws(Fault) {
    let work = try WorkFolder()
    let overlay = work.path / "disk.qcow2"
    try Overlay.make(overlay, over: image.disk, format: "raw", in: work.path)
    var lineUp = LineUp(image: image, disk: .overlay(overlay), folder: work.path)
    lineUp.kernelWords = try image.kernelWords()
    let machine = try Machine(lineUp)
    try machine.waitUntilUp(within: Self.patience)
    _ = try machine.agent.run("timeout 60 systemctl is-system-running --wait", within: Self.patience)
    if let why = try waitUntilItPlays(machine.agent) {
      try AtomicFile.replace(silence, with: Array(why.utf8))
    } else {
      try save(.playing, machine, overlay)
    }
    // Otherwise the next start would resume the queue, and a test of `ready` expects an empty one.
    let cleared = try machine.agent.run("systemctl stop layby; rm -rf /data/state/* && sync")
    guard cleared.code == 0 else { throw Fault(.damaged, "V-181", "layby does not stop: \(cleared.line)") }
    try save(.ready, machine, overlay)
  }

  /// Nil when it plays, else why not: for example because the program keeps crashing.
  private func waitUntilItPlays(_ agent: Agent) throws(Fault) -> String? {
    let end = Moment.now + Self.patience
    var status = ""
    while Moment.now < end {
      status = try agent.run("layby status --json").line
      if status.contains(#""state":"playing""#) && !status.contains(#""position_s":0.0"#) { return nil }
      if let starts = Int(try agent.run("systemctl show -P NRestarts layby").line), starts > 5 { break }
      _ = Waiting.poll(until: .now + .milliseconds(500)) { false }
    }
    return status + "\n" + (try agent.run("journalctl -u layby -n 20 --no-pager -o cat").line)
  }

  /// The memory file gets its final name last, so a state that was half written does not count.
  private func save(_ name: Name, _ machine: Machine, _ overlay: FilePath) throws(Fault) {
    let growing = memory(name).hiddenSibling(ending: ".new")
    try machine.save(to: growing)
    try Spawned.run(["cp", "--sparse=always", "\(overlay)", "\(disk(name))"], output: machine.lineUp.output)
    guard growing.withCString({ from in memory(name).withCString { rename(from, $0) } }) == 0 else {
      throw Fault.system("V-183", doing: "name \(memory(name))")
    }
    try machine.goOn()
  }
}

enum Overlay {
  /// Makes a disk at `path` that takes all writes. `base` is not changed.
  static func make(_ path: FilePath, over base: FilePath, format: String, in work: FilePath) throws(Fault) {
    try Spawned.run(
      ["qemu-img", "create", "-q", "-f", "qcow2", "-b", "\(base.absolute)", "-F", format, "\(path)"],
      output: work / "qemu-img.log")
  }

  /// Copies what the disk `overlay` shows into the raw file `raw`.
  static func flatten(_ overlay: FilePath, into raw: FilePath, in work: FilePath) throws(Fault) {
    try Spawned.run(
      ["qemu-img", "convert", "-f", "qcow2", "-O", "raw", "\(overlay)", "\(raw)"], output: work / "qemu-img.log",
      within: .seconds(300))
  }
}
