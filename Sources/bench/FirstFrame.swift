/// Finds the end of the first picture in what a terminal is sent. The player clears the screen, goes to each row of the
/// picture from the top down, writes it, and writes its line of text into the last row of the window last of all; a
/// line that does not fill the row is followed by "erase to the end of the line". That sequence ends the frame.
struct FirstFrame {
  let lastRow: Int
  private(set) var pictureRows = 0
  private var isCleared = false
  private var isInLastRow = false
  private var hasEnded = false
  private var place = State.text
  /// Of a control sequence; longer ones are none of the player's.
  private var parameters: [UInt8] = []
  private static let longest = 64

  private enum State { case text, escape, sequence }

  init(lastRow: Int) { self.lastRow = lastRow }

  /// A picture with rows left out would have come to its end, too.
  func isWhole(pictureRows rows: Int) -> Bool { hasEnded && pictureRows >= rows }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where !hasEnded {
      switch place {
      case .text: if byte == 0x1B { place = .escape }
      case .escape:
        place = byte == UInt8(ascii: "[") ? .sequence : byte == 0x1B ? .escape : .text
        parameters = []
      case .sequence:
        if (0x40...0x7E).contains(byte) {
          end(with: byte)
          place = .text
        } else if parameters.count < Self.longest {
          parameters.append(byte)
        }
      }
    }
  }

  private mutating func end(with last: UInt8) {
    switch last {
    case UInt8(ascii: "J"):
      isCleared = true
      pictureRows = 0
    case UInt8(ascii: "H") where isCleared:
      let row = Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
      isInLastRow = row == lastRow
      if !isInLastRow { pictureRows += 1 }
    case UInt8(ascii: "K") where isInLastRow: hasEnded = true
    default: break
    }
  }
}
