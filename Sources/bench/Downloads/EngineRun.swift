import Glibc
import Runtime

/// The engine's process as the bench starts it: each time with a folder and a database of its own.
struct EngineRun {
  let scratch: Scratch
  private static let patience: Duration = .seconds(300)

  struct Outcome {
    let seen: JSON
    /// Of the whole process, from its start to its end.
    let processorSeconds: Double

    func figure(_ name: String) throws(Fault) -> Double {
      guard let value = seen[name]?.double else { throw Fault(.malformed, "B-266", "the engine says \(seen)") }
      return value
    }
  }

  func run(_ job: EngineProcess.Job, _ files: ServedFiles, at port: Int) throws(Fault) -> Outcome {
    let home = try scratch.emptyFolder("engine")
    let output = home / "output"
    let child = try Child(
      [
        "/proc/self/exe", EngineProcess.word, job.rawValue, "\(home)", files.folder(at: port), "\(files.count)",
        files.ending,
      ], environment: ["SWIFT_BACKTRACE=enable=no"], output: output)
    let ending = try child.wait(within: Self.patience)
    let text = String(decoding: try AtomicFile.read(output, limit: 1 << 20), as: UTF8.self)
    guard ending.code == 0, let line = text.split(separator: "\n").last else {
      throw Fault(.malformed, "B-267", "the engine ended with \(ending.code): \(text)")
    }
    let seen = try JSON(parsing: Array(line.utf8), limits: JSON.Limits(depth: 4, size: 1 << 16))
    return Outcome(seen: seen, processorSeconds: ending.processorSeconds)
  }
}

extension Scratch {
  /// With nothing of the last time in it, and nothing on its way to the disk that would be in the way.
  func emptyFolder(_ name: String) throws(Fault) -> FilePath {
    Self.remove(path / name)
    sync()
    return try folder(name)
  }
}
