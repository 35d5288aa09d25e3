import Runtime

/// What the hotspot's page says, in one language.
package struct HotspotWords: Equatable, Sendable {
  package var language = "en"
  package var isRightToLeft = false
  /// The page's title, and the line above its list of networks.
  package var title = ""
  package var choose = ""
  /// Behind networks that want no password.
  package var open = ""
  /// For a network that is not in the list, and the field for its name.
  package var another = ""
  package var password = ""
  package var join = ""
  /// What happens when the button is pressed.
  package var next = ""
  /// Why it is there again.
  package var failure = ""
  package var wrongName = ""
  package var wrongPassword = ""
  /// When it is done, with `%` for the network.
  package var joins = ""
  package var look = ""

  package init(_ set: (inout HotspotWords) -> Void = { _ in }) { set(&self) }
}

/// Answers requests to the hotspot's page. A telephone that asks any other address is sent to it, because telephones ask
/// for a page that they know to find out whether a network wants to be signed in to, and then open what they get instead.
package struct HotspotPage: Sendable {
  package struct Reply: Equatable, Sendable {
    package var status = 200
    var headers: [(name: String, value: String)] = []
    var body = ""
    /// What was chosen: once it is told, nothing more is taken.
    package var chosen: StickSetup.Network?

    package static func == (one: Reply, other: Reply) -> Bool {
      one.status == other.status && one.body == other.body && one.chosen == other.chosen
        && one.headers.map { "\($0.name):\($0.value)" } == other.headers.map { "\($0.name):\($0.value)" }
    }
  }

  private static let here = "http://\(HotspotFacts.address)/"
  private static let deed = "/join"

  private let facts: HotspotFacts
  private let words: HotspotWords
  /// Stands in the form: a page of somebody else's, which has not read this one, cannot send it.
  private let token: String

  package init(_ facts: HotspotFacts, _ words: HotspotWords, token: String) {
    (self.facts, self.words, self.token) = (facts, words, token)
  }

  func answer(_ request: HotspotRequest) -> Reply {
    let isHere = request.host == HotspotFacts.address || request.host == "\(HotspotFacts.address):80"
    switch (request.method, request.path) {
    case (.get, "/") where isHere, (.head, "/") where isHere:
      return page(mistake: nil, chosen: facts.failure?.network ?? facts.networks.first?.name ?? "")
    case (.get, _), (.head, _):
      return Reply {
        $0.status = 302
        $0.headers = [("Location", Self.here)]
      }
    case (.post, Self.deed) where isHere: return taken(request)
    case (.post, _): return refused(403)
    }
  }

  /// In words of the protocol; nobody who uses the page sees them.
  func refused(_ status: Int) -> Reply { Reply { $0.status = status } }

  private func taken(_ request: HotspotRequest) -> Reply {
    guard request.origin == nil || request.origin == "http://\(HotspotFacts.address)",
      request.mediaType == "application/x-www-form-urlencoded",
      let form = WebForm(String(decoding: request.body, as: UTF8.self)), form["token"].map(isToken) == true
    else { return refused(403) }
    let chosen: (name: String, isLocked: Bool?)
    if let number = form["network"].flatMap({ Int($0) }), facts.networks.indices.contains(number) {
      chosen = (facts.networks[number].name, facts.networks[number].isLocked)
    } else {
      chosen = (form["name"] ?? "", nil)
    }
    let password = form["password"] ?? ""
    guard chosen.isLocked != true || !password.isEmpty else {
      return page(mistake: words.wrongPassword, chosen: chosen.name)
    }
    // What was left in the field of a network that wants none is no password.
    let given = password.isEmpty || chosen.isLocked == false ? nil : password
    if let (field, _) = StickSetup.Network.mistake(chosen.name, password: given, country: nil) {
      return page(mistake: field == .password ? words.wrongPassword : words.wrongName, chosen: chosen.name)
    }
    var reply = told(chosen.name)
    reply.chosen = StickSetup.Network(ssid: chosen.name, password: given)
    return reply
  }

  /// Takes as long for a wrong one as for the right one.
  private func isToken(_ text: String) -> Bool {
    guard text.utf8.count == token.utf8.count else { return false }
    return zip(text.utf8, token.utf8).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }

  // MARK: Pages

  /// `chosen` is a network's name, in the list or not.
  private func page(mistake: String?, chosen: String) -> Reply {
    let told = mistake ?? (words.failure.isEmpty ? nil : words.failure)
    var text = told.map { "<p class=\"wrong\">\(escapedForHTML($0))</p>\n" } ?? ""
    text += """
      <form method="post" action="\(Self.deed)" autocomplete="off">
      <input type="hidden" name="token" value="\(token)">
      <fieldset><legend>\(escapedForHTML(words.choose))</legend>

      """
    let isListed = facts.networks.contains { $0.name == chosen }
    for (number, network) in facts.networks.enumerated() {
      let open = network.isLocked ? "" : " <small>\(escapedForHTML(words.open))</small>"
      let label = "<bdi>\(escapedForHTML(network.name))</bdi>\(open) <small>\(network.bars * 25) %</small>"
      text += Self.choice("\(number)", label, isChosen: network.name == chosen)
    }
    text += Self.choice("other", "<span>\(escapedForHTML(words.another))</span>", isChosen: !isListed)
    text += """
      \(Self.field("name", 32, isListed ? "" : chosen))</fieldset>
      <label>\(escapedForHTML(words.password))
      \(Self.field("password", 64))</label>
      <button>\(escapedForHTML(words.join))</button>
      <p>\(escapedForHTML(words.next))</p>
      </form>

      """
    return whole(text)
  }

  private static func choice(_ value: String, _ label: String, isChosen: Bool) -> String {
    let checked = isChosen ? " checked" : ""
    return """
      <label class="row"><input type="radio" name="network" value="\(value)"\(checked)> \(label)</label>

      """
  }

  /// Seen while it is typed: most failures are mistyped passwords.
  private static func field(_ name: String, _ most: Int, _ value: String = "") -> String {
    """
    <input class="text" name="\(name)" maxlength="\(most)" value="\(escapedForHTML(value))" autocapitalize="none" \
    autocorrect="off" spellcheck="false" dir="ltr">
    """
  }

  private func told(_ network: String) -> Reply {
    let joins = words.joins.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let name = "<bdi>\(escapedForHTML(network))</bdi>"
    let sentence = joins.map { escapedForHTML(String($0)) }.joined(separator: name)
    return whole("<p>\(sentence)</p>\n<p>\(escapedForHTML(words.look))</p>\n")
  }

  /// Close to the panel's dark and bright themes. The field for another network's name is there when that is
  /// chosen, and always in browsers that cannot tell.
  private static let style = """
    :root{color-scheme:dark light;--ground:#10151b;--title:#fff;--text:#e2e8ee;--quiet:#9facba;--row:#1b232c;\
    --line:#414d59;--accent:#ffb648;--on:#201503;--wrong:#ff9b8c}\
    @media(prefers-color-scheme:light){:root{--ground:#f4f6f8;--title:#000;--text:#14181c;--quiet:#434c55;--row:#fff;\
    --line:#aeb8c2;--accent:#f2a93b;--on:#1a1000;--wrong:#a00000}}\
    body{background:var(--ground);color:var(--text);font:1.1em/1.45 system-ui,sans-serif;max-width:26em;margin:auto;\
    padding:1em}h1{color:var(--title);font-size:1.5em;line-height:1.2}\
    fieldset{border:0;margin:0 0 1.2em;padding:0}legend{color:var(--quiet);margin-bottom:.5em;padding:0}\
    .row{display:flex;align-items:center;gap:.7em;padding:.75em .9em;background:var(--row);border:1px solid var(--line);\
    margin-top:-1px}legend+.row{border-top-left-radius:.5em;border-top-right-radius:.5em}\
    .row:last-of-type{border-bottom-left-radius:.5em;border-bottom-right-radius:.5em}\
    bdi,span{flex:1;overflow-wrap:anywhere;text-align:left}\
    [dir=rtl] bdi,[dir=rtl] span{text-align:right}small{color:var(--quiet);white-space:nowrap}\
    [type=radio]{accent-color:var(--accent);flex:none;width:1.3em;height:1.3em;margin:0}\
    .text,button{display:block;width:100%;box-sizing:border-box;font:inherit;border-radius:.5em;padding:.7em}\
    .text{background:var(--row);color:inherit;border:1px solid var(--line);margin-top:.5em}\
    button{background:var(--accent);color:var(--on);border:0;font-weight:600;margin:1em 0}\
    .text:focus,button:focus,.row:focus-within{outline:2px solid var(--accent);outline-offset:1px}\
    .wrong{color:var(--wrong);border:1px solid;border-radius:.5em;padding:.6em .9em}\
    @supports selector(:has(a)){fieldset:not(:has([value=other]:checked)) .text{display:none}}
    """

  private func whole(_ text: String) -> Reply {
    let direction = words.isRightToLeft ? " dir=\"rtl\"" : ""
    return Reply {
      $0.body = """
        <!DOCTYPE html>
        <html lang="\(words.language)"\(direction)><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escapedForHTML(facts.name))</title><style>\(Self.style)</style></head><body>
        <h1>\(escapedForHTML(words.title))</h1>
        \(text)</body></html>

        """
      $0.headers = [("Content-Type", "text/html; charset=utf-8")]
    }
  }
}

extension HotspotPage.Reply {
  init(_ set: (inout Self) -> Void) {
    self.init()
    set(&self)
  }

  /// One answer to one request. Nothing of it is kept, runs, or is shown inside another page.
  func bytes(withBody hasBody: Bool = true) -> [UInt8] {
    let body = Array(self.body.utf8)
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Error")"]
    lines += headers.map { "\($0.name): \($0.value)" }
    lines += [
      "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store", "Referrer-Policy: same-origin",
      "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      "", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8) + (hasBody ? body : [])
  }

  private static let reasons = [
    200: "OK", 302: "Found", 400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 411: "Length Required",
    413: "Content Too Large", 431: "Request Header Fields Too Large",
  ]
}
