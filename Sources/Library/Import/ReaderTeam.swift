import Runtime
import Synchronization

/// Several readers that share a batch between them, at the lowest priority. The answers stand in the order of the
/// jobs, whoever read them.
///
/// Unchecked: each reader is used by one thread at a time, and between batches by none.
final class ReaderTeam: @unchecked Sendable {
  private struct Work {
    /// A thread that comes late must find that its batch is over: in the next one its reader is another thread's.
    var batch = 0
    var jobs: [FileReader.Job] = []
    var next = 0
    var left = 0
    var answers: [FileReader.Answer?] = []
    var whenDone: CheckedContinuation<Void, Never>?
  }

  private let readers: [FileReader]
  private let work = Mutex(Work())
  /// A few files are read sooner than a thread is started.
  private static let worthThreads = 8
  /// Taken in one go: neighbours lie side by side on the disk.
  private static let helping = 4

  init(count: Int) { readers = (0..<max(1, count)).map { _ in FileReader() } }

  func read(_ jobs: [FileReader.Job], isolation: isolated (any Actor)? = #isolation) async -> [FileReader.Answer] {
    if jobs.count < Self.worthThreads || readers.count == 1 { return jobs.map { readers[0].read($0) } }
    let batch = work.withLock { work in
      work = Work(
        batch: work.batch + 1, jobs: jobs, left: jobs.count, answers: .init(repeating: nil, count: jobs.count))
      return work.batch
    }
    for reader in readers.dropFirst() {
      do throws(Fault) {
        let reader = Handed(reader: reader)
        try NamedThread.start("import", stackBytes: 524_288, priority: .idle) { self.help(reader.reader, batch) }
      } catch {
        Log("import").warning("one reader less", ["reason": error.message])
      }
    }
    help(readers[0], batch)
    await withCheckedContinuation(isolation: isolation) { continuation in
      let isDone = work.withLock { work in
        if work.left > 0 { work.whenDone = continuation }
        return work.left == 0
      }
      if isDone { continuation.resume() }
    }
    return work.withLock { work in
      let answers = work.answers.compactMap { $0 }
      work = Work(batch: work.batch)
      return answers
    }
  }

  /// Unchecked: the thread it is handed to is the only one that uses it.
  private struct Handed: @unchecked Sendable { let reader: FileReader }

  private func help(_ reader: FileReader, _ batch: Int) {
    while true {
      let (first, jobs) = work.withLock { work -> (Int, ArraySlice<FileReader.Job>) in
        guard work.batch == batch else { return (0, []) }
        let taken = work.jobs[min(work.next, work.jobs.count)...].prefix(Self.helping)
        work.next += taken.count
        return (taken.startIndex, taken)
      }
      if jobs.isEmpty { return }
      let answers = jobs.map { reader.read($0) }
      let done = work.withLock { work -> CheckedContinuation<Void, Never>? in
        for (index, answer) in answers.enumerated() { work.answers[first + index] = answer }
        work.left -= answers.count
        return work.left == 0 ? work.whenDone.take() : nil
      }
      done?.resume()
    }
  }
}
