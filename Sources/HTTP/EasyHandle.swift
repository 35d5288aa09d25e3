internal import CCurl

/// Owns curl's easy handle of one transfer, and the lists that curl reads while it runs. It must be removed from the multi
/// handle before this value goes.
struct EasyHandle: ~Copyable {
  /// Nil without memory or without libcurl: then no option can be set, and the transfer does not begin.
  let pointer: UnsafeMutableRawPointer?
  private var headers = HeaderList()
  /// Whether curl took every option. If it refused one (such as a check of TLS), the transfer does not begin.
  private(set) var isWhole = true

  init() { pointer = Curl.isThere ? layby_curl_new() : nil }

  deinit { if let pointer { layby_curl_free(pointer) } }

  mutating func set(_ option: CURLoption, to number: Int) {
    note(pointer.map { layby_curl_set($0, option, number) })
  }

  /// Nil removes curl's own default.
  mutating func set(_ option: CURLoption, text: String?) {
    note(pointer.map { layby_curl_set_text($0, option, text) })
  }

  mutating func set(_ option: CURLoption, bytes: [UInt8]) {
    guard let pointer else { return isWhole = false }
    note(bytes.withUnsafeBytes { layby_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) })
  }

  /// curl copies it.
  mutating func set(body bytes: [UInt8]) {
    guard let pointer else { return isWhole = false }
    note(bytes.withUnsafeBytes { layby_curl_set_body(pointer, $0.baseAddress, $0.count) })
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
