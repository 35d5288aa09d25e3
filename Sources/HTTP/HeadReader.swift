/// Makes an `AnswerHead` from the lines of an answer. A value. The number and the length of headers are limited here.
package struct HeadReader {
  package enum Progress: Equatable {
    case more
    case whole(AnswerHead)
    /// More headers, or longer ones, than any honest server sends.
    case tooLarge
    case malformed
  }

  package static let mostHeaders = 100
  package static let mostBytes = 32_768

  private var head: AnswerHead?
  private var bytes = 0
  /// The last line was no valid header, so lines that continue it are skipped too.
  private var isPassedOver = false
  /// The head is complete. Lines after it are trailers, which are ignored.
  private(set) var isWhole = false

  package init() {}

  /// Takes one line with its line end. An interim answer (1xx) is read and dropped.
  package mutating func take(_ line: UnsafeRawBufferPointer) -> Progress {
    if isWhole { return .more }
    bytes += line.count
    if bytes > Self.mostBytes { return .tooLarge }
    let text = line.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !text.isEmpty else { return end() }
    if text.starts(with: "HTTP/".utf8), head == nil {
      head = Self.statusLine(text)
      return head == nil ? .malformed : .more
    }
    guard head != nil else { return .malformed }
    return take(header: text)
  }

  private mutating func end() -> Progress {
    guard let whole = head else { return .malformed }
    head = nil
    if whole.isInterim { return .more }
    isWhole = true
    return .whole(whole)
  }

  /// `HTTP/1.1 206 Partial Content`
  private static func statusLine(_ text: Slice<UnsafeRawBufferPointer>) -> AnswerHead? {
    let words = text.split(separator: 0x20, maxSplits: 2)
    guard words.count >= 2, words[1].count == 3 else { return nil }
    var status = 0
    for digit in words[1] {
      guard (0x30...0x39).contains(digit) else { return nil }
      status = status * 10 + Int(digit - 0x30)
    }
    guard status >= 100 else { return nil }
    let isSecond = words[0].starts(with: "HTTP/2".utf8)
    return AnswerHead(status: status, version: isSecond ? .http2 : .http1)
  }

  private mutating func take(header text: Slice<UnsafeRawBufferPointer>) -> Progress {
    // A line that begins with a space continues the header before it. That is obsolete, and some servers still send it.
    if let first = text.first, first == 0x20 || first == 0x09 {
      if isPassedOver { return .more }
      guard let last = head?.headers.indices.last else { return .malformed }
      head?.headers[last].value += " " + Self.plain(text)
      return .more
    }
    guard let colon = text.firstIndex(of: 0x3A) else { return .more }
    guard head?.headers.count ?? 0 < Self.mostHeaders else { return .tooLarge }
    // RFC 9110 does not allow other characters in a name, so nobody asks for such a header.
    let known = Self.name(text[..<colon])
    isPassedOver = known == nil
    guard let name = known else { return .more }
    let value = Self.plain(text[text.index(after: colon)...])
    head?.headers.append(AnswerHead.Header(name: name, value: value))
    return .more
  }

  /// The name in small letters; nil when it has characters that RFC 9110 does not allow in a name.
  private static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
    let isToken = bytes.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
    return isToken && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self).lowercased() : nil
  }

  private static func plain(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return String(decoding: rest, as: UTF8.self)
  }
}
