/// How a whole file of a source comes here: its index, a cover, licences. Sockets are somebody else's, so that a test needs none.
package protocol FileFetching: Sendable {
  /// The answer whatever its status. `unless`: the version that is here already.
  func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile
}

package struct FetchedFile: Equatable, Sendable {
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
