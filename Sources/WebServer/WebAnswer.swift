/// What goes back to who asked.
package struct WebAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// So many bytes of an open file. The server closes it.
    case file(descriptor: Int32, from: Int64, count: Int64)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, .bytes(body))
  }

  package init(_ status: Int, _ headers: [(name: String, value: String)], file body: Body) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  package var count: Int64 {
    switch body {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let count): count
    }
  }
}

/// Who answers. Asked on several threads at once.
package protocol WebHandler: Sendable {
  /// Before the body is read: a refusal that needs none of it; nil to go on.
  func refusal(of request: WebRequest) -> WebAnswer?
  func answer(_ request: WebRequest) -> WebAnswer
  /// After the last byte went out, or the connection ended. `request` is nil for what was no request.
  func didEnd(_ request: WebRequest?, _ answer: WebAnswer?, nanoseconds: Int64, isWhole: Bool)
}
