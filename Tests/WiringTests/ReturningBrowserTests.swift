import Testing

@testable import layby

@Suite("A browser that comes back to sign in")
struct ReturningBrowserTests {
  private static func answer(_ line: String) -> ReturningBrowser.Answer {
    ReturningBrowser.answer(to: line + "\r\nHost: 127.0.0.1\r\n\r\n", "s1")
  }

  @Test("gives its code, or why it was refused")
  func comesBack() {
    #expect(Self.answer("GET /back?code=a%2Bb&state=s1 HTTP/1.1") == .code("a+b"))
    #expect(Self.answer("GET /back?error=access_denied&state=s1 HTTP/1.1") == .refused("access_denied"))
    let why = "GET /back?error=x&error_description=too+many&state=s1 HTTP/1.1"
    #expect(Self.answer(why) == .refused("too many"))
  }

  @Test(
    "whoever else comes gets nothing",
    arguments: [
      "", "GET", "GET /back HTTP/1.1", "GET /back?code=a HTTP/1.1", "GET /back?code=a&state=s2 HTTP/1.1",
      "GET /back?code=&state=s1 HTTP/1.1", "POST /back?code=a&state=s1 HTTP/1.1", "GET /?code=a&state=s1 HTTP/1.1",
      "GET /back?code=a&state=s1&state=s1 HTTP/1.1", "GET /back?code=a&state=s1", "GET /back?error=x HTTP/1.1",
    ])
  func stranger(line: String) { #expect(Self.answer(line) == .stranger) }
}
