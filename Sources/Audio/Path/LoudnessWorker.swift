import Formats
import Runtime
import Synchronization

/// Measures how loud recordings are, one after the other, on a thread of its own that takes only what nobody else
/// wants of processor and disk. The thread is there only while there is something to measure.
package final class LoudnessWorker: Sendable {
  private let isStopped = Atomic<Bool>(false)

  private let help: ForeignHelp
  private let suspects: CrashSuspects

  package init(help: ForeignHelp = ForeignHelp(), suspects: CrashSuspects = CrashSuspects()) {
    self.help = help
    self.suspects = suspects
  }

  /// No further file is begun, and the one at hand is given up within a helping, or within a moment when a program that
  /// decodes it says nothing.
  package func stop() { isStopped.store(true, ordering: .releasing) }

  /// `then` is called on the worker's thread, once; nil when it was stopped.
  package func measure(
    _ path: FilePath, then: @escaping @Sendable (Result<MeasuredLoudness, Fault>?) -> Void
  ) throws(Fault) {
    try NamedThread.start("work", stackBytes: 524_288, priority: .idle) { [self] in
      do throws(Fault) {
        then(try suspects.with(path, .measuring) { () throws(Fault) in try whole(path).map { .success($0) } })
      } catch {
        then(error.isGivingUp ? nil : .failure(error))
      }
    }
  }

  /// Frames between two looks whether it is still wanted.
  private static let helping = 8_192
  /// In seconds.
  private static let longest: Int64 = 86_400

  /// Nil when it was stopped.
  func whole(_ path: FilePath) throws(Fault) -> MeasuredLoudness? {
    var help = help
    help.isUnwanted = { [self] in isStopped.load(ordering: .acquiring) }
    help.mustStop = help.isUnwanted
    let decoder = try openDecoder(path, asking: help)
    let meter = try LoudnessMeter(rate: decoder.format.sampleRate)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Self.helping)
    defer { frames.deallocate() }
    while !isStopped.load(ordering: .acquiring) {
      let count = try decoder.read(into: frames, count: Self.helping)
      if count == 0 {
        let seconds = Double(meter.frames) / Double(meter.rate)
        return MeasuredLoudness(lufs: meter.loudness, truePeak: meter.truePeak, seconds: seconds)
      }
      try meter.take(frames, count: count)
      guard meter.frames < Int64(meter.rate) * Self.longest else {
        throw Fault(.malformed, "A-218", "\(path) has no end; what is longer than a day is not measured")
      }
    }
    return nil
  }
}
