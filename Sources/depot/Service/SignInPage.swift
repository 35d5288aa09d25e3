import Ciphers
import Runtime
import Services
import WebServer

/// The page on which a person lets a device in. It has no scripts, and takes nothing from elsewhere.
struct SignInPage {
  /// A sign-in in a browser of the device itself (RFC 7636).
  struct Browser: Sendable {
    /// What is said of such a sign-in; a part of it alone is none.
    static let names = [
      "response_type", "client_id", "code_challenge_method", "code_challenge", "redirect_uri", "state",
    ]
    private static let longestState = 200

    let redirect: String
    let challenge: String
    let state: String

    /// Nil when nothing is said of it, or what is said is wrong.
    init?(_ form: WebForm) {
      guard form["response_type"] == "code", form["client_id"] == "layby", form["code_challenge_method"] == "S256",
        let challenge = form["code_challenge"], challenge.utf8.count == 43, Base64.decodeURL(challenge) != nil,
        let redirect = form["redirect_uri"], Self.isLoopback(redirect), case let state = form["state"] ?? "",
        state.unicodeScalars.count <= Self.longestState
      else { return nil }
      (self.redirect, self.challenge, self.state) = (redirect, challenge, state)
    }

    /// `http://127.0.0.1:PORT/PATH`, of plain letters: the device itself (RFC 8252).
    static func isLoopback(_ address: String) -> Bool {
      let host = ["http://127.0.0.1:", "http://[::1]:"].first { address.hasPrefix($0) }
      guard let host, address.utf8.count <= 200 else { return false }
      let rest = address.utf8.dropFirst(host.utf8.count)
      let port = rest.prefix { $0 != UInt8(ascii: "/") }
      guard let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0 else { return false }
      return rest.dropFirst(port.count).allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-~".utf8.contains(byte)
        }
      }
    }
  }

  var service: String
  var code = ""
  var account = ""
  /// What was wrong, in words for the person.
  var mistake: String?
  var token = ""
  var browser: Browser?

  private static let style = """
    body{font:18px/1.5 sans-serif;max-width:26em;margin:2em auto;padding:0 1em;color:#111;background:#fff}
    label{display:block;margin:1em 0 .3em}input{font:inherit;width:100%;box-sizing:border-box;padding:.5em}
    button{font:inherit;margin-top:1.5em;padding:.6em 1.2em;width:100%}.mistake{color:#a00}
    @media(prefers-color-scheme:dark){body{color:#eee;background:#111}.mistake{color:#f88}}
    """

  var form: String {
    let said = mistake.map { "<p class=\"mistake\" role=\"alert\">\(escapedForHTML($0))</p>" } ?? ""
    let hidden: [(String, String)] =
      [("form", token)]
      + (browser.map { browser in
        [
          ("response_type", "code"), ("client_id", "layby"), ("code_challenge_method", "S256"),
          ("code_challenge", browser.challenge), ("redirect_uri", browser.redirect), ("state", browser.state),
        ]
      } ?? [])
    let fields = hidden.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\(escapedForHTML($0.1))\">" }.joined()
    let asked =
      browser == nil
      ? """
      <label for="code">Code on the device's screen</label>
      <input id="code" name="code" value="\(escapedForHTML(code))" autocomplete="off" autocapitalize="characters" \
      spellcheck="false" required maxlength="20">
      <p>Go on only if you see this very code on a device of yours.</p>
      """ : "<p>This signs in the device on which you see this page.</p>"
    return """
      <h1>\(escapedForHTML(service))</h1>\(said)<form method="post" action="/sign-in">\(fields)
      \(asked)
      <label for="account">Account</label>
      <input id="account" name="account" value="\(escapedForHTML(account))" autocomplete="username" autocapitalize="none" \
      required maxlength="60">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
      <button>Sign the device in</button></form>
      """
  }

  /// `body` is HTML already.
  static func answer(
    _ status: Int, title: String, _ body: String, cookie: String? = nil, redirects: Bool = false
  ) throws(Refusal) -> WebAnswer {
    let html = """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(escapedForHTML(title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><style>\(style)</style></head>
      <body>\(body)</body></html>

      """
    let sum = Base64.encode(try Refusal.soundly { () throws(Fault) in try Sums.of(style) })
    let targets = redirects ? "'self' http://127.0.0.1:* http://[::1]:*" : "'self'"
    var headers = [
      (name: "Content-Type", value: "text/html; charset=utf-8"), (name: "Cache-Control", value: "no-store"),
      (name: "Referrer-Policy", value: "no-referrer"), (name: "X-Frame-Options", value: "DENY"),
      (
        name: "Content-Security-Policy",
        value: "default-src 'none'; style-src 'sha256-\(sum)'; form-action \(targets); frame-ancestors 'none'; "
          + "base-uri 'none'"
      ),
    ]
    if let cookie { headers.append((name: "Set-Cookie", value: cookie)) }
    return WebAnswer(status, headers, Array(html.utf8))
  }
}

