import Ciphers
import Runtime
import Seals
import TestSupport
import Testing

@testable import Rights
@testable import keys

@Suite("What goes over the socket of layby-keys")
struct KeysMessagesTests {
  private static func requests() throws -> [KeysRequest] {
    let root = try MadeUpService().rootKey
    let track = try #require(MadeUpService.track)
    let proof = try ProvenRequest("POST", "https://depot.example/licences", token: "abc.def", nonce: "n-1")
    let answer = KeysRequest.SignedAnswer(time: "a.b.c", keys: "d.e.f", question: [UInt8](repeating: 3, count: 24))
    return [
      .trust([:]), .trust(["depot": root, "other": root]), .key(track, of: "Track 1"), .card, .standing, .lines,
      .accounts, .forfeits, .keepClock, .rotate, .timeQuestion, .time(of: ""), .time(of: "depot"), .playable([]),
      .playable([track, track]), .take(Array("{}".utf8), from: "depot"), .takeTime(answer, from: "depot"),
      .forget("depot"), .proof(proof), .session(of: "depot"), .keepSession([], of: "depot"),
      .keepSession([1, 2, 3], of: "depot"),
    ]
  }

  private static func read(_ frame: [UInt8]) throws(Fault) -> KeysRequest? {
    guard let head = KeysFrame.read(frame), let kind = KeysRequest.Kind(rawValue: head.kind) else { return nil }
    let body = Array(frame[KeysFrame.headLength...])
    guard head.count == body.count else { return nil }
    return try KeysRequest(kind, body)
  }

  @Test("each request is read as it was written, and there is one of each kind")
  func thereAndBack() throws {
    for request in try Self.requests() { #expect(try Self.read(request.frame) == request) }
    let kinds = Set(try Self.requests().map(\.kind))
    #expect(kinds.count == KeysRequest.Kind.allCases.count)
  }

  @Test("a frame is what the page says, byte by byte")
  func bytes() throws {
    #expect(KeysRequest.card.frame == [1, 3, 0, 0, 0, 0])
    #expect(KeysRequest.time(of: "").frame == [1, 11, 0, 0, 0, 1, 0])
    #expect(KeysRequest.session(of: "ab").frame == [1, 17, 0, 0, 0, 3, 2, 0x61, 0x62])
    #expect(KeysAnswer.done(.null).frame == [1, 0x80, 0, 0, 0, 4] + Array("null".utf8))
    let root = try MadeUpService().rootKey
    #expect(KeysRequest.trust(["a": root]).frame == [1, 1, 0, 0, 0, 35, 1, 1, 0x61] + root.bytes)
    // Another version, and less than a head.
    #expect(KeysFrame.read([2, 3, 0, 0, 0, 0]) == nil && KeysFrame.read([1, 3, 0, 0, 0]) == nil)
  }

  @Test("cut anywhere, or with a byte more, a request that has a form of its own is refused")
  func cut() throws {
    let root = try MadeUpService().rootKey
    let track = try #require(MadeUpService.track)
    for request in [
      KeysRequest.trust(["depot": root]), .card, .lines, .rotate, .time(of: "depot"), .forget("depot"),
      .session(of: "depot"), .playable([track]),
    ] {
      let body = Array(request.frame[KeysFrame.headLength...])
      for count in 0..<body.count where !(request.kind == .playable && count == 0) {
        #expect(throws: Fault.self) { try KeysRequest(request.kind, Array(body[..<count])) }
      }
      #expect(throws: Fault.self) { try KeysRequest(request.kind, body + [0]) }
    }
  }

  @Test("with any byte flipped it is refused, or asks for something else of the same form")
  func flipped() throws {
    for request in try Self.requests() {
      let frame = request.frame
      for place in frame.indices {
        for bit in 0..<8 {
          var other = frame
          other[place] ^= 1 << bit
          do throws(Fault) {
            let read = try Self.read(other)
            #expect(read != request, "byte \(place) of \(request.kind) says nothing")
          } catch { continue }  // Refused, as it may be.
        }
      }
    }
  }

  @Test("no request is longer than its kind allows, and one that is longer is refused")
  func bounds() throws {
    for kind in KeysRequest.Kind.allCases {
      #expect(throws: Fault.self, "\(kind)") {
        try KeysRequest(kind, [UInt8](repeating: 0x20, count: kind.longest + 1))
      }
    }
  }

