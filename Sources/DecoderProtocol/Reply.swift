/// What the program answers. It looks at foreign bytes and may have been taken over by them, so nothing it says is
/// believed before it was measured: what does not fit here is nonsense, and ends it.
package enum Reply: Equatable, Sendable {
  /// Before it can answer it needs these bytes of the file.
  case need(offset: Int64, count: Int)
  /// One of several, before `opened`.
  case tag(key: String, value: String)
  case opened(ForeignFormat)
  /// One plane of 32-bit samples a channel stands behind the head, one after the other; none at the end.
  case frames(count: Int, planes: Int, damages: Int)
  /// The next frame read is this one.
  case landed(frame: Int64)
  /// So many were left out; fewer than asked for at the end.
  case skipped(frames: Int)
  case fault(Trouble, String)

  package enum Trouble: UInt32, Sendable {
    /// Not a file of any kind it knows.
    case unknown = 1
    /// A kind that it knows, and nothing in it that can be played.
    case unplayable = 2
    /// It was playable up to here.
    case damaged = 3
    /// The kernel refuses what it shuts itself in with.
    case open = 4
  }

  package static let mostPlanes = 8
  package static let longestKey = 64
  package static let longestTag = 2_048
  package static let longestText = 400
  package static let mostTags = 200
  /// Two tags each, besides.
  package static let mostChapters = 500
  /// More than any file has; sums of a few of them still fit.
  package static let farthest: Int64 = 1 << 52
  package static let mostDamages = 1_000_000

  package var head: Envelope.Head {
    switch self {
    case .need(let offset, let count): .init(kind: 11, count: UInt32(clamping: count), number: offset)
    case .tag(let key, _): .init(kind: 12, count: UInt32(clamping: key.utf8.count))
    case .opened: .init(kind: 13)
    case .frames(let count, let planes, let damages):
      .init(kind: 14, count: UInt32(clamping: count), number: Int64(damages) << 8 | Int64(planes))
    case .landed(let frame): .init(kind: 15, number: frame)
    case .skipped(let frames): .init(kind: 16, count: UInt32(clamping: frames))
    case .fault(let trouble, _): .init(kind: 17, count: trouble.rawValue)
    }
  }

  /// Nil for nonsense.
  package init?(_ envelope: Envelope) {
    let head = envelope.head
    let content = envelope.content
    let count = Int(head.count)
    switch head.kind {
    case 11:
      guard content.isEmpty, (0...Self.farthest).contains(head.number), (1...Envelope.most).contains(count) else {
        return nil
      }
      self = .need(offset: head.number, count: count)
    case 12:
      guard content.count <= Self.longestTag, (1...Self.longestKey).contains(count), count <= content.count else {
        return nil
      }
      self = .tag(
        key: String(decoding: content[..<count], as: UTF8.self),
        value: String(decoding: content[count...], as: UTF8.self))
    case 13:
      guard let format = ForeignFormat(content) else { return nil }
      self = .opened(format)
    case 14:
      let planes = Int(head.number & 0xFF)
      let damages = head.number >> 8
      guard (1...Self.mostPlanes).contains(planes), (0...Int64(Self.mostDamages)).contains(damages),
        count <= Envelope.most, content.count == count * planes * 4
      else { return nil }
      self = .frames(count: count, planes: planes, damages: Int(damages))
    case 15:
      guard content.isEmpty, (0...Self.farthest).contains(head.number) else { return nil }
      self = .landed(frame: head.number)
    case 16:
      guard content.isEmpty, count <= Question.longestSkip else { return nil }
      self = .skipped(frames: count)
    case 17:
      guard let trouble = Trouble(rawValue: head.count), content.count <= Self.longestText else { return nil }
      self = .fault(trouble, String(decoding: content, as: UTF8.self))
    default: return nil
    }
  }

  /// Puts itself into the envelope; samples of `frames` stand in its space already.
  package func write(to envelope: Envelope) {
    switch self {
    case .tag(let key, let value): envelope.close(head, Array(key.utf8) + Array(value.utf8))
    case .opened(let format): envelope.close(head, format.bytes)
    case .frames(let count, let planes, _): envelope.close(head, size: count * planes * 4)
    case .fault(_, let text): envelope.close(head, text.utf8.prefix(Self.longestText))
    case .need, .landed, .skipped: envelope.close(head)
    }
  }
}
