import DecoderProtocol
import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// A program that decodes a file may do nothing for as long as it likes: only its own track waits for it. Patience is
/// a day here, so whatever is served was served while it hung.
@Suite("A decoder that hangs")
struct HangingTests {
  let folder = TempFolder()
  private let good = Signal(frames: 30_000)

  /// It says through this that it hangs now.
  private final class HangsNow {
    private let pipe: Descriptor

    init(_ path: FilePath) throws {
      guard path.withCString({ mkfifo($0, 0o600) }) == 0 else { throw Fault.system("T-95", doing: "make \(path)") }
      pipe = try Descriptor.open(path, O_RDWR, code: "T-95")
    }

    /// Its number.
    func wait() throws -> pid_t {
      guard !Readiness.readable([pipe.number], until: .now + .seconds(60)).isEmpty else {
        throw Tool.Failed(description: "nothing hangs")
      }
      var pid = pid_t()
      #expect(read(pipe.number, &pid, MemoryLayout<pid_t>.size) == MemoryLayout<pid_t>.size)
      return pid
    }
  }

  private func help(_ lie: String, patience: Duration = .seconds(86_400)) throws -> (ForeignHelp, HangsNow) {
    let pipe = folder.path / "hangs"
    var help = ForeignHelp()
    help.program = [NonsenseTests.program, lie, "\(pipe)"]
    help.patience = patience
    return (help, try HangsNow(pipe))
  }

  /// One of our own formats, and one of which only its decoder knows anything.
  private func files() throws -> (good: FilePath, bad: FilePath) {
    let paths = (folder.path / "good.flac", folder.path / "bad.m4a")
    try good.writeFLAC(paths.0)
    try Bytes.write([UInt8](repeating: 1, count: 100_000), to: paths.1)
    return paths
  }

  private static func isGone(_ pid: pid_t) -> Bool { kill(pid, 0) == -1 && errno == ESRCH }

  /// Sockets as only this decoder has them, so that what other tests open meanwhile does not count.
  private static var sockets: Int {
    (0..<4_096).count { number in
      var kind: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(Int32(number), SOL_SOCKET, SO_TYPE, &kind, &size) == 0
        && kind == Int32(SOCK_SEQPACKET.rawValue)
    }
  }

  static let places = [
    "open-silence", "open-busy", "open-stop", "read-silence", "seek-silence", "skip-silence",
  ]

  @Test("does not keep the next file waiting, and is gone when that is heard", arguments: places)
  func next(lie: String) throws {
    let (good, bad) = try files()
    let (help, hangs) = try help(lie)
    let deck = try SoundRig(DiscardingOutput(), help: help)
    deck.sound.resume()
    let place: TrackPlace = lie.hasPrefix("s") ? .frame(5_000) : .beginning
    deck.sound.start(1, bad, at: place, generation: 1)
    let pid = try hangs.wait()
    deck.sound.start(2, good, at: .beginning, generation: 2)
    #expect(deck.wait(for: { $0 == .heard(entry: 2, generation: 2) }))
    #expect(Self.isGone(pid))
    #expect(deck.faults.isEmpty, "nothing is wrong with a file that nobody wanted any more")
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }

