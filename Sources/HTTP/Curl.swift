internal import CCurl
import Runtime

/// libcurl, which is loaded when it is first asked for: a player that never fetches anything does not pay for it.
enum Curl {
  static let isThere = layby_curl_load() == 1

  static func need() throws(Fault) {
    guard isThere else {
      throw Fault(.missing, "N-224", "libcurl.so.4 (7.85 or newer) is not there, without which nothing is fetched")
    }
  }
}
