internal import CCurl
import Runtime

/// What curl is told of a transfer, anew for each place it is sent to.
extension Fetch {
  /// False when curl does not know an option or has no memory: then nothing is fetched, rather than less safely than
  /// it was meant.
  func prepare(_ settings: TransferSettings) -> Bool {
    askFor() && connect(settings) && trust(settings) && listen()
  }

  private func askFor() -> Bool {
    handle.set(CURLOPT_URL, path.place.text)
      && handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
      && handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      && handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      && handle.set(headers: headerLines)
  }

  private var headerLines: [String] {
    // Bytes are stored, counted and compared as they lie on the server.
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

  private func connect(_ settings: TransferSettings) -> Bool {
    let stall = request.stall
    return handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(request.connectLimit.milliseconds, 1)))
      && handle.set(CURLOPT_LOW_SPEED_LIMIT, max(stall.bytesASecond, 1))
      && handle.set(CURLOPT_LOW_SPEED_TIME, Int(max(stall.duration.milliseconds / 1_000, 1)))
      && handle.set(CURLOPT_TCP_KEEPALIVE, 1)
      && handle.set(CURLOPT_BUFFERSIZE, 65_536)
      // No signals in a program with threads; a name that is still looked up is not waited for when we go.
      && handle.set(CURLOPT_NOSIGNAL, 1)
      && handle.set(CURLOPT_QUICK_EXIT, 1)
      && handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      && handle.set(CURLOPT_PROXY, settings.proxy ?? "")
      && handle.set(CURLOPT_NOPROXY, settings.withoutProxy ?? "")
      && handle.set(CURLOPT_USERAGENT, settings.userAgent)
  }

  private func trust(_ settings: TransferSettings) -> Bool {
    let least = settings.leastTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
    guard handle.set(CURLOPT_SSLVERSION, Int(least)) else { return false }
    guard handle.set(CURLOPT_PINNEDPUBLICKEY, settings.pins[host]?.asCurlWantsThem) else { return false }
    guard case .these(let certificates) = settings.authorities else { return true }
    // Without taking the folder away as well, the system's would still be believed.
    return handle.set(CURLOPT_CAPATH, nil) && handle.set(CURLOPT_CAINFO_BLOB, bytes: certificates)
  }

  private func listen() -> Bool {
    let this = Unmanaged.passUnretained(self).toOpaque()
    let hears =
      layby_curl_on_header(
        handle.pointer,
        { bytes, size, count, whose in
          guard let whose, let bytes else { return 0 }
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return Unmanaged<Fetch>.fromOpaque(whose).takeUnretainedValue().take(header: line)
        }, this) == CURLE_OK
    let takes =
      layby_curl_on_body(
        handle.pointer,
        { bytes, size, count, whose in
          guard let whose, let bytes else { return 0 }
          let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return Unmanaged<Fetch>.fromOpaque(whose).takeUnretainedValue().take(body: body)
        }, this) == CURLE_OK
    return hears && takes && layby_curl_set_owner(handle.pointer, this) == CURLE_OK
  }
}

extension TransferRequest {
  /// A line break in a header would begin another.
  var isSound: Bool {
    let texts = headers.flatMap { [$0.name, $0.value] } + [ifRange ?? "", url]
    let isPlain = texts.allSatisfy { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    let isNamed = headers.allSatisfy { !$0.name.isEmpty && !$0.name.utf8.contains(UInt8(ascii: ":")) }
    return isPlain && isNamed && from >= 0
  }
}
