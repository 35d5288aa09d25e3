extension Settings {
  /// A file that says nothing but what one section of board.conf may say: what the board was taught. In it each key
  /// that was written, and no other.
  package static func learned(
    _ section: String, from bytes: [UInt8], shownAs name: String
  ) throws(Fault) -> Settings {
    let read: Settings
    do throws(Fault) {
      read = try self.read(board: bytes, shownAs: name, owner: nil, lastGood: { _ in nil }).settings
    } catch { throw Fault(.damaged, "C-105", error.message) }
    guard read.speaks(onlyOf: section) else {
      throw Fault(.damaged, "C-105", "\(name) says more than it was taught; expected the section [\(section)] alone")
    }
    return read
  }
}