  @Test("does not keep a stop or the end waiting", arguments: places, [true, false])
  func stop(lie: String, isTheEnd: Bool) throws {
    let (good, bad) = try files()
    let (help, hangs) = try help(lie)
    let deck = try SoundRig(DiscardingOutput(), help: help)
    deck.sound.resume()
    deck.sound.start(1, bad, at: lie.hasPrefix("s") ? .frame(5_000) : .beginning, generation: 1)
    let pid = try hangs.wait()
    if isTheEnd { deck.sound.shutdown() } else { deck.sound.halt(generation: 2) }
    // The thread has no other way to tell that it obeyed: with the program the pipe's last writer goes.
    var looks = 0
    while !Self.isGone(pid) && looks < 10_000 {
      looks += 1
      poll(nil, 0, 1)
    }
    #expect(Self.isGone(pid))
    guard !isTheEnd else { return }
    deck.sound.start(3, good, at: .beginning, generation: 3)
    #expect(deck.wait(for: { $0 == .heard(entry: 3, generation: 3) }))
    #expect(deck.faults.isEmpty)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }

  @Test("leaves no process and no descriptor behind, however often it is skipped")
  func leftovers() throws {
    let (_, bad) = try files()
    let (help, hangs) = try help("open-silence")
    let deck = try SoundRig(DiscardingOutput(), help: help)
    let before = Self.sockets
    var pids: [pid_t] = []
    for generation in UInt32(1)...60 {
      deck.sound.start(UInt64(generation), bad, at: .beginning, generation: generation)
      pids.append(try hangs.wait())
      // It was waited for before the next one was begun.
      #expect(pids.dropLast().allSatisfy(Self.isGone))
    }
    deck.sound.halt(generation: 61)
    #expect(Set(pids).count == 60)
    // Other tests ask decoders of their own meanwhile, but not 30 at once.
    #expect(Self.sockets < before + 30)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(pids.dropLast().allSatisfy(Self.isGone))
  }

  @Test("is waited for as long as was agreed when its file is wanted; then the fault names the file")
  func patience() throws {
    let (good, bad) = try files()
    let (help, _) = try help("open-silence", patience: .milliseconds(300))
    let wave = folder.path / "out.wav"
    let deck = try SoundRig(WaveOutput(wave), help: help)
    #expect(deck.play([bad, good]))
    let told = deck.news.compactMap { if case .decode(.failed(1, _, let fault)) = $0 { fault } else { nil } }
    #expect(told.map(\.code) == ["A-211"])
    #expect(told.first?.message.contains("bad.m4a") == true)
    #expect(difference(try Wave(wave).samples, self.good.samples) == nil)
  }

  @Test("as the follower, takes nothing from what plays, which is heard to its end")
  func follower() throws {
    let (good, bad) = try files()
    let (help, hangs) = try help("open-silence")
    // So small that it never holds what plays.
    let deck = try SoundRig(DiscardingOutput(), ringCapacity: 1 << 12, help: help)
    deck.sound.resume()
    deck.sound.start(1, good, at: .beginning, generation: 1)
    #expect(deck.wait(for: { if case .decode(.opened(1, _, _)) = $0 { true } else { false } }))
    deck.sound.follow(2, bad)
    #expect(deck.wait(for: { if case .decode(.finished(1, _, _)) = $0 { true } else { false } }))
    // With nothing to lose it is waited for.
    var pid = try hangs.wait()
    while Self.isGone(pid) { pid = try hangs.wait() }
    #expect(!deck.news.contains { if case .decode(.failed) = $0 { true } else { false } })
    // Another one instead: there is no further word of the first.
    deck.sound.start(3, good, at: .beginning, generation: 2)
    #expect(deck.wait(for: { $0 == .heard(entry: 3, generation: 2) }))
    #expect(Self.isGone(pid) && deck.faults.isEmpty)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }

  @Test("as the follower, gives way to another follower at once")
  func otherFollower() throws {
    let (good, bad) = try files()
    let (help, hangs) = try help("open-silence")
    let wave = folder.path / "out.wav"
    let deck = try SoundRig(WaveOutput(wave), help: help)
    // Paused, so that the ring stays full and nothing hurries.
    deck.sound.start(1, good, at: .beginning, generation: 1)
    #expect(deck.wait(for: { if case .decode(.opened(1, _, _)) = $0 { true } else { false } }))
    deck.sound.follow(2, bad)
    let pid = try hangs.wait()
    deck.sound.follow(3, good)
    #expect(deck.wait(for: { if case .decode(.opened(3, _, _)) = $0 { true } else { false } }))
    #expect(Self.isGone(pid) && deck.faults.isEmpty)
    deck.sound.followNothing()
    deck.sound.resume()
    #expect(deck.wait(for: { $0 == .drained(generation: 1) }))
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(difference(try Wave(wave).samples, self.good.samples + self.good.samples) == nil)
  }

  @Test("is measured no further as soon as measuring is over")
  func measuring() throws {
    let (_, bad) = try files()
    let (help, hangs) = try help("read-silence")
    let worker = LoudnessWorker(help: help)
    let over = try Bell()
    try worker.measure(bad) { result in
      #expect(result == nil)
      over.ring()
    }
    let pid = try hangs.wait()
    worker.stop()
    #expect(!Readiness.readable([over.number], until: .now + .seconds(60)).isEmpty)
    #expect(Self.isGone(pid))
  }
}
