/// What of a file is asked for (RFC 9110, 14). Several ranges at once are answered with the whole, as the RFC allows.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int64>)
  case outside

  init(_ header: String?, of size: Int64) {
    guard let header, header.utf8.count <= 100, header.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]) else {
      self = .whole
      return
    }
    switch (first, last) {
    case (nil, nil): self = .whole
    // The last so many.
    case (nil, let count?): self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .outside
    case (let first?, nil): self = first < size ? .part(first..<size) : .outside
    case (let first?, let last?):
      if first > last { self = .whole } else { self = first < size ? .part(first..<min(last, size - 1) + 1) : .outside }
    }
  }

  /// Nil for what is no number; `.some(nil)` for nothing.
  private static func number(_ text: Substring) -> Int64?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else { return nil }
    return .some(number)
  }
}
