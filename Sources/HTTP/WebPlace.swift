internal import CCurl

/// A parsed URL. curl's own parser reads it, so that the rules judge exactly the address that curl then fetches.
struct WebPlace: Hashable {
  let text: String
  let host: String
  let port: String
  let isSafe: Bool

  /// Nil when it is no URL, or neither http nor https. A relative one (`/elsewhere`, from a redirect) is read with `base`.
  init?(_ text: String, from base: WebPlace? = nil) {
    let reader = AddressReader()
    guard text.utf8.count <= Self.longest else { return nil }
    if let base, !reader.read(base.text) { return nil }
    // Some servers send spaces in a redirect, which are encoded here. URLs of our own have none.
    guard reader.read(text, mending: base != nil) else { return nil }
    guard let scheme = reader.part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https" else {
      return nil
    }
    guard let first = reader.part(CURLUPART_URL) else { return nil }
    // curl decodes a host with percent signs ("%344") to "44", and only when it parses that again it sees an IP address.
    // So the URL is parsed until it no longer changes; otherwise another host would be fetched than the one judged.
    guard let whole = reader.settled(first), let host = reader.part(CURLUPART_HOST) else { return nil }
    self.text = whole
    self.host = host.lowercased()
    isSafe = scheme == "https"
    port = reader.part(CURLUPART_PORT) ?? ""
  }

  private static let longest = 8_192

  /// Whether headers for one may be sent to the other: scheme, host and port are the same.
  func isSameOrigin(as other: WebPlace) -> Bool {
    host == other.host && port == other.port && isSafe == other.isSafe
  }

  /// The same address with https.
  var madeSafe: WebPlace? {
    guard !isSafe else { return self }
    let reader = AddressReader()
    guard reader.read(text), reader.makeSafe(), let whole = reader.part(CURLUPART_URL) else { return nil }
    return WebPlace(whole)
  }
}

/// Owns one of curl's URL handles.
private struct AddressReader: ~Copyable {
  private let handle = Curl.isThere ? layby_curl_url_new() : nil

  deinit { layby_curl_url_free(handle) }

  borrowing func read(_ text: String, mending: Bool = false) -> Bool {
    let flags = CURLU_NON_SUPPORT_SCHEME | (mending ? CURLU_URLENCODE : 0)
    guard let handle else { return false }
    return layby_curl_url_set(handle, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK
  }

  /// The text after it was parsed until it no longer changed; nil when it is no URL, or keeps changing.
  borrowing func settled(_ text: String) -> String? {
    var text = text
    for _ in 0..<4 {
      guard read(text), let again = part(CURLUPART_URL) else { return nil }
      if again.utf8.elementsEqual(text.utf8) { return text }
      text = again
    }
    return nil
  }

  /// For the change to https: drops http's default port, keeps any other.
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
