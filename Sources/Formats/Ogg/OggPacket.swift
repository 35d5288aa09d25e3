import Runtime

/// Walks one packet of an Ogg stream over the pages on which it lies; pages of other streams between them are passed
/// over.
struct OggPacket {
  private let bytes: FileBytes
  let serial: UInt32
  /// The page on which the next byte lies.
  private(set) var page: Int64
  /// The next byte.
  private(set) var at: Int64
  /// Of this packet, on this page.
  private(set) var left = 0
  /// No byte of it lies on a later page.
  private var endsHere = false
  /// Of the page's list of lengths.
  private var segment = 0
  private var segments: [UInt8]
  /// Behind the page.
  private var pageEnd: Int64
  private var pagesLeft = 4_000

  /// The packet that begins on the page at `offset`; nil when there is no page.
  init?(page offset: Int64, in bytes: FileBytes) throws(Fault) {
    guard let head = try Self.page(at: offset, in: bytes) else { return nil }
    self.bytes = bytes
    serial = head.serial
    (page, at) = (offset, offset + Int64(head.headLength))
    (segments, pageEnd) = (head.segments, offset + Int64(head.length))
    measure()
  }

  /// What is said of the page.
  static func page(at offset: Int64, in bytes: FileBytes) throws(Fault) -> OggPage? {
    OggPage(try bytes.piece(at: offset, count: OggPage.longestHead))
  }

  /// Adds up the page's segments from `segment` on, to the end of the packet or the page.
  private mutating func measure() {
    left = 0
    endsHere = false
    while segment < segments.count && !endsHere {
      left += Int(segments[segment])
      endsHere = segments[segment] < 255
      segment += 1
    }
  }

  /// False at the stream's end.
  private mutating func turnPage() throws(Fault) -> Bool {
    var next = pageEnd
    while pagesLeft > 0, let found = try Self.page(at: next, in: bytes) {
      pagesLeft -= 1
      let end = next + Int64(found.length)
      if found.serial == serial {
        (page, segment, segments, pageEnd) = (next, 0, found.segments, end)
        at = next + Int64(found.headLength)
        measure()
        return true
      }
      next = end
    }
    return false
  }

  /// Makes sure that the next byte is there; false at the packet's end.
  mutating func hasMore() throws(Fault) -> Bool {
    while left == 0 {
      if endsHere { return false }
      guard try turnPage() else { return false }
    }
    return true
  }

  mutating func skip(_ count: Int64) throws(Fault) {
    var count = count
    while count > 0, try hasMore() {
      let step = Int(min(Int64(left), count))
      at += Int64(step)
      left -= step
      count -= Int64(step)
    }
  }

  /// On to a byte of the first page, which may lie in any of its packets.
  mutating func move(to offset: Int64) throws(Fault) {
    while offset >= at + Int64(left) && segment < segments.count {
      at += Int64(left)
      measure()
    }
    let step = Int(max(0, min(Int64(left), offset - at)))
    at += Int64(step)
    left -= step
  }

  /// As many as there are, in one piece.
  mutating func take(_ count: Int) throws(Fault) -> Piece {
    guard try hasMore() else { return try bytes.piece(at: 0, count: 0) }
    if left >= count {
      let piece = try bytes.piece(at: at, count: count)
      at += Int64(count)
      left -= count
      return piece
    }
    var got = 0
    let count = min(count, FileBytes.most)
    while got < count, try hasMore() {
      let piece = try bytes.piece(at: at, count: min(left, count - got))
      if piece.isEmpty { break }
      (bytes.scratch + got).update(from: piece.start, count: piece.count)
      got += piece.count
      at += Int64(piece.count)
      left -= piece.count
    }
    return Piece(start: bytes.scratch, count: got)
  }

  /// On to the packet behind this one, which must have been walked to its end.
  mutating func next() throws(Fault) -> Bool {
    while try hasMore() { try skip(Int64(left)) }
    if !endsHere { return false }
    if segment < segments.count {
      measure()
      return true
    }
    return try turnPage()
  }

  /// Behind the page on which the packet ends: music begins on a page of its own.
  mutating func end() throws(Fault) -> Int64 {
    while try hasMore() { try skip(Int64(left)) }
    return pageEnd
  }
}
