internal import CCurl
import Glibc

extension TransferTrouble {
  /// What curl's result means. The numbers of the kernel and of OpenSSL tell apart what curl calls by one name.
  init(_ result: CURLcode, of easy: UnsafeMutableRawPointer?) {
    let number = Int32(truncatingIfNeeded: layby_curl_number(easy, CURLINFO_OS_ERRNO))
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .noName
    case CURLE_COULDNT_CONNECT: self = Self.unconnected(number)
    case CURLE_OPERATION_TIMEDOUT:
      // Before the question could be put it was the connection that took too long.
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
    // curl's own limit of a line in the head arrives as the first of these; since 8.6 as the second, which has a name
    // only there.
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
