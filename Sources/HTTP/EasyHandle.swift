internal import CCurl

/// Owns curl's handle of one transfer and what must live as long as it. It must be out of every multi handle when it
/// goes.
struct EasyHandle: ~Copyable {
  /// Null when there was no memory for it: then nothing can be set, and the transfer does not begin.
  let pointer: UnsafeMutableRawPointer?
  private var headers = HeaderList()
  /// Everything was set that should be: else nothing is fetched, rather than less safely than it was meant.
  private(set) var isWhole = true

  init() { pointer = curl_easy_init() }

  deinit { curl_easy_cleanup(pointer) }

  mutating func set(_ option: CURLoption, to number: Int) { note(layby_curl_set(pointer, option, number)) }

  /// Nil takes away what curl has by itself.
  mutating func set(_ option: CURLoption, text: String?) { note(layby_curl_set_text(pointer, option, text)) }

  mutating func set(_ option: CURLoption, bytes: [UInt8]) {
    note(bytes.withUnsafeBytes { layby_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) })
  }

  mutating func set(headers lines: [String]) {
    var list = HeaderList()
    for line in lines where !list.add(line) { isWhole = false }
    note(layby_curl_set_headers(pointer, list.first))
    headers = list
  }

  mutating func note(_ result: CURLcode) { if result != CURLE_OK { isWhole = false } }
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
