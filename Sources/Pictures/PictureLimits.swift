/// What one picture may cost. A cover is a few hundred kilobytes and a few megapixels; some are as large as a poster,
/// and a few are made so that they explode.
package struct PictureLimits: Equatable, Sendable {
  /// Declared, before anything is allocated.
  package var pixels = 64_000_000
  /// Bytes that a decoder may take for what it cannot let go until the end: pictures in several scans or passes, and
  /// those packed without loss.
  package var memory = 96 << 20
  /// Pixels gone through, each as often as there are scans and passes: a large picture has 64 million in one.
  package var work: Int64 = 1_000_000_000

  package init() {}
}
