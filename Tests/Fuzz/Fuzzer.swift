import Glibc
import Runtime

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The toolchain's libFuzzer, started by us instead of starting us: so one program holds all entries.
///
/// Everything runs on a thread with as much stack as the player's `decode` and `work` threads have, and no input may
/// take more than a second of the processor. That is counted on this thread, not on the clock on the wall, so that a
/// busy machine breaks nothing; libFuzzer's own limit ends what hangs.
enum Fuzzer {
  /// C's callback cannot carry it. Set once, before libFuzzer begins, and only read afterwards.
  nonisolated(unsafe) private static var entry: Entry = { _ in }

  private static let stackBytes = 524_288
  private static let longest: Duration = .seconds(1)

  static func run(_ chosen: @escaping Entry, arguments: [String]) -> Never {
    entry = chosen
    do throws(Fault) {
      try NamedThread.start("fuzz", stackBytes: stackBytes) { exit(drive(arguments)) }
    } catch { preconditionFailure("\(error)") }
    // libFuzzer's alarm is for its own thread, and the kernel would give it to this one.
    var alarm = sigset_t()
    sigemptyset(&alarm)
    sigaddset(&alarm, SIGALRM)
    pthread_sigmask(SIG_BLOCK, &alarm, nil)
    while true { pause() }
  }

  private static func drive(_ arguments: [String]) -> Int32 {
    var count = Int32(arguments.count)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    // libFuzzer keeps and changes what it is given; it lives as long as the program.
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
    list.initialize(from: words, count: words.count)
    var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
    return runDriver(&count, &start) { bytes, length in
      let before = Fuzzer.processorTime
      Fuzzer.entry(Array(UnsafeBufferPointer(start: bytes, count: length)))
      let taken = Fuzzer.processorTime - before
      precondition(taken <= Fuzzer.longest, "\(length) bytes take \(taken) of the processor")
      return 0
    }
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
