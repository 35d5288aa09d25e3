import Runtime
import Services

/// How a file's bytes come here. Sockets are somebody else's; tests hand in what breaks when they say so.
package protocol MediaFetching: Sendable {
  /// What is heard comes from any thread, in order: a head, bytes, and one end, or a failure at any time.
  func fetch(
    _ place: MediaPlace, _ asked: Asked, hear: @escaping @Sendable (FetchNews) -> Void
  ) async -> any MediaFetch
}

package enum FetchNews: Sendable {
  case head(MediaResponse)
  case bytes([UInt8])
  case ended
  case failed(Trouble)
}

/// A fetch that was begun.
package protocol MediaFetch: Sendable {
  /// Nothing that is heard of it afterwards counts.
  func stop()
  /// So many bytes are on their way to the disk, and as many more may come.
  func credit(_ bytes: Int)
  /// Somebody listens to it while it comes, or does so no more: where all fetches together may not have all of the line,
  /// it is served before the others.
  func listened(_ isListened: Bool)
}

extension MediaFetch {
  package func listened(_ isListened: Bool) {}
}

/// Where records are kept. What `store` has returned from survives a power cut.
package protocol DownloadRows: Sendable {
  func store(_ record: DownloadRecord) async throws(Fault)
}
