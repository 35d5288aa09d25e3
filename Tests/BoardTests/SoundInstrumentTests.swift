import Runtime
import Testing
import VirtualBoard

@Suite("The sound loop, heard by arecord", .enabled(if: Board.isWanted, Board.whyNot))
struct SoundInstrumentTests {
  private static let format = "-t raw -f S16_LE -r 44100 -c 2"

  @Test("gives exactly the bytes that aplay played")
  func exact() async throws {
    try await Board.with(.ready) { board in
      // Behind the noise some silence, which takes the loop's stale frames at the end upon itself.
      try board.says("head -c 529200 /dev/urandom > /tmp/noise; head -c 176400 /dev/zero > /tmp/silence")
      try board.start("arecord -q -D hw:Loop,1,0 \(Self.format) -d 6 /tmp/heard", into: "/tmp/arecord")
      try board.waitUntil("arecord runs") { () throws(Fault) in
        try board.shell("grep -q RUNNING /proc/asound/Loop/pcm1c/sub0/status").code == 0
      }
      try board.says("cat /tmp/noise /tmp/silence | aplay -q -D hw:Loop,0,0 \(Self.format)")
      try board.waitUntil("arecord has ended") { () throws(Fault) in try board.shell("pidof arecord").code != 0 }
      let noise = try board.shell("cat /tmp/noise").bytes
      let heard = try board.shell("cat /tmp/heard").bytes
      #expect(noise.count == 529_200)
      let place = try #require(heard.firstRange(of: noise.prefix(64)), "nothing of it was heard")
      #expect(Array(heard[place.lowerBound...].prefix(noise.count)) == noise)
    }
  }

  @Test("is silent when nothing plays")
  func silent() async throws {
    try await Board.with(.ready) { board in
      let heard = try board.shell("timeout 20 arecord -q -D hw:Loop,1,0 \(Self.format) -d 1 /dev/stdout").bytes
      #expect(heard.allSatisfy { $0 == 0 })
    }
  }
}
