import Runtime

/// One request to the hotspot's page, as telephones send it: the few things of HTTP/1.1 that the page needs, within
/// bounds. Whatever is longer, doubtful or said twice is refused, because two readers could each believe another one.
struct HotspotRequest: Equatable, Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  enum Reading: Equatable, Sendable {
    /// So far it may become one.
    case more
    case whole(HotspotRequest)
    /// The status that says what is wrong.
    case wrong(Int)
  }

  static let mostHead = 8_192
  static let mostBody = 2_048
  private static let mostHeaders = 64

  let method: Method
  /// What stands before the `?`, not decoded.
  let path: String
  /// In small letters; empty without one.
  let host: String
  let origin: String?
  let mediaType: String
  var body: [UInt8] = []

  static func read(_ bytes: [UInt8]) -> Reading {
    guard let end = headEnd(bytes) else { return bytes.count > mostHead ? .wrong(431) : .more }
    guard end <= mostHead else { return .wrong(431) }
    guard let head = String(validating: bytes[..<end], as: UTF8.self), head.utf8.allSatisfy({ $0 < 0x7F }) else {
      return .wrong(400)
    }
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), lines.count <= mostHeaders else { return .wrong(400) }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard first.utf8.allSatisfy({ $0 >= 0x20 }), words.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
      return .wrong(400)
    }
    guard let method = Method(rawValue: String(words[0])) else { return .wrong(405) }
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), line.startIndex < colon else { return .wrong(400) }
      let name = line[..<colon]
      guard name.utf8.allSatisfy({ $0 > 0x20 }), line.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else {
        return .wrong(400)
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let known = headers.updateValue(trimmed(value), forKey: name.lowercased())
      guard known == nil || !counted.contains(name.lowercased()) else { return .wrong(400) }
    }
    guard headers["transfer-encoding"] == nil else { return .wrong(411) }
    var request = HotspotRequest(
      method: method, path: path(words[1]), host: (headers["host"] ?? "").lowercased(), origin: headers["origin"],
      mediaType: trimmed((headers["content-type"] ?? "").prefix { $0 != ";" }).lowercased())
    let length = headers["content-length"].map { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int($0) ?? -1 : -1 } ?? 0
    guard length >= 0 else { return .wrong(400) }
    guard length <= mostBody else { return .wrong(413) }
    let body = bytes[(end + 4)...]
    guard body.count >= length else { return .more }
    request.body = Array(body.prefix(length))
    return .whole(request)
  }

  /// Those that say what is done.
  private static let counted: Set = ["host", "content-length", "content-type", "origin", "transfer-encoding"]

  /// Where the empty line begins that ends the head.
  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for place in 0...(min(bytes.count, mostHead + 4) - 4)
    where bytes[place] == 0x0D && bytes[place + 1] == 0x0A && bytes[place + 2] == 0x0D && bytes[place + 3] == 0x0A {
      return place
    }
    return nil
  }

  /// Some send the whole address.
  private static func path(_ address: Substring) -> String {
    var rest = address
    if rest.hasPrefix("http://") {
      let behind = rest.dropFirst(7)
      rest = behind.firstIndex(of: "/").map { behind[$0...] } ?? "/"
    }
    return String(rest.prefix { $0 != "?" })
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
