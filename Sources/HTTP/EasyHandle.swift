internal import CCurl

/// Owns curl's handle of one transfer and what must live as long as it. It must be out of every multi handle when it
/// goes.
struct EasyHandle: ~Copyable {
  /// Nil when there was no memory for it, or no curl: then nothing can be set, and the transfer does not begin.
  let pointer: UnsafeMutableRawPointer?
  private var headers = HeaderList()
  /// Everything was set that should be: else nothing is fetched, rather than less safely than it was meant.
  private(set) var isWhole = true

  init() { pointer = Curl.isThere ? layby_curl_new() : nil }

  deinit { if let pointer { layby_curl_free(pointer) } }

  mutating func set(_ option: CURLoption, to number: Int) {
    note(pointer.map { layby_curl_set($0, option, number) })
  }

  /// Nil takes away what curl has by itself.
  mutating func set(_ option: CURLoption, text: String?) {
    note(pointer.map { layby_curl_set_text($0, option, text) })
  }

  mutating func set(_ option: CURLoption, bytes: [UInt8]) {
    guard let pointer else { return isWhole = false }
    note(bytes.withUnsafeBytes { layby_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) })
  }

  mutating func set(headers lines: [String]) {
    guard let pointer else { return isWhole = false }
    var list = HeaderList()
    for line in lines where !list.add(line) { isWhole = false }
    note(layby_curl_set_headers(pointer, list.first))
    headers = list
  }

  mutating func note(_ result: CURLcode?) { if result != CURLE_OK { isWhole = false } }
}

/// Owns one of curl's lists of texts.
private struct HeaderList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  deinit { layby_curl_list_free(first) }

  mutating func add(_ line: String) -> Bool {
    guard let longer = layby_curl_list_add(first, line) else { return false }
    first = longer
    return true
  }
}
