import Runtime

/// An item that is played while it comes: a download that is wanted more than anything else, whose file is read as it
/// grows. What was read before is right as far as the source's sum is; the sum itself is known only at the end.
///
/// A line that is gone makes whoever reads wait, and it goes on by itself; why it waits is shown as for any download.
package struct MediaStream: Sendable {
  package let key: MediaKey
  private let number: Int
  private let engine: DownloadEngine
  /// Where no more is here and nothing may be fetched, it is over rather than waited for.
  package let endsAtGap: Bool

  init(_ key: MediaKey, number: Int, of engine: DownloadEngine, endsAtGap: Bool) {
    (self.key, self.number, self.engine, self.endsAtGap) = (key, number, engine, endsAtGap)
  }

  /// Some bytes from `offset` on, so many at most; none behind the end. Waits until there are any.
  package func read(at offset: Int64, most count: Int) async throws(Fault) -> [UInt8] {
    try await engine.read(key, number, at: offset, most: count, endsAtGap: endsAtGap)
  }

  /// Of the whole; nil while nobody knows.
  package func size() async -> Int64? { await engine.record(key)?.size }

  /// Nothing of it has to be waited for any more.
  package func isWhole() async -> Bool { await engine.isHere(key) }

  /// Why nothing comes; empty when something does.
  package func why() async -> [Why] { await engine.shown([key]).first?.why ?? [] }

  /// Nobody listens any more. What is here of it stays until its room is needed.
  package func close() async { await engine.endStream(key, number) }
}