  @Test("a source is named as in layby.conf, so that no name leads to another file")
  func names() throws {
    let root = try MadeUpService().rootKey
    for name in ["../device", "a/b", "", "a b", "..", "."] {
      let named = [UInt8(name.utf8.count)] + Array(name.utf8)
      #expect(throws: Fault.self) { try KeysRequest(.trust, [1] + named + root.bytes) }
      for kind in [KeysRequest.Kind.take, .forget, .session, .keepSession] {
        #expect(throws: Fault.self) { try KeysRequest(kind, named) }
      }
    }
  }

  @Test("only a request over HTTP is signed")
  func proofs() throws {
    for (method, address) in [
      ("", "https://a/"), ("get", "https://a/"), ("GET", "file:///etc/passwd"), ("GET", "https://a/\nb"), ("GET", "x"),
    ] {
      #expect(try faultOf { try ProvenRequest(method, address, token: nil, nonce: nil) }.code == "E-186")
    }
    #expect(throws: Fault.self) {
      try ProvenRequest("GET", "https://a/", token: String(repeating: "a", count: 4_097), nonce: nil)
    }
  }

  @Test("each verdict, account and forfeit goes over as it is, and answers come back with their reasons")
  func answers() throws {
    let verdicts: [Verdict] = [
      .plays(days: nil), .plays(days: 30), .endsSoon(days: 2), .unpaid(days: nil), .unpaid(days: 3),
      .ended(at: 1_800_000_000), .playedOut(at: 1_800_000_000), .unpaidTooLong(at: 1_800_000_000),
      .withoutSubscription, .unknownSubscription, .takenBack(why: "its label wants it so"), .otherRegion, .otherDevice,
      .timeLost, .restored, .notYet,
    ]
    for verdict in verdicts { #expect(try Verdict(verdict.json) == verdict) }
    #expect(throws: Fault.self) { try Verdict(["is": "plays well"]) }
    let facts = LicenceFacts(id: "a", serial: 3, title: "Elsewhere", issued: 5, ends: nil, tracks: 9)
    let line = DeviceRights.Line(source: "depot", licence: facts, verdict: .plays(days: nil))
    #expect(try DeviceRights.Line(line.json) == line)
    let account = DeviceRights.Account(
      source: "depot", issued: 5, subscription: .lapsed, graceEnds: 9, region: "DE")
    #expect(try DeviceRights.Account(account.json) == account)
    let fault = Fault(.denied, "E-161", "it ended")
    let forfeit = DeviceRights.Forfeit(key: try #require(MadeUpService.track), why: fault)
    #expect(try DeviceRights.Forfeit(forfeit.json) == forfeit)
    let frame = KeysAnswer.refused(fault).frame
    let kind = try #require(KeysAnswer.Kind(rawValue: frame[1]))
    #expect(try KeysAnswer(kind, Array(frame[KeysFrame.headLength...])) == .refused(fault))
  }

  @Test("so many requests are allowed at once, and then so many a second")
  func rate() {
    var rate = RequestRate(most: 3, perSecond: 2)
    func allowed(_ count: Int, at now: Moment) -> Int { (0..<count).filter { _ in rate.allows(at: now) }.count }
    let start = Moment(nanoseconds: 5_000_000_000)
    #expect(allowed(5, at: start) == 3)
    #expect(allowed(1, at: start + .milliseconds(400)) == 0)
    #expect(allowed(2, at: start + .milliseconds(600)) == 1)
    #expect(allowed(1, at: start + .milliseconds(700)) == 0)
    // A long rest gives no more than there is room for.
    #expect(allowed(9, at: start + .seconds(3_600)) == 3)
  }
}
