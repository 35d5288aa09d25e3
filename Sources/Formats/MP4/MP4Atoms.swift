import Runtime

/// The atoms of an MP4 file within a range, one after the other: a length, four letters, what is inside.
struct MP4Atoms {
  struct Atom {
    let name: Letters
    /// Of what is inside.
    let start: Int64
    let end: Int64

    var length: Int { Int(clamping: end - start) }
    var range: Range<Int64> { start..<end }
    /// What `count` bytes further inside lies.
    func from(_ count: Int64) -> Range<Int64> { min(start + count, end)..<end }
  }

  private var at: Int64
  private let end: Int64
  private var left = 10_000

  init(_ range: Range<Int64>) { (at, end) = (range.lowerBound, range.upperBound) }

  /// Nil at the end, and where there are no atoms any more. Each is at least as long as its head: there is no loop.
  mutating func next(in bytes: FileBytes) throws(Fault) -> Atom? {
    guard left > 0, end - at >= 8 else { return nil }
    left -= 1
    let head = try bytes.piece(at: at, count: 16)
    guard head.count >= 8 else { return nil }
    var length = UInt64(head.big32(0))
    var headLength: Int64 = 8
    if length == 1 {
      guard head.count == 16 else { return nil }
      length = head.big64(8)
      headLength = 16
    } else if length == 0 {
      // To the end.
      length = UInt64(end - at)
    }
    guard length >= UInt64(headLength) else { return nil }
    let stop = length > UInt64(end - at) ? end : at + Int64(length)
    let atom = Atom(name: Letters(head.big32(4)), start: min(at + headLength, stop), end: stop)
    at = stop
    return atom
  }

  /// The first of that name, down a path of names.
  static func find(_ path: [Letters], in range: Range<Int64>, _ bytes: FileBytes) throws(Fault) -> Atom? {
    var range = range
    var found: Atom?
    for name in path {
      found = nil
      var atoms = MP4Atoms(range)
      while let atom = try atoms.next(in: bytes) {
        if atom.name == name {
          found = atom
          break
        }
      }
      guard let found else { return nil }
      range = found.range
    }
    return found
  }
}
