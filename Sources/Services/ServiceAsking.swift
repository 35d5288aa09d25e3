import Runtime

/// A request to a service that answers questions, unlike a folder of files.
package struct ServiceRequest: Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

  package struct Header: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package var method: Method
  /// May be a secret behind a `?`.
  package var url: String
  /// May be secrets. Sent to the host of `url` only.
  package var headers: [Header] = []
  package var body: [UInt8]?
  /// A longer answer is refused.
  package var limit = 1 << 20

  package init(_ method: Method, _ url: String) { (self.method, self.url) = (method, url) }
}

package struct ServiceAnswer: Sendable {
  package var status: Int
  /// What the next proof of a request has to contain.
  package var nonce: String?
  package var tag: String?
  /// `application/json`, without what stands behind it.
  package var type: String?
  package var bytes: [UInt8]

  package init(status: Int, nonce: String? = nil, tag: String? = nil, type: String? = nil, bytes: [UInt8] = []) {
    (self.status, self.nonce, self.tag, self.type, self.bytes) = (status, nonce, tag, type, bytes)
  }

  /// Null where it is no JSON.
  var json: JSON {
    do throws(Fault) { return try JSON(parsing: bytes, limits: .init(depth: 8, size: 4 << 20, values: 200_000)) } catch
    {
      return .null
    }
  }
}

/// Sockets are somebody else's, so that a test needs none.
package protocol ServiceAsking: Sendable {
  /// The answer whatever its status; redirects are not followed.
  func ask(_ request: ServiceRequest) async throws(MediaFailure) -> ServiceAnswer
}
