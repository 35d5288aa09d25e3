import Offline
import Runtime
import Services
import TestSupport
import Testing

@testable import Remote

@Suite("What is asked of music that is kept offline")
struct OfflineRequestTests {
  private func read(_ words: [String]) throws(Fault) -> OfflineRequest {
    guard let verb = Verb.named("offline") else { throw Fault(.missing, "T-1", "there is no such verb") }
    return try OfflineRequest(words.map { JSON($0) }, verb)
  }

  @Test("a refusal is no longer than a person reads, however long the word was")
  func briefly() throws {
    let long = String(repeating: "x\u{301}", count: 100_000)
    #expect(Verb.unknown(long, code: "X-999").message.utf8.count < 500)
    for words in [[long], ["browse", long], ["want", "album", "a", "at", long]] {
      let fault = #expect(throws: Fault.self) { try read(words) }
      #expect(fault?.message.utf8.count ?? .max < 2_000)
    }
  }

  private static let suites = OfflineRequest.Target(kind: .album, name: "Bach/Suites")

  @Test(
    "words are understood as people type them",
    arguments: [
      ([], .list), (["list"], .list), (["refresh"], .refresh),
      (["want", "album", "Bach/Suites"], .want(suites, nil, isAnyway: false)),
      (["want", "album", "Bach/Suites", "anyway"], .want(suites, nil, isAnyway: true)),
      (["want", "albums", "Bach/Suites", "at", "very-high"], .want(suites, .veryHigh, isAnyway: false)),
      (["want", "album", "Bach/Suites", "at", "low", "anyway"], .want(suites, .low, isAnyway: true)),
      (["want", "track", "anyway"], .want(.init(kind: .track, name: "anyway"), nil, isAnyway: false)),
      (
        ["want", "album", "Meet", "me", "at", "noon", "from", "kiosk", "at", "low"],
        .want(.init(kind: .album, name: "Meet me at noon", source: "kiosk"), .low, isAnyway: false)
      ),
      (
        ["size", "artist", "Bach", "at", "low", "from", "kiosk"],
        .size(.init(kind: .artist, name: "Bach", source: "kiosk"), .low)
      ),
      (["again"], .again(nil)), (["again", "album", "Bach/Suites"], .again(suites)),
      (["drop", "album", "Bach/Suites"], .drop(suites)), (["drop", "all"], .drop(nil)),
      (["pause"], .pause(nil)), (["resume"], .resume(nil)),
      (["pause", "album", "Bach/Suites"], .pause(suites)), (["resume", "album", "Bach/Suites"], .resume(suites)),
      (["leave", "a/1.flac"], .leaveOut(.init(kind: .track, name: "a/1.flac"))),
      (["take", "track", "a/1.flac"], .takeIn(.init(kind: .track, name: "a/1.flac"))),
      (["check"], .check(.begin)), (["check", "status"], .check(.status)),
      (["check", "stop"], .check(.stop)), (["accept"], .accept(nil)), (["accept", "ssd"], .accept("ssd")),
      (["smart"], .smart),
      (["smart", "drop", "all"], .dismissSmartDownload(nil)),
      (["smart", "drop", "Air", "on", "G"], .dismissSmartDownload("Air on G")),
      (["play", "album", "Bach/Suites"], .play(suites)),
      (["queue", "tracks", "a/1.flac"], .queue(.init(kind: .track, name: "a/1.flac"))),
      (["disks"], .disks), (["move"], .move(nil)), (["move", "ssd"], .move("ssd")),
      (["pay", "album", "Bach/Suites"], .pay(suites, true)), (["spare", "album", "Bach/Suites"], .pay(suites, false)),
      (["plan"], .plan(count: 20)), (["plan", "1000"], .plan(count: 1_000)),
      (["browse", "albums"], .browse(.album, source: nil, words: [])),
      (["browse", "albums", "from", "kiosk"], .browse(.album, source: "kiosk", words: [])),
      (["browse", "track", "air", "bach", "from", "kiosk"], .browse(.track, source: "kiosk", words: ["air", "bach"])),
      (["want", "track", "from"], .want(.init(kind: .track, name: "from"), nil, isAnyway: false)),
    ] as [([String], OfflineRequest)])
  func understood(words: [String], request: OfflineRequest) throws { #expect(try read(words) == request) }

  @Test(
    "what is not is refused with what was expected",
    arguments: [
      (["wont"], "offline wont"), (["want"], "album"), (["want", "album"], "no album was named"),
      (["want", "disc", "x"], "\"disc\""), (["want", "album", "x", "at", "loud"], "very-high"),
      (["plan", "0"], "1 to"), (["move", "to", "ssd"], "offline move"), (["disks", "all"], "offline disks"),
      (["check", "it"], "offline check"), (["accept", "x", "y"], "offline accept"),
      (["smart", "drop"], "expected: layby"), (["smart", "all"], "expected: layby"), (["plan", "1001"], "1 to"),
      (["plan", "x"], "1 to"), (["browse"], "album"), (["list", "all"], "expected: layby"),
      (["want", "album", "from", "kiosk"], "no album"),
    ] as [([String], String)])
  func refused(words: [String], told: String) {
    let fault = #expect(throws: Fault.self) { try read(words) }
    #expect(fault?.code == "X-130" && fault?.message.contains(told) == true, "\(fault as Any)")
  }
}
