/// What there is to see of a foreign text. Names come from anywhere: they may be endless, steer the layout, or heap up
/// accents until those cover other lines. What is left out here costs nothing later.
enum VisibleText {
  /// More characters than any panel has room for.
  static let longest = 512
  /// So many are looked at, seen or not.
  static let longestRead = 2_048
  /// Accents that a letter keeps. No language heaps up more.
  static let mostMarks = 8

  static func scalars(of text: String) -> [Unicode.Scalar] {
    var reading = Reading()
    var seen: [Unicode.Scalar] = []
    seen.reserveCapacity(min(text.utf8.count, longest))
    for scalar in text.unicodeScalars.prefix(longestRead) {
      guard let visible = reading.visible(scalar, isFirst: seen.isEmpty) else { continue }
      seen.append(visible)
      if seen.count == longest { break }
    }
    return seen
  }

  /// Of what came before it depends what is seen of a character.
  private struct Reading {
    private var marks = 0
    private var isolates = 0
    private var isAfterPicture = false
    private var isJoined = false

    mutating func visible(_ scalar: Unicode.Scalar, isFirst: Bool) -> Unicode.Scalar? {
      // Nearly all text ends here.
      if (0x20..<0x7F).contains(scalar.value) { return letter(scalar) }
      switch scalar.value {
      // Line ends and tabs are spaces.
      case 0x09...0x0D, 0x85, 0xA0, 0x2028, 0x2029: return letter(" ")
      // These only say how the one before them looks; the last draws a key around it.
      case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x20E3: return nil
      // Of pictures that are joined the first one says enough.
      case 0x200D where isAfterPicture:
        isJoined = true
        return nil
      case 0x200C, 0x200D: return scalar
      // A name within a sentence, and a sentence's own direction: only where they are as `Isolated` sets them.
      case 0x2068:
        isolates += 1
        return scalar
      case 0x2069 where isolates > 0:
        isolates -= 1
        return scalar
      case 0x200F where isFirst: return scalar
      case 0x1F3FB...0x1F3FF where isAfterPicture: return nil
      // Half a flag is a letter of a country's name.
      case 0x1F1E6...0x1F1FF: return letter(Unicode.Scalar(UInt8(scalar.value - 0x1F1E6) + 0x41))
      default: break
      }
      switch scalar.properties.generalCategory {
      // Controls, and marks that steer the layout of all that comes after them.
      case .control, .format, .surrogate: return nil
      case .nonspacingMark, .enclosingMark:
        marks += 1
        return marks > mostMarks ? nil : scalar
      default: break
      }
      guard scalar.value >= 0x203C, scalar.properties.isEmoji else { return letter(scalar) }
      let isRest = isJoined
      (marks, isAfterPicture, isJoined) = (0, true, false)
      return isRest ? nil : scalar
    }

    private mutating func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      (marks, isAfterPicture, isJoined) = (0, false, false)
      return scalar
    }
  }
}
