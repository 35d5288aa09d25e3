internal import CCurl
import Runtime

/// The options that curl is given for a transfer. They are set again for each redirect.
extension Fetch {
  /// False when curl refused an option or has no memory.
  func prepare(_ settings: TransferSettings) -> Bool {
    handle.set(CURLOPT_URL, text: path.place.text)
    handle.set(CURLOPT_PROTOCOLS_STR, text: "http,https")
    let version = settings.speaksHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    handle.set(CURLOPT_HTTP_VERSION, to: Int(version))
    handle.set(CURLOPT_HTTP_CONTENT_DECODING, to: 0)
    handle.set(CURLOPT_USERAGENT, text: settings.userAgent)
    handle.set(headers: headerLines)
    if let body = request.body { handle.set(body: body) }
    if request.method != .get { handle.set(CURLOPT_CUSTOMREQUEST, text: request.method.rawValue) }
    connect(settings)
    trust(settings)
    listen()
    return handle.isWhole
  }

  private var headerLines: [String] {
    // No compression: sizes, sums and ranges are those of the file on the server.
    var lines = ["Accept-Encoding: identity"]
    if request.from > 0 {
      lines.append("Range: bytes=\(request.from)-")
      if let validator = request.ifRange { lines.append("If-Range: \(validator)") }
    }
    guard path.isAtStart else { return lines }
    // curl leaves a header without a value out unless it ends in a semicolon.
    for header in request.headers {
      lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    return lines
  }

  private func connect(_ settings: TransferSettings) {
    let stall = request.stall
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, to: Int(max(request.connectLimit.milliseconds, 1)))
    handle.set(CURLOPT_LOW_SPEED_LIMIT, to: max(stall.bytesASecond, 1))
    handle.set(CURLOPT_LOW_SPEED_TIME, to: Int(max(stall.duration.milliseconds / 1_000, 1)))
    handle.set(CURLOPT_TCP_KEEPALIVE, to: 1)
    handle.set(CURLOPT_BUFFERSIZE, to: 65_536)
    // Signals do not go with threads. Without them curl also does not wait for a running DNS lookup when it is closed.
    handle.set(CURLOPT_NOSIGNAL, to: 1)
    handle.set(CURLOPT_QUICK_EXIT, to: 1)
    handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
    handle.set(CURLOPT_PROXY, text: settings.proxy ?? "")
    handle.set(CURLOPT_NOPROXY, text: settings.withoutProxy ?? "")
  }

  private func trust(_ settings: TransferSettings) {
    let least = settings.leastTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
    handle.set(CURLOPT_SSLVERSION, to: Int(least))
    handle.set(CURLOPT_PINNEDPUBLICKEY, text: settings.pins[host]?.asCurlWantsThem)
    guard case .these(let certificates) = settings.authorities else { return }
    // Remove curl's default folder too; otherwise the system's certificates would also be trusted.
    handle.set(CURLOPT_CAPATH, text: nil)
    handle.set(CURLOPT_CAINFO_BLOB, bytes: certificates)
  }

  private func listen() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    let hears = layby_curl_on_header(
      handle.pointer,
      { bytes, size, count, whose in
        guard let whose, let bytes else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<Fetch>.fromOpaque(whose).takeUnretainedValue().take(header: line)
      }, this)
    let takes = layby_curl_on_body(
      handle.pointer,
      { bytes, size, count, whose in
        guard let whose, let bytes else { return 0 }
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<Fetch>.fromOpaque(whose).takeUnretainedValue().take(body: body)
      }, this)
    let arrives = layby_curl_on_arrival(
      handle.pointer,
      { whose, address, _, _, _ in
        guard let whose, let address else { return CURL_PREREQFUNC_ABORT }
        let fetch = Unmanaged<Fetch>.fromOpaque(whose).takeUnretainedValue()
        return fetch.arrived(at: String(cString: address)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }, this)
    handle.note(hears)
    handle.note(takes)
    handle.note(arrives)
    handle.note(layby_curl_set_owner(handle.pointer, this))
  }
}

extension TransferRequest {
  /// Whether no value has a line break in it, which would begin another header.
  var isSound: Bool {
    let texts = headers.flatMap { [$0.name, $0.value] } + [ifRange ?? "", url]
    let isPlain = texts.allSatisfy { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    let isNamed = headers.allSatisfy { !$0.name.isEmpty && !$0.name.utf8.contains(UInt8(ascii: ":")) }
    return isPlain && isNamed && from >= 0
  }
}
