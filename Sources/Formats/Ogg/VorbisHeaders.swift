/// Puts the first three packets of one Vorbis stream together from its pages. It keeps the third only, the set-up
/// header. It is stricter than libogg: it accepts only pages that leave no doubt about where a packet ends, so that
/// libvorbis is certain to see the same packet.
package struct VorbisHeaders {
  package enum Found: Equatable, Sendable {
    case nothingYet
    case setup([UInt8])
    /// The pages do not follow each other as a multiplexer writes them.
    case disorder
  }

  /// As the identification header says.
  package let rate: Int64
  private var sequence: UInt32
  /// Whole packets so far.
  private var packets = 0
  /// The packet at hand goes on in the next page.
  private var isInside = false
  /// Bytes of the packet at hand: its beginning, or all of it when it is the set-up header.
  private var packet: [UInt8] = []

  private static let names = Array("vorbis".utf8)
  /// The type of each header packet, in the order in which libvorbis takes them.
  private static let types: [UInt8] = [1, 3, 5]

  /// Nil for a page that begins no Vorbis stream as libvorbisfile sees it: the identification header ends in the page.
  package init?(first head: OggPage, _ body: UnsafeRawBufferPointer) {
    guard head.isFirst, !head.isContinued, let end = head.segments.firstIndex(where: { $0 < 255 }) else { return nil }
    let length = head.segments[...end].reduce(0) { $0 + Int($1) }
    guard length <= body.count, length >= 16, Self.isHeader(body[..<length], type: Self.types[0]) else { return nil }
    rate = Int64(UInt32(littleEndian: body.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    sequence = head.sequence
  }

  private static func isHeader(_ bytes: some Collection<UInt8>, type: UInt8) -> Bool {
    bytes.first == type && bytes.dropFirst().starts(with: names)
  }

  /// The next page of the stream, the first one included.
  package mutating func take(_ head: OggPage, _ body: UnsafeRawBufferPointer) -> Found {
    guard head.sequence == sequence, head.isContinued == isInside, head.isFirst == (packets == 0 && !isInside) else {
      return .disorder
    }
    sequence &+= 1
    var at = 0
    for segment in head.segments {
      let end = at + Int(segment)
      guard end <= body.count else { return .disorder }
      add(body[at..<end])
      at = end
      isInside = segment == 255
      if isInside { continue }
      guard Self.isHeader(packet, type: Self.types[packets]) else { return .disorder }
      packets += 1
      if packets == Self.types.count { return .setup(packet) }
      packet = []
    }
    return packet.count > VorbisSetup.longestPacket ? .disorder : .nothingYet
  }

  private mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let most = packets == Self.types.count - 1 ? .max : Self.names.count + 1
    packet += bytes.prefix(max(most - packet.count, 0))
  }
}
