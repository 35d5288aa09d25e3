import Runtime

/// The head of a server's answer, as far as it matters for a file: read once, with everything that cannot be believed
/// left out.
package struct MediaResponse: Equatable, Sendable {
  package let status: Int
  /// Of what is sent, not of the file.
  package let length: Int64?
  package let range: ContentRange?
  package let tag: EntityTag?
  /// Small letters, without parameters: `audio/flac`.
  package let type: String?
  package let isEncoded: Bool
  package let retryAfter: Duration?
  /// Content-Length or Content-Range is given several times with different values.
  package let contradictsItself: Bool

  /// `now`: seconds since 1970, nil while the clock is not to be trusted; the server's own date is better still,
  /// because only the difference counts.
  package init(status: Int, headers: [(name: String, value: String)], now: Int64? = nil) {
    var fields: [String: [String]] = [:]
    for (name, value) in headers.prefix(Self.mostHeaders) where value.utf8.count <= Self.longestValue {
      fields[name.lowercased(), default: []].append(String(value.trimmed))
    }
    func only(_ name: String) -> String? {
      guard let values = fields[name], let first = values.first else { return nil }
      return values.allSatisfy { $0 == first } ? first : nil
    }
    self.status = status
    length = only("content-length").flatMap { Int64(ofFile: $0) }
    range = only("content-range").flatMap { ContentRange($0) }
    tag = only("etag").flatMap { EntityTag($0) }
    type = fields["content-type"]?.last.flatMap { Self.type($0) }
    isEncoded = (fields["content-encoding"] ?? []).contains { Self.isPacking($0) }
    let date = only("date").flatMap { HTTPDate.seconds($0, now: now) } ?? now
    retryAfter = only("retry-after").flatMap { Self.pause($0, now: date) }
    let single = ["content-length", "content-range"]
    contradictsItself = single.contains { fields[$0] != nil && only($0) == nil }
  }

  /// A page, where music was asked for: of a captive portal, a login, or a server that says its errors so.
  package var isPage: Bool {
    guard let type else { return false }
    return type == "text/html" || type == "text/xml" || type == "application/xml" || type.hasSuffix("+xml")
  }

  /// What a server has no type for is plain text to some of them.
  package var isPlainText: Bool { type == "text/plain" }

  /// JSON, or text that is no web page; not music either.
  package var isOtherText: Bool { type == "application/json" || type?.hasPrefix("text/") == true && !isPage }

  package var isInParts: Bool { type == "multipart/byteranges" }

  /// How long the whole file is, as this answer says.
  package var total: Int64? {
    switch (status, range) {
    case (206, .part(_, _, let total)?): total
    case (416, .nothing(let total)?): total
    case (200, _): isEncoded ? nil : length
    default: nil
    }
  }

  /// 256 TB.
  package static let longestFile: Int64 = 1 << 48

  private static let mostHeaders = 200
  private static let longestValue = 4_096

  private static func type(_ value: String) -> String? {
    let type = value.split(separator: ";").first.map { $0.trimmed.lowercased() } ?? ""
    return type.contains("/") ? type : nil
  }

  private static func isPacking(_ value: String) -> Bool {
    value.split(separator: ",").contains { !["identity", "none"].contains($0.trimmed.lowercased()) }
  }

  /// Seconds, or a date.
  private static func pause(_ value: String, now: Int64?) -> Duration? {
    if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
      return .seconds(min(Int64(digits: value) ?? .max, longestPause))
    }
    guard let now, let date = HTTPDate.seconds(value, now: now) else { return nil }
    return .seconds(min(max(date - now, 0), longestPause))
  }

  /// A year; what is believed of it is `Retry`'s to say.
  private static let longestPause: Int64 = 366 * 86_400
}

/// What a body begins with, where the head says nothing of its kind.
package enum BodyStart {
  /// Bytes that are looked at.
  package static let looked = 512

  package static func isPage(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes.prefix(looked))[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let small = rest.prefix(16).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let beginnings = ["<!doctype", "<html", "<head", "<body", "<script", "<?xml", "<subsonic-res", "<!--", "<title"]
    return beginnings.contains { small.starts(with: $0.utf8) }
  }
}
