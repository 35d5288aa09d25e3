import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("What is heard", .enabled(if: Board.isWanted, Board.whyNot))
struct SoundTests {
  /// The samples of a file, as Debian's own decoder gives them.
  static func samples(_ path: String, on board: VirtualBoard) throws -> [Int16] {
    let folder = TempFolder()
    let copy = folder.path / "track.flac"
    try AtomicFile.replace(copy, with: try board.shell("cat \(VirtualBoard.quoted(path))").bytes)
    let raw = folder.path / "track.raw"
    try Spawned.run(
      [
        "flac", "--decode", "--silent", "--force-raw-format", "--endian=little", "--sign=signed",
        "--output-name=\(raw)",
        "\(copy)",
      ], output: folder.path / "flac")
    let bytes = try AtomicFile.read(raw, limit: 1 << 28)
    return Recording(rate: 44_100, channels: 2, format: "S16_LE", bytes: bytes).samples16 ?? []
  }

  @Test("is the file, bit for bit, for ten seconds and more from anywhere in it")
  func exact() async throws {
    try await Board.with(.playing) { board in
      let seed = UInt64(Moment.now.nanoseconds)
      var dice = SeededGenerator(seed: seed)
      try board.layby("volume", "100")
      try board.layby("repeat", "one")
      let status = try board.status()
      let length = status["duration_s"]?.double ?? 0
      let place = Double.random(in: 0...max(length - 19, 0), using: &dice)
      try board.layby("seek", "\(Int(place))")
      // What the device holds already was made at the volume before.
      try board.says("sleep 2")
      let heard = try board.hears(seconds: 14)
      let path = try #require(status["path"]?.string)
      let file = try Self.samples(path, on: board)
      try Self.expect(heard, in: file, seconds: 10, "seed \(seed), \(place) s of \(length) s of \(path)")
    }
  }

  /// So many seconds of what was heard, and more, are the file's, bit for bit.
  static func expect(_ heard: Recording, in file: [Int16], seconds: Double, _ where: String) throws {
    let recorded = try #require(heard.samples16, "\(`where`): more than 16 bits in \(heard.format)")
    #expect(heard.channels == 2 && heard.rate == 44_100)

    // Where a tenth of a second from the middle stands in the file says where the rest must.
    let probe = recorded.count / 2 / 2 * 2
    let window = recorded[probe..<probe + 8_820]
    let found = try #require(file.place(of: window), "\(`where`): what is heard is nowhere in it")
    var start = probe
    var end = probe
    while start > 0, found - (probe - start) > 0, recorded[start - 1] == file[found - (probe - start) - 1] {
      start -= 1
    }
    while end < recorded.count, found + (end - probe) < file.count, recorded[end] == file[found + (end - probe)] {
      end += 1
    }
    let exact = Double(end - start) / Double(heard.rate * heard.channels)
    #expect(exact >= seconds, "\(`where`): \(exact) s are the file's")
  }

  @Test("is no longer the file at a lower volume")
  func quieter() async throws {
    try await Board.with(.playing) { board in
      try board.layby("volume", "50")
      let heard = try board.hears(seconds: 3)
      let path = try #require(try board.status()["path"]?.string)
      let file = try Self.samples(path, on: board)
      let recorded = heard.samples16 ?? []
      #expect(!heard.isSilent)
      #expect(recorded.isEmpty || file.place(of: recorded[(recorded.count / 4 * 2)...].prefix(8_820)) == nil)
    }
  }
}

extension [Int16] {
  /// The even place at which `window` stands; nil when it does not, or is silence.
  func place(of window: ArraySlice<Int16>) -> Int? {
    let window = Array(window)
    guard let first = window.first, window.contains(where: { $0 != 0 }), count >= window.count else { return nil }
    return stride(from: 0, through: count - window.count, by: 2).first { start in
      self[start] == first && self[start..<start + window.count].elementsEqual(window)
    }
  }
}
