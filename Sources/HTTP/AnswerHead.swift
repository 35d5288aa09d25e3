/// The status line and the headers of an answer.
package struct AnswerHead: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    /// In small letters.
    package let name: String
    /// Without the space around it. Bytes that are not UTF-8 are shown as replacement characters.
    package var value: String
  }

  package enum Version: Sendable, Equatable { case http1, http2 }

  package var status: Int
  package var version: Version
  package var headers: [Header]
  /// The address that answered, after all redirects.
  package var url: String = ""

  package init(status: Int, version: Version = .http1, headers: [Header] = []) {
    self.status = status
    self.version = version
    self.headers = headers
  }

  /// The first header of that name. `name` is in small letters.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  var isInterim: Bool { status < 200 }

  /// It redirects to another address. Bytes that follow are a page about that, not what was asked for.
  var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: self["location"] != nil
    default: false
    }
  }

  /// The body is compressed, say, though the request asks for `identity`: its bytes are not those of the file.
  var isEncoded: Bool {
    guard status == 200 || status == 206 else { return false }
    return headers.contains { header in
      let value = header.value.lowercased()
      switch header.name {
      case "content-encoding": return !value.isEmpty && value != "identity"
      case "transfer-encoding": return !value.isEmpty && value != "identity" && value != "chunked"
      default: return false
      }
    }
  }
}
