import Glibc
import Runtime
import Services

/// The engine in a process of its own, which is this program once more: what it costs is what the kernel says of that
/// process. It says in a line of JSON what it has seen itself.
///
///     bench --engine fetch|watch|stream FOLDER URL COUNT ENDING
enum EngineProcess {
  static let word = "--engine"

  enum Job: String {
    case fetch
    /// The same, and looks at its memory, which costs time.
    case watch
    case stream
  }

  static func run(_ words: [String]) -> Int32 {
    guard words.count == 5, let job = Job(rawValue: words[0]), let address = FolderAddress(words[2]),
      let count = Int(words[3])
    else { return EX_USAGE }
    // Nobody waits for longer. Not before: whoever only asks with wrong words is another's process.
    alarm(300)
    do throws(Fault) {
      let loop = try EventLoop("offline", mayBlock: true)
      try loop.start()
      begin(job, FilePath(words[1]), address, count, words[4], on: loop)
    } catch { fail(error) }
    while true { pause() }
  }

  private static func begin(
    _ job: Job, _ folder: FilePath, _ address: FolderAddress, _ count: Int, _ ending: String, on loop: EventLoop
  ) {
    Task(executorPreference: loop) {
      do throws(Fault) {
        let engine = try await Engine.open(folder, address, on: loop)
        let seen: JSON
        switch job {
        case .fetch: seen = ["seconds": JSON(try await engine.fetch(ServedFiles.all, of: count).inSeconds)]
        case .watch: seen = try await watch(engine, count)
        case .stream: seen = try await listen(engine, count, ending)
        }
        print(seen)
      } catch { fail(error) }
      fflush(nil)
      _exit(0)
    }
  }

  private static func fail(_ fault: Fault) {
    print(fault)
    fflush(nil)
    _exit(1)
  }

  /// How much larger it was at any time than before: the small file has libraries loaded that stay.
  private static func watch(_ engine: Engine, _ count: Int) async throws(Fault) -> JSON {
    let reading = ProcessReading(pid: getpid())
    let idle = try reading.memory().proportional
    _ = try await engine.fetch(ServedFiles.first, of: 1)
    let before = try reading.memory().proportional
    let watch = try MemoryWatch()
    _ = try await engine.fetch(ServedFiles.all, of: count)
    let most = max(watch.most, try reading.memory().proportional)
    return ["grown": JSON(most - before), "grown_since_idle": JSON(most - idle), "looks": JSON(watch.looks)]
  }

  /// Milliseconds until each began. The index is known: somebody has chosen from it.
  private static func listen(_ engine: Engine, _ count: Int, _ ending: String) async throws(Fault) -> JSON {
    do throws(MediaFailure) { _ = try await engine.directory.items(of: ContainerID(.playlist, ServedFiles.all)) } catch
    {
      throw error.fault
    }
    var all: [JSON] = []
    for number in 0..<count {
      // What is still on its way of the one before does not slow it down.
      await engine.loop.sleep(for: .milliseconds(500))
      let took = try await FirstSound.take(of: "\(number).\(ending)", engine)
      all.append(JSON(took.inSeconds * 1_000))
    }
    return ["milliseconds": .list(all)]
  }
}

extension Duration {
  var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
