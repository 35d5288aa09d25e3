import Glibc
import Runtime

/// The disk of a board that was started with `logged`.
extension VirtualBoard {
  private var writes: FilePath { work.path / "disk.writes" }

  /// How many writes and flushes the disk has seen; what is acknowledged now lies before.
  package func writesSoFar() throws(Fault) -> Int {
    let file = try Descriptor.open(writes, O_RDONLY, code: "V-196")
    var head = [UInt8](repeating: 0, count: 28)
    guard read(file.number, &head, head.count) == head.count else {
      throw Fault.system("V-196", doing: "read \(writes)")
    }
    return try WriteLog.count(inHead: head)
  }

  package func writeLog() throws(Fault) -> WriteLog {
    try WriteLog(parsing: try AtomicFile.read(writes, limit: 1 << 31))
  }

  /// A file with what the disk may hold when the power goes after so many entries; gone with the board.
  package func crashDisk(_ crash: CrashImage, named name: String) throws(Fault) -> FilePath {
    let path = work.path / name
    try Spawned.run(
      ["cp", "--sparse=always", "\(work.path / "disk.before")", "\(path)"], output: work.path / "cp.log")
    try crash.apply(toFile: path)
    return path
  }

  /// Plugs it in with what the disk may hold after such a cut.
  package func boot(fromCrash crash: CrashImage) throws(Fault) {
    cutPower()
    for old in ["crash", "crash.qcow2"] { (work.path / old).remove() }
    let overlay = work.path / "crash.qcow2"
    try Overlay.make(overlay, over: try crashDisk(crash, named: "crash"), format: "raw", in: work.path)
    lineUp.disk = .overlay(overlay)
    try boot()
  }

  /// What the emulator itself says, for messages.
  package var emulatorSays: String { (work.path / "emulator.log").lastWords }
}
