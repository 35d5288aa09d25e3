import Glibc
import Runtime

/// Boards that were booted once and saved, memory and disk together, so that a test has a fresh one in about half a
/// second. They lie beside the image, under a name that follows from image and line-up, and are made anew when either
/// changes. Whoever makes them holds a lock, so that two tests do not boot for the same thing.
package struct SavedStates: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    /// The system is up, layby does not run and has no state.
    case ready
    /// Booted, and plays the first music by itself.
    case playing
  }

  package let image: BoardImage
  private let folder: FilePath

  package init(of image: BoardImage) throws(Fault) {
    self.image = image
    let key = try image.identity(withTools: true) + Self.making
    folder = image.folder / "states" / shortHash(key)
  }

  /// Counted up when what `make` does to the guest changes.
  private static let making = "2"
  private static let patience: Duration = .seconds(240)

  func memory(_ name: Name) -> FilePath { folder / "\(name.rawValue).memory" }
  func disk(_ name: Name) -> FilePath { folder / "\(name.rawValue).qcow2" }

  private func isThere(_ name: Name) -> Bool { memory(name).exists && disk(name).exists }

  /// Makes all that can be made when this one is missing; says why when this one cannot.
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

  /// Why it does not play, so that nobody boots again to find out.
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
    // Without this the next start would resume; a test that wants nothing there shall find nothing.
    let cleared = try machine.agent.run("systemctl stop layby; rm -rf /data/state/* && sync")
    guard cleared.code == 0 else { throw Fault(.damaged, "V-181", "layby does not stop: \(cleared.line)") }
    try save(.ready, machine, overlay)
  }

  /// Nil when it plays; else what it says instead. A program that is started again and again will not.
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

  /// The memory's name comes last: a half-written state is none.
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
  /// What is written goes there; `base` stays as it is.
  static func make(_ path: FilePath, over base: FilePath, format: String, in work: FilePath) throws(Fault) {
    try Spawned.run(
      ["qemu-img", "create", "-q", "-f", "qcow2", "-b", "\(base.absolute)", "-F", format, "\(path)"],
      output: work / "qemu-img.log")
  }

  /// A raw copy of all that `overlay` shows.
  static func flatten(_ overlay: FilePath, into raw: FilePath, in work: FilePath) throws(Fault) {
    try Spawned.run(
      ["qemu-img", "convert", "-f", "qcow2", "-O", "raw", "\(overlay)", "\(raw)"], output: work / "qemu-img.log",
      within: .seconds(300))
  }
}
