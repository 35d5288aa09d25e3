/// What the player asks of the program that decodes for it. One question at a time; between a question and its answer
/// the program may ask for the file's bytes (`Reply.need`), which are sent to it as `bytes`.
package enum Question: Equatable, Sendable {
  /// Its bytes come from the player; how many there are, when that is known.
  case open(length: Int64?)
  case read(frames: Int)
  /// Go before this frame, as near as one can be exact, and say where that is.
  case seek(frame: Int64)
  /// Decode so many frames for nobody.
  case skip(frames: Int)
  /// What stands at this place in the file: the bytes behind the head; none at the end.
  case bytes(offset: Int64)

  /// A skip is as long as a helping of work may be.
  package static let longestSkip = 500_000

  package var head: Envelope.Head {
    switch self {
    case .open(let length): .init(kind: 1, number: length ?? -1)
    case .read(let frames): .init(kind: 2, count: UInt32(clamping: frames))
    case .seek(let frame): .init(kind: 3, number: frame)
    case .skip(let frames): .init(kind: 4, count: UInt32(clamping: frames))
    case .bytes(let offset): .init(kind: 5, number: offset)
    }
  }

  package init?(_ head: Envelope.Head) {
    switch head.kind {
    case 1: self = .open(length: head.number < 0 ? nil : min(head.number, Reply.farthest))
    case 2: self = .read(frames: Int(head.count))
    case 3: self = .seek(frame: min(max(head.number, 0), Reply.farthest))
    case 4: self = .skip(frames: min(Int(head.count), Self.longestSkip))
    case 5: self = .bytes(offset: head.number)
    default: return nil
    }
  }
}
