import Runtime
import Synchronization

/// Several readers that share a batch between them, at the lowest priority. The answers stand in the order of the
/// jobs, whoever read them. A batch is over when every helper has left it, so that no reader is ever in two of them.
///
/// Unchecked: each reader is used by one thread at a time, and between batches by none.
final class ReaderTeam: @unchecked Sendable {
  private let readers: [FileReader]
  /// A few files are read sooner than a thread is started.
  private static let worthThreads = 8

  init(count: Int, disk: any ImportDisk) { readers = (0..<max(1, count)).map { _ in FileReader(disk) } }

  /// Once the sign is raised each reader ends with the files in its hands, and the answers mean nothing.
  func read(
    _ jobs: [FileReader.Job], until sign: StopSign, isolation: isolated (any Actor)? = #isolation
  ) async -> [FileReader.Reading] {
    let batch = Batch(jobs, until: sign)
    if jobs.count < Self.worthThreads || readers.count == 1 {
      batch.help(readers[0])
      return await batch.answers()
    }
    for reader in readers.dropFirst() {
      batch.joins()
      do throws(Fault) {
        let reader = Handed(reader: reader)
        try NamedThread.start("import", stackBytes: 524_288, priority: .idle) {
          batch.help(reader.reader)
          batch.leaves()
        }
      } catch {
        batch.leaves()
        Log("import").warning("one reader less", ["reason": error.message])
      }
    }
    batch.help(readers[0])
    return await batch.answers()
  }

  /// Unchecked: the thread it is handed to is the only one that uses it.
  private struct Handed: @unchecked Sendable { let reader: FileReader }
}

/// The jobs of one batch, and who is at work on them.
private final class Batch: Sendable {
  private struct State {
    var next = 0
    var answers: [FileReader.Reading?]
    var helpers = 0
    var whenDone: CheckedContinuation<Void, Never>?
  }

  /// Taken in one go: neighbours lie side by side on the disk.
  private static let helping = 4

  private let jobs: [FileReader.Job]
  private let sign: StopSign
  private let state: Mutex<State>

  init(_ jobs: [FileReader.Job], until sign: StopSign) {
    self.jobs = jobs
    self.sign = sign
    state = Mutex(State(answers: .init(repeating: nil, count: jobs.count)))
  }

  func joins() { state.withLock { $0.helpers += 1 } }

  func leaves() {
    let done = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.helpers -= 1
      return state.helpers == 0 ? state.whenDone.take() : nil
    }
    done?.resume()
  }

  func help(_ reader: FileReader) {
    while true {
      let taken = state.withLock { state -> Range<Int> in
        let first = min(state.next, jobs.count)
        state.next = min(first + Self.helping, jobs.count)
        return first..<state.next
      }
      if taken.isEmpty || sign.isRaised { return }
      let answers = jobs[taken].map { reader.read($0) }
      state.withLock { state in for (index, answer) in zip(taken, answers) { state.answers[index] = answer } }
    }
  }

  /// When nobody is at work on them any more.
  func answers(isolation: isolated (any Actor)? = #isolation) async -> [FileReader.Reading] {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let isDone = state.withLock { state in
        if state.helpers > 0 { state.whenDone = continuation }
        return state.helpers == 0
      }
      if isDone { continuation.resume() }
    }
    return state.withLock { $0.answers.compactMap { $0 } }
  }
}
