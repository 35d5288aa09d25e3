import Glibc
import Runtime

/// A terminal without anybody in front of it: a program gets `name`, and what it draws arrives here. The kernel keeps
/// 64 KiB of it, more than a start draws, so nobody has to read on for the program's sake.
final class PseudoTerminal {
  static let size = (columns: 100, rows: 40)

  /// What the program opens.
  let name: FilePath
  private let ours: Descriptor

  init() throws(Fault) {
    var window = winsize(
      ws_row: UInt16(Self.size.rows), ws_col: UInt16(Self.size.columns), ws_xpixel: 0, ws_ypixel: 0)
    var first: Int32 = -1
    var second: Int32 = -1
    guard openpty(&first, &second, nil, nil, &window) == 0 else {
      throw Fault.system("B-141", doing: "make a terminal")
    }
    ours = Descriptor(taking: first)
    // The program opens it by its name; were it open here too, the program's end would not be seen.
    let theirs = Descriptor(taking: second)
    var space = [CChar](repeating: 0, count: 128)
    guard fcntl(first, F_SETFD, FD_CLOEXEC) == 0, ttyname_r(theirs.number, &space, space.count) == 0 else {
      throw Fault.system("B-143", doing: "name a terminal")
    }
    name = FilePath(String(decoding: space.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// When the last byte of the first picture was there.
  func firstFrame(before deadline: Moment) throws(Fault) -> Moment {
    var frame = FirstFrame(lastRow: Self.size.rows)
    var block = [UInt8](repeating: 0, count: 65_536)
    while try Patience.readable(ours.number, before: deadline) {
      let count = read(ours.number, &block, block.count)
      let at = Moment.now
      // The last one who had it open has gone.
      guard count > 0 else { break }
      frame.take(block[..<count])
      if frame.isWhole(pictureRows: Self.pictureRows) { return at }
    }
    throw Fault(.passing, "B-142", "no whole picture came: \(frame.pictureRows) rows of \(Self.pictureRows)")
  }

  /// 320 x 240 in 100 columns are 75 square dots high, two in a cell.
  private static let pictureRows = 38
}
