import Glibc
import Runtime

/// Reads one file after the other with few calls and always through the same buffers: the head in one go, and pieces
/// from elsewhere when a format leads there. Nothing behind the end is asked for, and a file that leads to and fro for
/// ever is let go.
final class FileBytes {
  private let head = UnsafeMutablePointer<UInt8>.allocate(capacity: FileBytes.most)
  private let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: FileBytes.most)
  /// For bytes that have to be put together before they can be read.
  let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: FileBytes.most)
  private var whole: UnsafeMutablePointer<UInt8>?
  private var headCount = 0
  private var pieceStart: Int64 = 0
  private var pieceCount = 0
  private var readsLeft = 0
  private var file: Int32 = -1
  private(set) var size: Int64 = 0
  private(set) var name = FilePath(".")

  /// Of a piece.
  static let most = 65_536
  /// Of a file: more is a mistake, and sums of places are to stay numbers.
  private static let longest: Int64 = 1 << 60
  private static let readAhead = 4_096
  private static let mostReads = 2_000
  /// Of a tag that cannot be read in pieces.
  static let longestWhole = 16 << 20

  init() {}

  deinit {
    head.deallocate()
    piece.deallocate()
    scratch.deallocate()
    whole?.deallocate()
  }

  func begin(_ file: Int32, size: Int64, name: FilePath) throws(Fault) {
    (self.file, self.size, self.name) = (file, min(max(0, size), Self.longest), name)
    (headCount, pieceStart, pieceCount, readsLeft) = (0, 0, 0, Self.mostReads)
    headCount = try fill(head, at: 0, count: Int(min(self.size, Int64(Self.most))))
  }

  /// What a single large tag needed is not kept for all the others.
  func end() {
    whole?.deallocate()
    whole = nil
  }

  /// `count` bytes, fewer at the end of the file. The piece is good until the next call.
  func piece(at offset: Int64, count: Int) throws(Fault) -> Piece {
    guard offset >= 0, offset < size, count > 0 else { return Piece(start: head, count: 0) }
    let count = Int(min(Int64(min(count, Self.most)), size - offset))
    if offset + Int64(count) <= Int64(headCount) { return Piece(start: head + Int(offset), count: count) }
    if offset < pieceStart || offset + Int64(count) > pieceStart + Int64(pieceCount) {
      guard readsLeft > 0 else { return Piece(start: head, count: 0) }
      readsLeft -= 1
      pieceCount = 0
      pieceCount = try fill(piece, at: offset, count: Int(min(Int64(max(count, Self.readAhead)), size - offset)))
      pieceStart = offset
    }
    let from = Int(offset - pieceStart)
    return Piece(start: piece + from, count: max(0, min(count, pieceCount - from)))
  }

  /// All of a range at once, to be changed in place; nil when it is too long.
  func whole(at offset: Int64, count: Int) throws(Fault) -> UnsafeMutableBufferPointer<UInt8>? {
    guard offset >= 0, offset < size, count > 0, count <= Self.longestWhole else { return nil }
    let count = Int(min(Int64(count), size - offset))
    end()
    let space = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    whole = space
    return UnsafeMutableBufferPointer(start: space, count: try fill(space, at: offset, count: count))
  }

  private func fill(_ space: UnsafeMutablePointer<UInt8>, at offset: Int64, count: Int) throws(Fault) -> Int {
    var got = 0
    while got < count {
      let more = pread(file, space + got, count - got, off_t(offset) + off_t(got))
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw Fault.system("L-201", doing: "read \(name)") }
      if more == 0 {
        // It has become shorter meanwhile, or never was so long.
        size = offset + Int64(got)
        break
      }
      got += more
    }
    return got
  }
}
