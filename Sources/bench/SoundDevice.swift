import Glibc
import Runtime

/// The bench's own sound device, opened by a player through ALSA: it plays silently at the pace of the clock, can be
/// rewound like a card, and tells what it is handed and when. One for each player, all alike.
final class SoundDevice {
  static let name = "bench"
  private static let library = "libBenchDevice.so"

  /// What a player must be started with to find it.
  let environment: [String]
  private let log: Descriptor
  /// Open for writing here too, so that its end is never reached.
  private let keeper: Descriptor
  private var handed = HandedLog()

  /// Why there is none; nil when there is. It is built beside the bench: `--product BenchDevice`.
  static func lacking(beside folder: FilePath) -> String? {
    (folder / library).withCString { access($0, R_OK) } == 0 ? nil : "\(library) is not beside bench"
  }

  init(in home: FilePath, libraryIn folder: FilePath) throws(Fault) {
    let fifo = home / "handed"
    guard fifo.withCString({ mkfifo($0, 0o600) }) == 0 else { throw Fault.system("B-210", doing: "make \(fifo)") }
    log = try Descriptor.open(fifo, O_RDONLY | O_NONBLOCK, code: "B-211")
    keeper = try Descriptor.open(fifo, O_WRONLY | O_NONBLOCK, code: "B-211")
    let library = folder / Self.library
    let text = """
      pcm_type.\(Self.name) { lib "\(library)" }
      pcm.\(Self.name) { type \(Self.name) log "\(fifo)" }

      """
    try AtomicFile.replace(home / "alsa.conf", with: Array(text.utf8))
    environment = ["ALSA_CONFIG_PATH=\(home / "alsa.conf")", "LD_PRELOAD=\(library)"]
  }

  /// When the first sound in `channel` was handed over, not counting what was before `moment`.
  func firstSound(in channel: HandedLog.Channel, after moment: Moment, within limit: Duration) throws(Fault) -> Moment {
    let deadline = Moment.now + limit
    repeat {
      read()
      if let found = handed.firstSound(in: channel, after: moment) { return found }
    } while try Patience.readable(log.number, before: deadline)
    throw Fault(.passing, "B-212", "no sound came to the device within \(limit)")
  }

  /// How long nothing was heard before `moment`, in milliseconds: since the sound before that was handed over.
  func silence(before moment: Moment) -> Double {
    read()
    guard let last = handed.lastSound(before: moment) else { return 0 }
    return Double((moment - last).nanoseconds) / 1_000_000
  }

  /// What was handed over until now is of no interest.
  func forget() {
    read()
    handed = HandedLog()
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(log.number, &block, block.count), count > 0 { handed.take(block[..<count]) }
  }
}

/// What the device writes (`BenchDevice.h`), as it arrives.
struct HandedLog: Equatable {
  enum Channel { case left, right, any }

  struct Helping: Equatable {
    var at: Moment
    /// The largest magnitude in it, of 2^31.
    var left: UInt32
    var right: UInt32

    func sounds(in channel: Channel) -> Bool {
      switch channel {
      case .left: left > HandedLog.quiet
      case .right: right > HandedLog.quiet
      case .any: max(left, right) > HandedLog.quiet
      }
    }
  }

  /// -30 dB: far above what an encoder leaks into a channel that is silent, far below the music.
  static let quiet: UInt32 = 1 << 26
  private static let size = 16

  private(set) var helpings: [Helping] = []
  private var rest: [UInt8] = []

  mutating func take(_ bytes: some Sequence<UInt8>) {
    rest += bytes
    var start = 0
    while rest.count - start >= Self.size {
      let record = Array(rest[start..<start + Self.size])
      let (at, left, right) = record.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: 0, as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
          $0.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        )
      }
      helpings.append(Helping(at: Moment(nanoseconds: at), left: left, right: right))
      start += Self.size
    }
    rest.removeFirst(start)
  }

  func firstSound(in channel: Channel, after moment: Moment) -> Moment? {
    helpings.first { $0.at >= moment && $0.sounds(in: channel) }?.at
  }

  func lastSound(before moment: Moment) -> Moment? {
    helpings.last { $0.at < moment && $0.sounds(in: .any) }?.at
  }
}
