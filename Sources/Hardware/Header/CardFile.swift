import Runtime

/// A file on the first partition of a card. It is taken up when it is another one than last time: so what is chosen on the
/// board later stays.
package enum CardFile {
  /// `last`: what was taken last. It is written when `apply` has done its work, which a power cut between has done once
  /// more.
  package static func take(
    _ file: FilePath, limit: Int, last: FilePath, _ apply: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    let bytes = try AtomicFile.read(file, limit: limit)
    guard !isLast(bytes, in: last, limit) else { return }
    try apply(bytes)
    try AtomicFile.replace(last, with: bytes)
  }

  private static func isLast(_ bytes: [UInt8], in last: FilePath, _ limit: Int) -> Bool {
    // Nothing there, or nothing readable: it is taken again.
    do throws(Fault) { return try AtomicFile.read(last, limit: limit) == bytes } catch { return false }
  }
}
