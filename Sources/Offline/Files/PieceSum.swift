/// What a piece of a file sums up to, to tell a disk's damage: one bit is enough to make it another. It is no proof
/// against people; the whole file's hash is, and costs many times as much.
struct PieceSum {
  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64 = 0x243F_6A88_85A3_08D3
  /// Bytes that are no whole word yet, the first the lowest.
  private var word: UInt64 = 0
  private var length: UInt64 = 0

  /// In any portions; only their bytes and order count.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var at = 0
    while at < bytes.count, length & 7 != 0 {
      addByte(bytes[at])
      at += 1
    }
    while at + 8 <= bytes.count {
      fold(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      length += 8
      at += 8
    }
    while at < bytes.count {
      addByte(bytes[at])
      at += 1
    }
  }

  private mutating func addByte(_ byte: UInt8) {
    word |= UInt64(byte) << (8 * (length & 7))
    length += 1
    if length & 7 == 0 {
      fold(word)
      word = 0
    }
  }

  /// Both halves of the product depend on every bit; neither alone would.
  private mutating func fold(_ more: UInt64) {
    let product = (state ^ more).multipliedFullWidth(by: Self.factor)
    state = (product.high ^ product.low) &+ Self.factor
  }

  /// Of all that was added so far.
  var value: UInt64 {
    var copy = self
    copy.fold(word)
    copy.fold(length)
    return copy.state
  }
}

/// The pieces of a growing file that were made durable, and what each summed up to then. Whoever reads them again finds
/// out what the disk has not kept as it was, and where: what comes before that is as good as it was.
///
/// Where it says nothing of a stretch, nobody knows: what was written before a program that sums up, or what a file of
/// very many pieces had in the beginning.
package struct Pieces: Equatable, Sendable {
  package struct Piece: Equatable, Sendable {
    package var range: Range<Int64>
    package var sum: UInt64

    package init(_ range: Range<Int64>, _ sum: UInt64) { (self.range, self.sum) = (range, sum) }
  }

  /// A row is written as often as a piece ends, with all of them.
  static let most = 256
  static let shortest: Int64 = 1 << 20

  package private(set) var all: [Piece] = []

  package init() {}

  /// How long they are made, so that a file of this size has them all.
  static func length(of size: Int64?) -> Int64 { max(shortest, (size ?? 0) / Int64(most / 2)) }

  /// One that has grown takes the place of what it was.
  package mutating func add(_ piece: Piece) {
    cut(to: piece.range.lowerBound)
    all.append(piece)
    if all.count > Self.most { all.removeFirst(all.count - Self.most) }
  }

  /// Of half a piece there is no sum.
  package mutating func cut(to length: Int64) {
    while let last = all.last, last.range.upperBound > length { all.removeLast() }
  }
}

extension Pieces {
  private static let width = 24

  /// As they are stored: begin, end and sum of each, the low byte first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.count * Self.width)
    for piece in all {
      for field in [UInt64(piece.range.lowerBound), UInt64(piece.range.upperBound), piece.sum] {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: field >> ($0 * 8)) }
      }
    }
    return bytes
  }

  /// What makes no sense was never written, and says nothing.
  package init(bytes: [UInt8]) {
    guard bytes.count % Self.width == 0, bytes.count <= Self.most * Self.width else { return }
    for at in stride(from: 0, to: bytes.count, by: Self.width) {
      func field(_ index: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[at + index * 8 + $1]) << ($1 * 8) }
      }
      guard let begin = Int64(exactly: field(0)), let end = Int64(exactly: field(1)) else { return }
      guard begin >= all.last?.range.upperBound ?? 0, end > begin else { return }
      all.append(Piece(begin..<end, field(2)))
    }
  }
}
