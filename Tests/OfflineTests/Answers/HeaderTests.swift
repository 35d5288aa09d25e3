import Runtime
import Testing

@testable import Offline

@Suite("What heads of answers say")
struct HeaderTests {
  @Test(
    "ranges",
    arguments: [
      ("bytes 0-499/1234", ContentRange.part(first: 0, last: 499, total: 1234)),
      ("bytes 500-1233/1234", .part(first: 500, last: 1233, total: 1234)),
      ("BYTES 500-999/*", .part(first: 500, last: 999, total: nil)),
      ("bytes */1234", .nothing(of: 1234)), ("bytes */0", .nothing(of: 0)),
    ])
  func ranges(text: String, range: ContentRange) { #expect(ContentRange(text) == range) }

  @Test(
    "ranges that say nothing",
    arguments: [
      "", "bytes", "bytes 1-2", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-4/10", "bytes 1-/10", "items 0-4/10",
      "bytes 0-4/ten", "bytes */*", "bytes 0-99999999999999999999/*", "bytes 0-4/10/12", "bytes 0-+4/10",
      "bytes 0 - 4/10", "bytes=0-4/10", "bytes 0-9223372036854775807/*", "bytes 0-281474976710657/*",
      "bytes 0-4/9223372036854775807", "bytes */9223372036854775807",
    ])
  func nonsenseRanges(text: String) { #expect(ContentRange(text) == nil) }

  @Test("what is longer than any disk is no length")
  func tooLong() {
    #expect(Self.answer([("Content-Length", "\(MediaResponse.longestFile)")]).length == MediaResponse.longestFile)
    for length in ["\(MediaResponse.longestFile + 1)", "9223372036854775807"] {
      let answer = Self.answer([("Content-Length", length)], status: 200)
      #expect(answer.length == nil && answer.total == nil && !answer.contradictsItself)
    }
  }

  @Test("tags are strong or weak, and in quotes")
  func tags() {
    #expect(EntityTag("\"a-1\"").map { [$0.text, "\($0.isWeak)"] } == ["\"a-1\"", "false"])
    #expect(EntityTag("W/\"a\"")?.isWeak == true)
    #expect(EntityTag("\"\"") != nil)
    for text in ["", "a", "\"", "w/\"a\"", "\"a\"b\"", "\"a b\"", "W/", "\"\(String(repeating: "a", count: 600))\""] {
      #expect(EntityTag(text) == nil)
    }
  }

  /// All the same moment.
  static let dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]

  @Test("dates in the three forms that are allowed", arguments: dates)
  func threeForms(text: String) { #expect(HTTPDate.seconds(text, now: 1_700_000_000) == 784_111_777) }

  @Test(
    "days are counted right across leap years",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0 as Int64), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Tue, 31 Dec 2030 23:59:59 GMT", 1_924_991_999),
    ])
  func days(text: String, seconds: Int64) { #expect(HTTPDate.seconds(text, now: nil) == seconds) }

  @Test(
    "no dates",
    arguments: [
      "", "soon", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nix 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 19940 08:49:37 GMT",
    ])
  func noDates(text: String) { #expect(HTTPDate.seconds(text, now: 0) == nil) }

  static func answer(_ headers: [(String, String)], status: Int = 503, now: Int64? = nil) -> MediaResponse {
    MediaResponse(status: status, headers: headers.map { (name: $0.0, value: $0.1) }, now: now)
  }

  @Test("a pause is in seconds, or up to a date by the server's clock, else by ours")
  func pauses() {
    let later = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(Self.answer([("Retry-After", "120")]).retryAfter == .seconds(120))
    #expect(Self.answer([("Retry-After", later)], now: 784_111_777).retryAfter == .seconds(60))
    // Our clock has no say where the server tells its own.
    #expect(Self.answer([("Retry-After", later), ("Date", Self.dates[0])], now: 5).retryAfter == .seconds(60))
    #expect(Self.answer([("Retry-After", later)]).retryAfter == nil)
    #expect(Self.answer([("Retry-After", Self.dates[0]), ("Date", later)]).retryAfter == .zero)
    for text in ["-5", "1.5", "", "later"] { #expect(Self.answer([("Retry-After", text)]).retryAfter == nil) }
    #expect(Self.answer([("Retry-After", "99999999999999999999")]).retryAfter == .seconds(366 * 86_400))
  }

  @Test("lines that contradict each other are not believed, and names are in any letters")
  func contradictions() {
    #expect(Self.answer([("content-LENGTH", "5"), ("Content-Length", "5")]).length == 5)
    let twice = Self.answer([("Content-Length", "5"), ("Content-Length", "6")])
    #expect(twice.length == nil && twice.contradictsItself)
    #expect(Self.answer([("ETag", "\"a\""), ("ETag", "\"b\"")]).tag == nil)
    #expect(Self.answer([("Content-Length", "+5")]).length == nil)
    let long = String(repeating: "1", count: 5_000)
    #expect(Self.answer([("Content-Length", long)]).length == nil)
  }

  @Test(
    "types",
    arguments: [
      ("text/html; charset=utf-8", true), ("TEXT/HTML", true), ("application/xhtml+xml", true), ("text/xml", true),
      ("application/xml", true), ("image/svg+xml", true), ("audio/flac", false), ("application/octet-stream", false),
      ("", false), ("nonsense", false), ("text/plain", false),
    ])
  func types(text: String, isPage: Bool) { #expect(Self.answer([("Content-Type", text)]).isPage == isPage) }

  @Test(
    "a body that begins as pages begin",
    arguments: [
      ("<!DOCTYPE html><html>", true), ("  \r\n<html lang=en>", true), ("\u{FEFF}<?xml version=\"1.0\"?>", true),
      ("<subsonic-response status=\"failed\">", true), ("fLaC\u{0}", false), ("ID3", false), ("", false), ("<", false),
      ("OggS", false), ("RIFF", false),
    ])
  func bodies(text: String, isPage: Bool) { #expect(BodyStart.isPage(Array(text.utf8)) == isPage) }
}
