import Testing

@testable import HTTP

@Suite("An answer's head is read from its lines")
struct HeadReaderTests {
  private func read(_ lines: [String], with reader: inout HeadReader) -> HeadReader.Progress {
    var last = HeadReader.Progress.more
    for line in lines {
      last = Array((line + "\r\n").utf8).withUnsafeBytes { reader.take($0) }
      if last != .more { return last }
    }
    return last
  }

  private func read(_ lines: String...) -> HeadReader.Progress {
    var reader = HeadReader()
    return read(lines, with: &reader)
  }

  @Test("names are folded, values keep their words")
  func plain() {
    let head = AnswerHead(
      status: 206, version: .http1,
      headers: [.init(name: "content-range", value: "bytes 0-1/2"), .init(name: "x", value: "a: b")])
    #expect(read("HTTP/1.1 206 Partial Content", "Content-RANGE:  bytes 0-1/2 ", "X:a: b", "") == .whole(head))
  }

  @Test("a header whose name no header can have is passed over", arguments: ["\u{301}\u{316}", "x y", "\u{E9}", ""])
  func names(name: String) {
    let head = AnswerHead(status: 200, headers: [.init(name: "x-a_b", value: "1")])
    #expect(read("HTTP/1.1 200 OK", "\(name): 2", "X-a_b: 1", "") == .whole(head))
  }

  @Test("HTTP/2 has no reason, and is known by its number")
  func second() { #expect(read("HTTP/2 404 ", "") == .whole(AnswerHead(status: 404, version: .http2))) }

  @Test("an interim answer is passed over")
  func interim() {
    #expect(read("HTTP/1.1 100 Continue", "X: a", "", "HTTP/1.1 200 OK", "") == .whole(AnswerHead(status: 200)))
  }

  @Test("a value that goes on in the next line goes on")
  func folded() {
    let head = AnswerHead(status: 200, headers: [.init(name: "x", value: "a b")])
    #expect(read("HTTP/1.1 200 OK", "X: a", "\tb", "") == .whole(head))
  }

  @Test(
    "what is no head is refused",
    arguments: [
      [""], ["X: a"], ["HTTP/1.1"], ["HTTP/1.1 20 OK"], ["HTTP/1.1 2x0"], ["HTTP/1.1 099 X"],
      ["HTTP/1.1 200 OK", " a"],
    ])
  func malformed(lines: [String]) {
    var reader = HeadReader()
    #expect(read(lines, with: &reader) == .malformed)
  }

  @Test("more headers than any honest server sends are refused, and so are longer ones")
  func bounds() {
    var reader = HeadReader()
    let many = ["HTTP/1.1 200 OK"] + (0..<101).map { "X-\($0): a" }
    #expect(read(many, with: &reader) == .tooLarge)
    var another = HeadReader()
    #expect(read(many.dropLast() + [""], with: &another) != .tooLarge)
    #expect(read("HTTP/1.1 200 OK", "X: " + String(repeating: "a", count: 32_768)) == .tooLarge)
    var endless = HeadReader()
    let interims = Array(repeating: ["HTTP/1.1 100 Continue", ""], count: 2_000).flatMap { $0 }
    #expect(read(interims, with: &endless) == .tooLarge)
  }

  @Test("what comes after the head's end counts for nothing")
  func trailers() {
    var reader = HeadReader()
    _ = read(["HTTP/1.1 200 OK", ""], with: &reader)
    #expect(read(["X: a", ""], with: &reader) == .more)
  }

  @Test(
    "an encoding that was not asked for is known",
    arguments: [
      ("content-encoding", "gzip", true), ("content-encoding", "identity", false), ("content-encoding", "", false),
      ("transfer-encoding", "chunked", false), ("transfer-encoding", "gzip, chunked", true),
      ("x-content-encoding", "gzip", false),
    ])
  func encoded(name: String, value: String, isEncoded: Bool) {
    let headers = [AnswerHead.Header(name: name, value: value)]
    #expect(AnswerHead(status: 200, headers: headers).isEncoded == isEncoded)
    #expect(!AnswerHead(status: 404, headers: headers).isEncoded)
  }
}
