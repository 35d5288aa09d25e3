import Ciphers
import Files
import Runtime

/// Owns one file that grows. What `sync` has returned for survives a power cut; what was written since may not, or only
/// in part, so whoever goes on cuts it back first.
///
/// It sums up what it writes, so that a file is checked the moment it is whole; after a cut in the middle it reads again
/// what it has not summed up. It belongs to one thread.
package final class PartFile {
  package let path: FilePath
  private let disk: any MediaDisk
  private let file: Int32
  /// From the beginning.
  package private(set) var length: Int64
  private var sum: SHA256
  /// Bytes from the beginning that are in `sum`.
  private var summed: Int64 = 0
  /// Up to where there is room that nobody else can have.
  private var setAside: Int64 = 0
  /// The piece that ends where the file does.
  private var piece: (begin: Int64, sum: PieceSum)
  private var pieceLength = Pieces.shortest

  private static let slice = 1 << 18

  /// Made when it is not there, with its folder.
  package init(_ path: FilePath, on disk: any MediaDisk) throws(Fault) {
    sum = try SHA256()
    (self.path, self.disk) = (path, disk)
    try disk.makeFolder(path.folder)
    guard let file = try disk.open(path, making: true) else {
      throw Fault(.missing, KernelDisk.keeping, "\(path) cannot be made")
    }
    self.file = file
    do throws(Fault) {
      length = try disk.length(of: file, path)
      piece = (length, PieceSum())
    } catch {
      disk.close(file)
      throw error
    }
    Steps.reach("part.opened")
  }

  /// What waits for days must not hold room that it did not come to use.
  deinit {
    if setAside > length { disk.giveBack(file, behind: length, path) }
    disk.close(file)
  }

  /// What is behind is forgotten. A file that is shorter stays as it is: then less was durable than was thought.
  package func cutBack(to length: Int64) throws(Fault) {
    guard length < self.length else { return }
    try disk.cut(file, to: length, path)
    self.length = length
    piece = (length, PieceSum())
    if summed > length { try begin() }
    Steps.reach("part.cut")
  }

  private func begin() throws(Fault) {
    sum = try SHA256()
    summed = 0
  }

  /// `keeping`: what else has to have room on the disk.
  package func makeRoom(for size: Int64, keeping reserve: Int64) throws(Fault) {
    // What was kept free for it before is given back, so that it is not asked for twice.
    try disk.cut(file, to: length, path)
    let space = try disk.space(at: path.folder)
    guard space.free - reserve >= DiskSpace.taken(by: size - length) else {
      throw Fault(.full, "O-302", "the disk has no room for \(DiskSpace.shown(size - length)) more")
    }
    setAside = size
    pieceLength = Pieces.length(of: size)
    try disk.allocate(file, size, path)
  }

  /// `offset` is where the file ends, or before it: bytes of another version take the place of what was there.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Fault) {
    guard offset <= length else {
      throw Fault(.damaged, "O-303", "\(path) ends at \(length), and is to go on at \(offset)")
    }
    if offset < summed { try begin() }
    if offset < length { piece = (offset, PieceSum()) }
    do throws(Fault) { try disk.write(file, at: offset, bytes, path) } catch {
      // Part of it may be there, and what of it was there before is gone.
      length = offset
      piece = (offset, PieceSum())
      throw error
    }
    piece.sum.add(bytes)
    if offset == summed {
      sum.add(bytes)
      summed += Int64(bytes.count)
    }
    let end = offset + Int64(bytes.count)
    // What is behind is of no known piece.
    if end < length { piece = (length, PieceSum()) }
    length = max(length, end)
    Steps.reach("part.written")
  }

  /// The piece that the file ends with, as far as it has come.
  @discardableResult
  package func sync() throws(Fault) -> Pieces.Piece? {
    try disk.sync(file, path)
    Steps.reach("part.synced")
    guard piece.begin < length else { return nil }
    let made = Pieces.Piece(piece.begin..<length, piece.sum.value)
    if length - piece.begin >= pieceLength { piece = (length, PieceSum()) }
    return made
  }

  package enum Sum: Equatable, Sendable {
    case whole(String)
    /// A piece that begins here is not what it was.
    case damaged(from: Int64)
  }

  /// Of the whole file, of which as little as possible is read again; what is, is held against what is known of it.
  package func sum(against pieces: Pieces = Pieces()) throws(Fault) -> Sum {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.slice, alignment: 4_096)
    defer { buffer.deallocate() }
    var known = pieces.all.drop { $0.range.lowerBound < summed }
    var here = PieceSum()
    while summed < length {
      // No slice is of two pieces.
      let border = known.first.map { $0.range.lowerBound > summed ? $0.range.lowerBound : $0.range.upperBound }
      let most = min(Int64(Self.slice), (border ?? length) - summed, length - summed)
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(most)])
      let got = try disk.read(file, at: summed, into: wanted, code: KernelDisk.keeping, path)
      guard got > 0 else { throw Fault(.damaged, "O-304", "\(path) is shorter than it was written") }
      let bytes = UnsafeRawBufferPointer(rebasing: wanted[..<got])
      let begin = summed
      sum.add(bytes)
      summed += Int64(got)
      guard let piece = known.first, begin >= piece.range.lowerBound else { continue }
      here.add(bytes)
      if summed < piece.range.upperBound { continue }
      guard here.value == piece.sum else { return .damaged(from: piece.range.lowerBound) }
      known.removeFirst()
      here = PieceSum()
    }
    return .whole(try sum.value().description)
  }

  /// Gives it its name, when all of it is durable: in one step, and durably. A file that has the name already is one that
  /// was published before a power cut, or one that nobody knows of: the new one, which was checked, takes its place.
  package func publish(as whole: FilePath) throws(Fault) {
    try disk.sync(file, path)
    Steps.reach("publish.synced")
    if try !disk.place(path, as: whole) {
      disk.remove(whole)
      Steps.reach("publish.cleared")
      guard try disk.place(path, as: whole) else {
        throw Fault(.busy, "O-305", "somebody else puts files into \(whole.folder)")
      }
    }
    Steps.reach("publish.named")
  }
}
