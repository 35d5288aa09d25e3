import Runtime

/// A megabyte made of a few bytes: what takes time or memory that grows with the square of its length is found at this
/// length, which a fuzzer that adds byte to byte never reaches. The first byte says how long the beginning is that
/// stands there once, the last one how long the end is; what is between them is repeated.
struct LongText {
  static let longest = 1 << 20

  let bytes: [UInt8]

  /// Nil when nothing is left to be repeated.
  init?(_ seed: [UInt8], longest: Int = Self.longest) {
    guard let first = seed.first, let last = seed.last, seed.count > 2 else { return nil }
    let inside = seed[1..<seed.count - 1]
    let (beginning, end) = (inside.prefix(Int(first)), inside.dropFirst(Int(first)).suffix(Int(last)))
    let middle = inside[beginning.endIndex..<(end.isEmpty ? inside.endIndex : end.startIndex)]
    guard !middle.isEmpty else { return nil }
    var bytes = Array(beginning)
    while bytes.count + middle.count + end.count <= longest { bytes += middle }
    self.bytes = bytes + end
  }
}

@Sendable func longJSON(_ bytes: [UInt8]) {
  guard let text = LongText(bytes) else { return }
  json(text.bytes)
}

/// Comments of a file, as many and as long as fit.
@Sendable func longComments(_ bytes: [UInt8]) {
  guard let text = LongText(bytes) else { return }
  tags(text.bytes)
}
