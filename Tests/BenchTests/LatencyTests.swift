import Glibc
import Runtime
import Testing

@testable import bench

@Suite("When a device was handed what")
struct LatencyTests {
  private func record(_ at: Int64, _ left: UInt32, _ right: UInt32) -> [UInt8] {
    withUnsafeBytes(of: at) { Array($0) } + withUnsafeBytes(of: left) { Array($0) }
      + withUnsafeBytes(of: right) { Array($0) }
  }

  private func moment(_ at: Int64) -> Moment { Moment(nanoseconds: at) }

  @Test("records are understood however they are cut into pieces")
  func pieces() {
    let bytes = record(7, 1, 2) + record(.max, .max, 0) + record(9, 3, 4)
    for piece in [1, 3, 16, 17, bytes.count] {
      var log = HandedLog()
      for start in stride(from: 0, to: bytes.count, by: piece) {
        log.take(bytes[start..<min(start + piece, bytes.count)])
      }
      #expect(log.helpings.map(\.at.nanoseconds) == [7, .max, 9])
      #expect(log.helpings.map(\.left) == [1, .max, 3] && log.helpings.map(\.right) == [2, 0, 4])
    }
  }

  private static let loud = HandedLog.quiet + 1

  @Test(
    "the first sound is the first loud one in its channel that is not older than the wish",
    arguments: [
      (HandedLog.Channel.any, 0, 20), (.left, 0, 20), (.right, 0, 40), (.any, 21, 30), (.left, 31, nil),
      (.right, 41, nil),
      (.any, 40, 40),
    ] as [(HandedLog.Channel, Int64, Int64?)])
  func first(channel: HandedLog.Channel, after: Int64, at: Int64?) {
    var log = HandedLog()
    log.take(record(10, HandedLog.quiet, HandedLog.quiet))
    log.take(record(20, Self.loud, 0))
    log.take(record(30, Self.loud, HandedLog.quiet))
    log.take(record(40, 0, Self.loud))
    #expect(log.firstSound(in: channel, after: moment(after)) == at.map { moment($0) })
  }

  @Test("one channel is silenced and the other stays as it is")
  func sides() {
    let frames: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(SidedMusic.silenced(frames, left: true) == [0, 0, 3, 4, 0, 0, 7, 8])
    #expect(SidedMusic.silenced(frames, left: false) == [1, 2, 0, 0, 5, 6, 0, 0])
  }

  @Test("where a track is sought to, the other channel sounds")
  func halves() { #expect(SidedMusic.far * 2 > SidedMusic.seconds && SidedMusic.far < SidedMusic.seconds) }

  @Test("a read file that is dropped is in memory no more, and a missing one is a fault")
  func cold() throws {
    let scratch = try Scratch()
    let path = scratch.path / "file"
    try AtomicFile.replace(path, with: [UInt8](repeating: 7, count: 300_000))
    try PageCache.warm(path)
    do { try PageCache.drop(path) } catch {
      // What lies in memory anyway, as on a tmpfs, cannot be dropped, and is told as that.
      #expect(error.kind == .unsupported && error.code == "B-222")
    }
    #expect(throws: Fault.self) { try PageCache.drop(scratch.path / "none") }
  }

  @Test("rounds are each bench's own unless they are given")
  func rounds() throws {
    #expect(try BenchOptions(["latency"]).rounds == nil)
    #expect(try BenchOptions(["latency", "--rounds", "3"]).rounds == 3)
  }
}
