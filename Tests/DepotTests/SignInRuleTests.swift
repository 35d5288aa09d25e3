import Runtime
import TestSupport
import Testing

@testable import depot

@Suite("Rules of signing in")
struct SignInRuleTests {
  // MARK: Refresh tokens

  @Test("each token gives the next, and the one before the newest gives the newest again, however often")
  func rotates() {
    var chain = RefreshChain(newest: 1)
    #expect(chain.show(1, isSameKey: true) == .next(2))
    // The answer was lost, three times.
    for _ in 1...3 { #expect(chain.show(1, isSameKey: true) == .again(2)) }
    #expect(chain.show(2, isSameKey: true) == .next(3))
  }

  @Test("a token whose successor was used ends the session")
  func reuse() {
    var chain = RefreshChain(newest: 1)
    _ = chain.show(1, isSameKey: true)
    _ = chain.show(2, isSameKey: true)
    #expect(chain.show(1, isSameKey: true) == .over, "who has a copied token goes on")
  }

  @Test("another key gets nothing with the newest token, and ends the session with one that was used")
  func otherKey() {
    var chain = RefreshChain(newest: 1)
    #expect(chain.show(1, isSameKey: false) == .refused)
    #expect(chain.show(1, isSameKey: true) == .next(2))
    #expect(chain.show(1, isSameKey: false) == .over)
  }

  @Test("a device goes on when the service was put back from a copy")
  func putBack() {
    var chain = RefreshChain(newest: 3)
    #expect(chain.show(7, isSameKey: true) == .next(8))
  }

  @Test("whatever is cut off, a device that sends what it has kept is never signed out", arguments: 0..<200)
  func walk(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var chain = RefreshChain(newest: 1)
    var kept: Int64 = 1
    for _ in 0..<50 {
      switch chain.show(kept, isSameKey: true) {
      case .next(let number), .again(let number):
        // Half of the answers never arrive, or are not kept.
        if Bool.random(using: &random) { kept = number }
      case .refused, .over: Issue.record("signed out with \(kept) of \(chain.newest)")
      }
    }
  }

  @Test("a refresh token is known again, and none that was changed at any letter is")
  func refreshToken() throws {
    let seal = try ServiceSeal.sample()
    let token = RefreshToken(session: [UInt8](0..<16), number: 12)
    let text = try token.text(seal)
    #expect(try RefreshToken(text, seal) == token)
    for place in text.indices {
      var changed = text
      changed.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
      #expect(try RefreshToken(changed, seal) == nil, "\(changed)")
    }
    #expect(try RefreshToken(text, try ServiceSeal.sample("others")) == nil)
  }

  // MARK: Codes

  @Test("a device that waits is told so, is slowed down, and gets its tokens once")
  func grant() {
    var grant = DeviceGrant(ends: 1_000)
    #expect(grant.ask(at: 10) == .pending)
    #expect(grant.ask(at: 14) == .slowDown)
    // Ten seconds now.
    #expect(grant.ask(at: 23) == .slowDown)
    #expect(grant.ask(at: 38) == .pending)
    let isTaken = grant.decide(true, at: 40)
    #expect(isTaken)
    let isChanged = grant.decide(false, at: 41)
    #expect(!isChanged)
    #expect(grant.ask(at: 42) == .approved)
    #expect(grant.ask(at: 60) == .again)
    #expect(grant.ask(at: 1_000) == .expired)
  }

  @Test("a device that is refused, or waits for too long, gets nothing")
  func noGrant() {
    var refused = DeviceGrant(ends: 1_000)
    let isRefused = refused.decide(false, at: 1)
    #expect(isRefused)
    #expect(refused.ask(at: 2) == .refused)
    var late = DeviceGrant(ends: 1_000)
    let isLate = late.decide(true, at: 1_000)
    #expect(!isLate)
    #expect(late.ask(at: 1_000) == .expired)
    for _ in 0..<100 { _ = late.ask(at: 999) }
    #expect(late.wait <= DeviceGrant.longestWait)
  }

  @Test("a code has eight letters without vowels, and is read as people type it")
  func userCode() throws {
    for _ in 0..<100 {
      let code = UserCode.random()
      #expect(code.text.count == 8 && !code.text.contains { "AEIOUY".contains($0) })
      #expect(UserCode(typed: code.shown) == code)
      #expect(UserCode(typed: " \(code.shown.lowercased()) ") == code)
    }
    for wrong in ["", "BCDF-GHJ", "BCDF-GHJKL", "BCDF-GHJA", "BCDF-GHJ\u{130}", String(repeating: "-", count: 50)] {
      #expect(UserCode(typed: wrong) == nil, "\(wrong)")
    }
  }

  @Test("a nonce is taken in its window and the next, and never one that somebody made up")
  func nonce() throws {
    let seal = try ServiceSeal.sample()
    let nonce = try ProofNonce.current(at: 1_200, seal)
    for (at, isTaken) in [(1_200, true), (1_319, true), (1_439, true), (1_440, false), (1_199, false)] {
      #expect(try ProofNonce.isTaken(nonce, at: Int64(at), seal) == isTaken, "\(at)")
    }
    #expect(try !ProofNonce.isTaken("10.AAAA", at: 1_200, seal))
    #expect(try !ProofNonce.isTaken("", at: 1_200, seal))
  }

  @Test("a proof is taken once while its nonce holds")
  func proofs() {
    var seen = SeenProofs(most: 3)
    #expect(seen.isNew("a", window: 5) == true)
    #expect(seen.isNew("a", window: 5) == false)
    #expect(seen.isNew("a", window: 6) == false)
    #expect(seen.isNew("a", window: 7) == true)
    #expect(seen.isNew("b", window: 7) == true)
    #expect(seen.isNew("c", window: 7) == true)
    // More than are known: the oldest are forgotten, and nobody is kept out.
    for id in ["d", "e", "f", "g"] { #expect(seen.isNew(id, window: 7) == true) }
    #expect(seen.isNew("g", window: 7) == false)
  }

  @Test("a password is known again, and another one is not")
  func password() throws {
    let sum = try PasswordSum(of: "correct horse")
    #expect(try sum.fits("correct horse"))
    #expect(try !sum.fits("correct horsf"))
    #expect(try !PasswordSum.ofNobody.fits(""))
    #expect(try PasswordSum(of: "correct horse").text != sum.text)
    // Whether there is such an account or not, the same is computed.
    #expect(PasswordSum.ofNobody.text.split(separator: "$").prefix(3) == sum.text.split(separator: "$").prefix(3))
  }

  @Test("only the device itself is a place to go back to")
  func redirects() {
    for good in ["http://127.0.0.1:4000/back", "http://[::1]:1/", "http://127.0.0.1:65535"] {
      #expect(SignInPage.Browser.isLoopback(good), "\(good)")
    }
    let bad = [
      "https://127.0.0.1:4000/", "http://127.0.0.1/", "http://127.0.0.1:0/", "http://127.0.0.1:4000@evil.example/",
      "http://127.0.0.1:4000/?a=b", "http://127.0.0.1.evil.example:80/", "http://127.0.0.1:4000/\"", "",
    ]
    for one in bad { #expect(!SignInPage.Browser.isLoopback(one), "\(one)") }
  }

  @Test("nothing that is typed is HTML on the page")
  func escapes() {
    let page = SignInPage(service: "<b>", code: "\"><script>", account: "'&", mistake: "\u{202E}<i>").form
    for raw in ["<b>", "<script>", "<i>", "'&\"", "\u{202E}"] { #expect(!page.contains(raw), "\(raw)") }
    #expect(page.contains("&lt;b&gt;") && page.contains("value=\"&#39;&amp;\""))
  }
}
