internal import CCurl

/// An address that was understood, by curl's own reading of it, so that what is judged is what is fetched.
struct WebPlace: Hashable {
  let text: String
  let host: String
  let port: String
  let isSafe: Bool

  /// Nil when it is no address, or neither http nor https. What a server says (`/elsewhere`) is read as seen from `base`.
  init?(_ text: String, from base: WebPlace? = nil) {
    let reader = AddressReader()
    guard text.utf8.count <= Self.longest else { return nil }
    if let base, !reader.read(base.text) { return nil }
    // Servers send spaces; addresses of our own are right.
    guard reader.read(text, mending: base != nil) else { return nil }
    guard let scheme = reader.part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https" else {
      return nil
    }
    guard let first = reader.part(CURLUPART_URL) else { return nil }
    // curl takes a host that is written with percent signs ("%344") for a name, and only when it reads the outcome sees
    // that it is the number of another: so that is read until it no longer changes, and what is judged is what is fetched.
    guard let whole = reader.settled(first), let host = reader.part(CURLUPART_HOST) else { return nil }
    self.text = whole
    self.host = host.lowercased()
    isSafe = scheme == "https"
    port = reader.part(CURLUPART_PORT) ?? ""
  }

  private static let longest = 8_192

  /// Whether what was said for one is meant for the other too.
  func isSameOrigin(as other: WebPlace) -> Bool {
    host == other.host && port == other.port && isSafe == other.isSafe
  }

  /// The same by TLS.
  var madeSafe: WebPlace? {
    guard !isSafe else { return self }
    let reader = AddressReader()
    guard reader.read(text), reader.makeSafe(), let whole = reader.part(CURLUPART_URL) else { return nil }
    return WebPlace(whole)
  }
}

/// Owns one of curl's readers of addresses.
private struct AddressReader: ~Copyable {
  private let handle = Curl.isThere ? layby_curl_url_new() : nil

  deinit { layby_curl_url_free(handle) }

  borrowing func read(_ text: String, mending: Bool = false) -> Bool {
    let flags = CURLU_NON_SUPPORT_SCHEME | (mending ? CURLU_URLENCODE : 0)
    guard let handle else { return false }
    return layby_curl_url_set(handle, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK
  }

  /// What the text is once it reads as itself; nil when it is no address then, or never settles.
  borrowing func settled(_ text: String) -> String? {
    var text = text
    for _ in 0..<4 {
      guard read(text), let again = part(CURLUPART_URL) else { return nil }
      if again.utf8.elementsEqual(text.utf8) { return text }
      text = again
    }
    return nil
  }

  /// The port that was meant for the other way is left out; one of its own is kept.
  borrowing func makeSafe() -> Bool {
    guard let handle else { return false }
    if part(CURLUPART_PORT) == "80" { layby_curl_url_set(handle, CURLUPART_PORT, nil, 0) }
    return layby_curl_url_set(handle, CURLUPART_SCHEME, "https", 0) == CURLUE_OK
  }

  borrowing func part(_ part: CURLUPart) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
    guard let handle, layby_curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { layby_curl_text_free(text) }
    return String(cString: text)
  }
}
