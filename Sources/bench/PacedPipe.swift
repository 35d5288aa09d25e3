import Glibc
import Runtime
import Synchronization

/// A program that writes samples into a pipe, and a reader at the other end that takes them as a sound card would: the
/// least there can be around a decoder. The pipe is as deep as the player's own silent output, and is read as often.
final class PacedPipe {
  static let depth = 2.0
  static let period: Duration = .milliseconds(500)

  let child: Child
  private let reading: Reading

  init(_ words: [String], bytesPerSecond: Int, home: FilePath) throws(Fault) {
    let fifo = home / "pipe"
    guard fifo.withCString({ mkfifo($0, 0o600) }) == 0 else { throw Fault.system("B-230", doing: "make \(fifo)") }
    let pipe = try Descriptor.open(fifo, O_RDONLY | O_NONBLOCK, code: "B-231")
    // The kernel makes a power of two of it.
    guard fcntl(pipe.number, Self.setSize, Int32(Double(bytesPerSecond) * Self.depth)) > 0 else {
      throw Fault.system("B-232", doing: "make a pipe of \(Self.depth) s")
    }
    var surroundings = SpawnOptions(output: fifo)
    surroundings.errors = .nothing
    child = try Child(words, in: surroundings)
    reading = Reading(pipe, bytesPerSecond: bytesPerSecond)
    try reading.start()
  }

  deinit { reading.isOver.store(true, ordering: .relaxed) }

  /// F_SETPIPE_SZ, which Swift does not see.
  private static let setSize: Int32 = 1_031

  /// Owned by its thread and by the pipe.
  private final class Reading: Sendable {
    let isOver = Atomic<Bool>(false)
    private let pipe: Descriptor
    private let bytesPerSecond: Int

    init(_ pipe: consuming Descriptor, bytesPerSecond: Int) {
      self.pipe = pipe
      self.bytesPerSecond = bytesPerSecond
    }

    func start() throws(Fault) {
      try NamedThread.start("reader") { [self] in
        var pace = PipePace(bytesPerSecond: bytesPerSecond, began: .now)
        var block = [UInt8](repeating: 0, count: 65_536)
        while !isOver.load(ordering: .relaxed) {
          usleep(UInt32(max(0, (pace.next - .now).nanoseconds) / 1_000))
          var left = pace.take(at: .now)
          while left > 0, case let count = read(pipe.number, &block, min(left, block.count)), count > 0 {
            left -= count
          }
        }
      }
    }
  }
}

/// How much a device has played at each look, to the byte over any time.
struct PipePace {
  let bytesPerSecond: Int
  let began: Moment
  private var taken = 0
  private var looks: Int64 = 0

  init(bytesPerSecond: Int, began: Moment) {
    self.bytesPerSecond = bytesPerSecond
    self.began = began
  }

  var next: Moment { began + .nanoseconds(PacedPipe.period.nanoseconds * (looks + 1)) }

  mutating func take(at moment: Moment) -> Int {
    let spent = max(0, (moment - began).nanoseconds)
    looks = max(looks, spent / PacedPipe.period.nanoseconds)
    let (seconds, rest) = spent.quotientAndRemainder(dividingBy: 1_000_000_000)
    let played = Int(seconds) * bytesPerSecond + Int(rest) * bytesPerSecond / 1_000_000_000
    defer { taken = played }
    return played - taken
  }
}
