import CountedHeap
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// Glibc's module leaves it out.
@_silgen_name("setfsuid") private func setFileUser(_ user: UInt32) -> Int32

/// Linux keeps for each thread the user that file permissions are checked for.
private func asUser<Result>(_ user: UInt32, _ body: () -> Result) -> Result {
  _ = setFileUser(user)
  defer { _ = setFileUser(0) }
  return body()
}

@Suite("Broken files")
struct BrokenFileTests {
  let folder = TempFolder()

  private func fault(_ bytes: [UInt8], name: String = "a.mp3") throws -> Fault? {
    let path = folder.path / name
    try Bytes.write(bytes, to: path)
    return fault(path)
  }

  private func fault(_ path: FilePath) -> Fault? {
    do throws(Fault) {
      _ = try openDecoder(path).readAll()
      return nil
    } catch { return error }
  }

  @Test("what is no music is refused with a sentence that names it")
  func refused() throws {
    let text = Array("It was a dark and stormy night; the rain fell in torrents. ".utf8)
    let cases: [(Fault?, Fault.Kind, String)] = [
      (fault(folder.path / "gone.flac"), .missing, "A-101"),
      (try fault([]), .malformed, "A-110"),
      (try fault([0]), .malformed, "A-111"),
      (try fault(Array(repeating: text, count: 5_000).flatMap { $0 }), .malformed, "A-111"),
      (try fault(Array("fLaC".utf8)), .malformed, "A-120"),
      (try fault(Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]), .malformed, "A-111"),
      (try fault([0xFF, 0xFB]), .malformed, "A-111"),
      (fault(folder.path), .malformed, "A-103"),
    ]
    for (fault, kind, code) in cases {
      #expect(fault?.kind == kind && fault?.code == code, "\(String(describing: fault))")
      #expect(fault?.message.contains("\(folder.path)") == true)
    }
  }

  /// Frames after which a broken file must have come to its end, and bytes that may be read of one for each of its own.
  private static let mostFrames = 400_000
  private static let mostReading = 40

  /// What is wrong with how a broken file went, in words.
  private func complaint(_ file: BrokenFile) -> String? {
    let source = CountedSource(file.bytes, name: "the file called \(file.name)")
    var heard = 0
    var seekable = false
    var refusal: Fault?
    do throws(Fault) {
      let decoder = try openDecoder(source, asking: nil)
      heard = try decoder.readSome(Self.mostFrames).count / 2
      // Anywhere, and back: nobody asks how it ends.
      for frame in [heard / 2, 3, heard + 1_000, 1 << 40, 0] {
        try decoder.seek(toFrame: Int64(frame))
        _ = try decoder.readSome(100)
      }
      seekable = true
    } catch { refusal = error }
    if heard >= Self.mostFrames { return "has no end" }
    if source.bytesRead > Self.mostReading * file.bytes.count + 4 << 20 { return "was read \(source.bytesRead) bytes" }
    if let refusal, !refusal.message.contains(source.name) { return "the fault does not name it: \(refusal)" }
    switch file.fate {
    case .either: return nil
    case .plays(let least):
      return heard >= least && seekable ? nil : "gave \(heard) frames, \(String(describing: refusal))"
    case .refused(let codes):
      guard let refusal, heard == 0 else { return "was not refused, and gave \(heard) frames" }
      return codes.contains(refusal.code) ? nil : "was refused otherwise: \(refusal)"
    }
  }

  private static func corpus() throws -> [BrokenFile] {
    let whole = try WholeFiles()
    return BrokenFile.noMusic() + BrokenFile.flac(whole) + BrokenFile.mp3(whole) + BrokenFile.vorbis(whole)
      + BrokenFile.opus(whole) + BrokenFile.oggFLAC(whole) + BrokenFile.wave(whole) + BrokenFile.aiff(whole)
  }

  @Test("each of many broken files is refused by name, or plays what it can; all end, and leave nothing in memory")
  func corpus() throws {
    let files = try Self.corpus()
    #expect(Set(files.map(\.name)).count == files.count && files.count >= 60)
    // On a stack as small as the decode thread's.
    let done = OneTime<[String]>()
    try NamedThread.start("broken files", stackBytes: 524_288) {
      var complaints: [String] = []
      for file in files {
        // What is made once for all files is made in the first of them.
        if let complaint = self.complaint(file) { complaints.append("\(file.name): \(complaint)") }
        let before = counted_heap_held()
        _ = self.complaint(file)
        let left = counted_heap_held() - before
        // libvorbisfile loses what it knows of the streams of a chain that it cannot look through.
        let lost = file.name.hasPrefix("Vorbis: a chain") ? 4_000 : 0
        if !(0...lost).contains(left) { complaints.append("\(file.name) leaves \(left) pieces of memory") }
      }
      done.give(complaints)
    }
    for complaint in done.take() { Issue.record("\(complaint)") }
  }

  @Test("a pipe is refused without waiting for somebody to write into it, and is not even opened, as no device is")
  func pipe() throws {
    let path = folder.path / "a.flac"
    #expect(path.withCString { mkfifo($0, 0o600) } == 0)
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { close(watch) }
    let isWatched = path.withCString { inotify_add_watch(watch, $0, UInt32(IN_OPEN)) } >= 0
    try #require(isWatched)
    #expect(fault(path)?.code == "A-104")
    var event = [UInt8](repeating: 0, count: 4_096)
    #expect(read(watch, &event, event.count) == -1 && errno == EAGAIN)
    // This would be seen.
    close(path.withCString { open($0, O_RDONLY | O_NONBLOCK) })
    #expect(read(watch, &event, event.count) > 0)
  }

  @Test("a file that may not be read is denied")
  func unreadable() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 100).writeFLAC(path)
    #expect(path.withCString { chmod($0, 0) } == 0)
    // Root reads everything. This thread alone becomes nobody for a moment: the system call itself, not Glibc's, which
    // changes all threads of the process.
    let nobody: UInt32 = 65_534
    let root = geteuid() == 0
    if root { #expect(path.folder.withCString { chmod($0, 0o755) } == 0) }
    let found = root ? asUser(nobody) { fault(path) } : fault(path)
    #expect(found?.kind == .denied && found?.code == "A-101")
  }

  @Test("zero hertz is refused")
  func zeroRate() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 1_000).writeFLAC(path)
    var bytes = try Bytes.read(path)
    // The rate is the 20 bits from byte 18 of the file on.
    bytes[18] = 0
    bytes[19] = 0
    bytes[20] &= 0x0F
    #expect(["A-120", "A-121"].contains(try fault(bytes, name: "b.flac")?.code))
  }

  private static let names = ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.oga", "a.wav", "a.aiff"]

  private func write(_ signal: Signal, _ path: FilePath) throws {
    switch "\(path)".split(separator: ".").last {
    case "mp3": try signal.writeMP3(path)
    case "ogg": try signal.writeVorbis(path)
    case "opus": try signal.writeOpus(path)
    case "oga": try signal.writeFLAC(path, ["--ogg"])
    case "wav": try Bytes.write(WaveBytes(signal).bytes, to: path)
    case "aiff": try Bytes.write(AIFFBytes(signal, codec: "AIFF").bytes, to: path)
    default: try signal.writeFLAC(path)
    }
  }

  /// The fuzzers are at this for longer.
  private static func count(_ many: Int) -> Int { getenv("LAYBY_LONG") != nil ? many : many / 3 }

  @Test("cut off anywhere, a file plays to the cut or is refused", arguments: BrokenFileTests.names)
  func truncated(name: String) throws {
    let path = folder.path / name
    try write(Signal(frames: 30_000), path)
    let whole = try Bytes.read(path)
    let all = try openDecoder(path).readAll()
    let seed: UInt64 = 3
    var generator = SeededGenerator(seed: seed)
    let first = Self.count(200)
    let cuts =
      Array(0..<first) + (0..<Self.count(100)).map { _ in Int.random(in: first..<whole.count, using: &generator) }
    for cut in cuts {
      try Bytes.write(Array(whole[..<cut]), to: path)
      guard let decoder = try? openDecoder(path), let heard = try? decoder.readAll() else { continue }
      #expect(heard.count <= all.count, "cut at \(cut), seed \(seed)")
      if name.hasSuffix("flac") || name.hasSuffix("oga") {
        // What the last, broken frame gives is silence at best.
        let sound = heard.count / 8_192 * 8_192
        #expect(
          heard.isEmpty
            || difference(Array(heard[..<max(0, sound - 8_192)]), Array(all[..<max(0, sound - 8_192)])) == nil)
      }
    }
  }

  @Test(
    "changed anywhere, a file plays or is refused, and never more than a little longer",
    arguments: BrokenFileTests.names)
  func flipped(name: String) throws {
    let path = folder.path / name
    try write(Signal(frames: 20_000), path)
    let whole = try Bytes.read(path)
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Self.count(300) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        // Headers more often than their share.
        let end = Bool.random(using: &generator) ? min(300, bytes.count) : bytes.count
        bytes[Int.random(in: 0..<end, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
      }
      // A page whose sum is wrong is only passed over.
      if bytes.starts(with: "OggS".utf8) && Bool.random(using: &generator) { bytes = OggPages(bytes).bytes }
      try Bytes.write(bytes, to: path)
      guard let decoder = try? openDecoder(path) else { continue }
      _ = try? decoder.readSome(100)
      try? decoder.seek(toFrame: Int64.random(in: 0..<20_000, using: &generator))
      let heard = (try? decoder.readAll())?.count ?? 0
      #expect(heard < 2 * 20_000 * 40, "seed \(seed)")
    }
  }
}
