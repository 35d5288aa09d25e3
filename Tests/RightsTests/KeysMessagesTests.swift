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
    return [
      .trust([:]), .trust(["depot": root, "other": root]), .key(track, of: "Track 1"), .card, .time, .standing, .lines,
      .keepClock, .rotate, .take(Array("{}".utf8), from: "depot"), .proof(proof),
    ]
  }

  private static func read(_ frame: [UInt8]) throws(Fault) -> KeysRequest? {
    guard frame.count >= KeysFrame.headLength, let kind = KeysRequest.Kind(rawValue: frame[4]) else { return nil }
    let body = Array(frame[KeysFrame.headLength...])
    guard KeysFrame.length(frame) == body.count else { return nil }
    return try KeysRequest(kind, body)
  }

  @Test("each request is read as it was written")
  func thereAndBack() throws {
    for request in try Self.requests() { #expect(try Self.read(request.frame) == request) }
  }

  @Test("cut anywhere, or with a byte more, a request that has a form of its own is refused")
  func cut() throws {
    let root = try MadeUpService().rootKey
    for request in [KeysRequest.trust(["depot": root]), .card, .lines, .rotate] {
      let body = Array(request.frame[KeysFrame.headLength...])
      for count in 0..<body.count {
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
        var other = frame
        other[place] ^= 0x55
        do throws(Fault) {
          let read = try Self.read(other)
          #expect(read != request, "byte \(place) of \(request.kind) says nothing")
        } catch { continue }  // Refused, as it may be.
      }
    }
  }

  @Test("a source is named as in layby.conf, so that no name leads to another file")
  func names() throws {
    let root = try MadeUpService().rootKey
    for name in ["../device", "a/b", "", "a b"] {
      let bytes = [1, UInt8(name.utf8.count)] + Array(name.utf8) + root.bytes
      #expect(throws: Fault.self) { try KeysRequest(.trust, bytes) }
      #expect(throws: Fault.self) { try KeysRequest(.take, [UInt8(name.utf8.count)] + Array(name.utf8)) }
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

  @Test("each verdict goes over as it is, and answers come back with their reasons")
  func verdicts() throws {
    let verdicts: [Verdict] = [
      .plays(days: nil), .plays(days: 30), .endsSoon(days: 2), .ended(at: 1_800_000_000), .otherDevice, .timeLost,
      .notYet,
    ]
    for verdict in verdicts { #expect(try Verdict(verdict.json) == verdict) }
    let fault = Fault(.denied, "E-161", "it ended")
    let frame = KeysAnswer.refused(fault).frame
    let kind = try #require(KeysAnswer.Kind(rawValue: frame[4]))
    #expect(try KeysAnswer(kind, Array(frame[KeysFrame.headLength...])) == .refused(fault))
  }

  @Test("so many requests are allowed at once, and then so many a second")
  func rate() {
    var rate = RequestRate(most: 3, perSecond: 2)
    let start = Moment(nanoseconds: 5_000_000_000)
    #expect((0..<5).map { _ in rate.allows(at: start) } == [true, true, true, false, false])
    #expect(!rate.allows(at: start + .milliseconds(400)))
    #expect(rate.allows(at: start + .milliseconds(600)))
    #expect(!rate.allows(at: start + .milliseconds(700)))
    // A long rest gives no more than there is room for.
    let later = start + .seconds(3_600)
    #expect((0..<4).map { _ in rate.allows(at: later) } == [true, true, true, false])
  }
}
