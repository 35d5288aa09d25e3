internal import CCurl

/// Owns curl's handle of one transfer and what must live as long as it. It must be out of every multi handle when it
/// goes.
struct EasyHandle: ~Copyable {
  /// Null when there was no memory for it: then nothing can be set, and the transfer does not begin.
  let pointer: UnsafeMutableRawPointer?
  private var headers = HeaderList()

  init() { pointer = curl_easy_init() }

  deinit { curl_easy_cleanup(pointer) }

  func set(_ option: CURLoption, _ number: Int) -> Bool { layby_curl_set(pointer, option, number) == CURLE_OK }

  /// Nil takes away what curl has by itself.
  func set(_ option: CURLoption, _ text: String?) -> Bool { layby_curl_set_text(pointer, option, text) == CURLE_OK }

  func set(_ option: CURLoption, bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { layby_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) == CURLE_OK }
  }

  mutating func set(headers lines: [String]) -> Bool {
    var list = HeaderList()
    for line in lines where !list.add(line) { return false }
    guard layby_curl_set_headers(pointer, list.first) == CURLE_OK else { return false }
    headers = list
    return true
  }
}

/// Owns one of curl's lists of texts.
private struct HeaderList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  deinit { curl_slist_free_all(first) }

  mutating func add(_ line: String) -> Bool {
    guard let longer = curl_slist_append(first, line) else { return false }
    first = longer
    return true
  }
}
