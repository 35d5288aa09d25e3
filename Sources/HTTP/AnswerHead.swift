/// What an answer says before its bytes.
package struct AnswerHead: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    /// In small letters.
    package let name: String
    /// Without the space around it; what is no text in it stands as replacements.
    package var value: String
  }

  package enum Version: Sendable, Equatable { case http1, http2 }

  package var status: Int
  package var version: Version
  package var headers: [Header]
  /// Where it came from, after all redirects.
  package var url: String = ""

  package init(status: Int, version: Version = .http1, headers: [Header] = []) {
    self.status = status
    self.version = version
    self.headers = headers
  }

  /// The first of that name; in small letters.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  var isInterim: Bool { status < 200 }

  /// It points elsewhere, and what follows is nobody's music.
  var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: self["location"] != nil
    default: false
    }
  }

  /// The bytes would not be those of the file: we ask for them as they are.
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