extension DepotService {
  private static let formSeconds: Int64 = 900

  func signInPage(_ call: Call) throws(Refusal) -> WebAnswer {
    let query = try call.query()
    var page = SignInPage(service: settings.name)
    guard (query["code"] ?? "").unicodeScalars.count <= 20 else { throw .wrong("\"code\" has at most 20 characters") }
    if SignInPage.Browser.names.contains(where: { query[$0] != nil }) {
      page.browser = SignInPage.Browser(query)
      guard page.browser != nil else { throw .wrong("that is no sign-in that this service knows") }
    }
    page.code = query["code"].flatMap { UserCode(typed: $0) }?.shown ?? ""
    return try show(page, call, 200)
  }

  /// With a new cookie, and a token in the form that belongs to it: a page from elsewhere has neither.
  private func show(_ page: SignInPage, _ call: Call, _ status: Int) throws(Refusal) -> WebAnswer {
    var page = page
    let cookie = Base64.encodeURL(randomBytes(18))
    page.token = try Refusal.soundly { () throws(Fault) in
      try StampedText.make(call.now, about: cookie, seals.forms)
    }
    let secure = call.base.hasPrefix("https://") ? "; Secure" : ""
    let header = "form=\(cookie); Path=/sign-in; Max-Age=\(Self.formSeconds); HttpOnly; SameSite=Strict\(secure)"
    return try SignInPage.answer(
      status, title: "Sign in", page.form, cookie: header, redirects: page.browser != nil)
  }

  private func isOwnForm(_ form: WebForm, _ call: Call) throws(Refusal) -> Bool {
    let cookies = (call.request.header("Cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    guard let cookie = cookies.first(where: { $0.hasPrefix("form=") })?.dropFirst(5), let token = form["form"] else {
      return false
    }
    let shown = try Refusal.soundly { () throws(Fault) in
      try StampedText.number(of: token, about: String(cookie), seals.forms)
    }
    return shown.map { (0...Self.formSeconds).contains(call.now - $0) } ?? false
  }

  func signInForm(_ call: Call) throws(Refusal) -> WebAnswer {
    let form = try call.form()
    var page = SignInPage(service: settings.name)
    (page.code, page.account) = (form["code"] ?? "", form["account"] ?? "")
    page.browser = SignInPage.Browser(form)
    func again(_ status: Int, _ mistake: String) throws(Refusal) -> WebAnswer {
      page.mistake = mistake
      return try show(page, call, status)
    }
    guard try isOwnForm(form, call) else {
      return try again(403, "This page was open for too long, or your browser keeps no cookies. Please try again.")
    }
    guard page.browser != nil || !SignInPage.Browser.names.contains(where: { form[$0] != nil }) else {
      throw .wrong("that is no sign-in known here")
    }
    let found: Account?
    do throws(Refusal) {
      found = try account(page.account, form["password"] ?? "", call.client)
    } catch {
      guard error.status == 429 || error.status == 503 else { throw error }
      let seconds = error.headers.first { $0.name == "Retry-After" }?.value ?? "60"
      var answer = try again(error.status, "That was too often. Please wait \(seconds) seconds, and try again.")
      answer.headers += error.headers
      return answer
    }
    guard let found else { return try again(403, "There is no such account with that password.") }
    if let browser = page.browser { return try redirect(browser, found, call) }
    guard let code = UserCode(typed: page.code), let title = try letIn(code, found, call) else {
      return try again(404, "That code is not known, or it is over. Look at the device's screen again.")
    }
    let device = escapedForHTML(title)
    return try SignInPage.answer(
      200, title: "Signed in",
      "<h1>Done</h1><p>\(device) is being signed in as \(escapedForHTML(found.name)). You can close this page.</p>")
  }

  /// The title of the device; nil when the code is none that waits.
  private func letIn(_ code: UserCode, _ account: Account, _ call: Call) throws(Refusal) -> String? {
    let now = call.now
    return try write { connection throws(Fault) -> String? in
      let waitings = WaitingSignIns(connection: connection)
      guard var waiting = try waitings.named(code), waiting.grant.decide(true, at: now) else { return nil }
      try waitings.keep(waiting, account: account.id)
      return waiting.claim.title
    }
  }

  private func redirect(_ browser: SignInPage.Browser, _ account: Account, _ call: Call) throws(Refusal) -> WebAnswer {
    let now = call.now
    let code = try write { connection throws(Fault) in
      try WaitingSignIns(connection: connection).beginBrowser(
        account.id, challenge: browser.challenge, redirect: browser.redirect, at: now)
    }
    let state = FolderPath.encode(browser.state)
    return WebAnswer(
      303, [("Location", "\(browser.redirect)?code=\(code)&state=\(state)"), ("Cache-Control", "no-store")])
  }
}
