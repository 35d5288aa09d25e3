import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A queue of 10,000 files of which half are gone", .serialized)
  struct LongQueueTests {
    enum Gaps: CaseIterable, Sendable { case everyOther, longRuns }

    @Test("plays what is there, all of it and in order", arguments: Gaps.allCases)
    func halfGone(gaps: Gaps) async throws {
      let home = try Home()
      let kinds = try await Self.kinds(in: home)
      // Seeded, so that no period of the queue's could be mistaken for another.
      var dice = SeededGenerator(seed: 7)
      var expected: [UInt8] = []
      let queue = (0..<10_000).map { index -> FilePath in
        let path = home.folder / "\(index).flac"
        let isThere = gaps == .everyOther ? index % 2 == 1 : index / 2_500 % 2 == 1
        if isThere {
          let kind = Int.random(in: 0..<kinds.count, using: &dice)
          _ = kinds[kind].path.withCString { from in path.withCString { link(from, $0) } }
          expected += kinds[kind].samples
        }
        return path
      }
      let wave = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(wave)", in: home)
      _ = try await player.add(queue)
      try await player.ask("play")
      // Thousands of files take their time on a busy machine; that it gets on is what each of these waits for.
      for place in stride(from: 250, to: 10_000, by: 250) {
        try await player.status { $0["index"]?.whole ?? 0 >= place || $0["state"] == "stopped" }
      }
      try await player.tells("The queue has ended")
      try await player.status { $0["state"] == "stopped" }
      #expect(try await player.status()["count"]?.whole == 10_000)
      try await player.stop()
      #expect(try samples(of: wave) == expected)
    }

    @Test("that are all gone ends, round and round as it may be asked to go")
    func allGone() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      _ = try await player.add((0..<10_000).map { home.folder / "\($0).flac" })
      try await player.ask("repeat", "all")
      try await player.ask("play")
      // As above.
      for place in stride(from: 500, to: 10_000, by: 500) {
        try await player.status { $0["index"]?.whole ?? 0 >= place || $0["state"] == "stopped" }
      }
      try await player.tells("P-105")
      try await player.status { $0["state"] == "stopped" }
      try await player.stop()
    }

    private struct Kind {
      let path: FilePath
      let samples: [UInt8]
    }

    private static func kinds(in home: Home) async throws -> [Kind] {
      var kinds: [Kind] = []
      for number in 1...5 {
        let path = try await home.flac("kind\(number)", seconds: 0.01, tone: 441 * Double(number))
        let wave = home.folder / "kind.wav"
        try await tool("flac", "-dfs", "-o", "\(wave)", "\(path)", in: home)
        kinds.append(Kind(path: path, samples: try samples(of: wave)))
      }
      return kinds
    }
  }
}
