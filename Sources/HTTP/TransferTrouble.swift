internal import CCurl
import Glibc
import Runtime

/// Why a transfer failed, for code that decides what to do next. `TransferFailure.fault` says it to people.
package enum TransferTrouble: Hashable, Sendable {
  package enum TLS: Hashable, Sendable {
    /// The server has another key than the two that are pinned.
    case pin
    /// Or not valid yet: the certificate is old, or our clock is wrong.
    case expired
    case untrusted
    case other
  }

  package enum Redirect: Hashable, Sendable {
    case loop
    /// From https to http, or to another scheme.
    case insecure
    /// From a host on the internet to one of this network, which only a trick would want.
    case inward
    case tooMany
  }

  case noName
  case refused
  case unreachable
  /// No connection within `connectLimit`.
  case timedOut
  /// Connected, and then slower than `StallLimit` or `TimeLimit` allows.
  case stalled
  case reset
  /// The connection ended before the announced length had come.
  case cutShort
  case tls(TLS)
  case redirect(Redirect)
  /// The answer is not HTTP.
  case protocolError
  /// More bytes or headers than were allowed.
  case tooLarge
  /// The body has an encoding that was not asked for, such as gzip.
  case encoded
  /// Cancelled by us.
  case cancelled
  /// The request is not valid, for example its URL.
  case badRequest
  case other
}

/// How a transfer failed.
package struct TransferFailure: Error, Equatable, Sendable {
  package let trouble: TransferTrouble
  package let fault: Fault

  init(_ trouble: TransferTrouble, from host: String, _ detail: String = "") {
    self.trouble = trouble
    let (kind, number, reason) = Self.words(for: trouble)
    let more = detail.isEmpty ? "" : ": \(shownPlain(detail))"
    let from = host.isEmpty ? "" : " from \(shownPlain(host))"
    fault = Fault(kind, "N-\(number)", "cannot fetch\(from): \(reason)\(more)")
  }

  private static func words(for trouble: TransferTrouble) -> (Fault.Kind, Int, String) {
    switch trouble {
    case .noName: (.missing, 201, "its address cannot be found out")
    case .refused: (.missing, 202, "it does not take the connection")
    case .unreachable: (.missing, 203, "there is no way to it")
    case .timedOut: (.passing, 204, "it cannot be reached in time")
    case .stalled: (.passing, 205, "the line has come to a stop")
    case .reset: (.passing, 206, "the connection broke")
    case .cutShort: (.passing, 207, "it ended before all was sent")
    case .protocolError: (.malformed, 208, "it does not speak HTTP")
    case .tooLarge: (.malformed, 209, "it sends more than was allowed")
    case .encoded: (.unsupported, 210, "it sends an encoding that was not asked for")
    case .cancelled: (.passing, 211, "it was called off")
    case .badRequest: (.malformed, 212, "what is asked for makes no sense")
    case .other: (.passing, 213, "it went wrong")
    case .tls(.pin): (.denied, 214, "it has not the key that it is known by")
    case .tls(.expired): (.denied, 215, "its certificate is not valid today, or the clock is wrong")
    case .tls(.untrusted): (.denied, 216, "nobody we trust vouches for it")
    case .tls(.other): (.malformed, 217, "no safe connection can be agreed on")
    case .redirect(.loop): (.malformed, 218, "it sends us round in a circle")
    case .redirect(.insecure): (.denied, 219, "it sends us to where the connection is not safe")
    case .redirect(.inward): (.denied, 227, "it sends us from the internet to an address of this network")
    case .redirect(.tooMany): (.malformed, 222, "it sends us from place to place")
    }
  }
}

extension TransferTrouble {
  /// From curl's result. Where that is not precise enough, the error numbers of the kernel and of OpenSSL decide.
  init(_ result: CURLcode, of easy: UnsafeMutableRawPointer?) {
    let number = Int32(truncatingIfNeeded: layby_curl_number(easy, CURLINFO_OS_ERRNO))
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .noName
    case CURLE_COULDNT_CONNECT: self = Self.unconnected(number)
    case CURLE_OPERATION_TIMEDOUT:
      // Before the request was sent, it was connecting that took too long.
      self = layby_curl_microseconds(easy, CURLINFO_PRETRANSFER_TIME_T) > 0 ? .stalled : .timedOut
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM: self = .reset
    case CURLE_PARTIAL_FILE: self = .cutShort
    case CURLE_SSL_CONNECT_ERROR: self = Self.isBreak(number) ? .reset : .tls(.other)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .tls(.pin)
    case CURLE_PEER_FAILED_VERIFICATION:
      self = .tls(Self.distrust(layby_curl_number(easy, CURLINFO_SSL_VERIFYRESULT)))
    case CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED:
      self = .tls(.other)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
      self = .protocolError
    case CURLE_URL_MALFORMAT: self = .badRequest
    // curl ends a transfer with too long a header line. The result is the first of these; since curl 8.6 the second,
    // whose name older headers do not have.
    case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): self = .tooLarge
    default: self = .other
    }
  }

  private static func unconnected(_ number: Int32) -> TransferTrouble {
    switch number {
    case ECONNREFUSED: .refused
    case ETIMEDOUT: .timedOut
    case ECONNRESET: .reset
    default: .unreachable
    }
  }

  private static func isBreak(_ number: Int32) -> Bool { number == ECONNRESET || number == EPIPE }

  /// OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
  private static func distrust(_ verdict: Int) -> TLS { verdict == 9 || verdict == 10 ? .expired : .untrusted }
}
