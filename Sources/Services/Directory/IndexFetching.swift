/// How a source's index comes here. Sockets are somebody else's, so that a test needs none.
package protocol IndexFetching: Sendable {
  /// The answer whatever its status. `unless`: the version that is here already.
  func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedIndex
}

package struct FetchedIndex: Equatable, Sendable {
  package var status: Int
  /// As it is sent back.
  package var tag: String?
  /// `text/html`, without what stands behind it.
  package var type: String?
  package var bytes: [UInt8]

  package init(status: Int, tag: String? = nil, type: String? = nil, bytes: [UInt8] = []) {
    (self.status, self.tag, self.type, self.bytes) = (status, tag, type, bytes)
  }
}
