import Runtime

/// Vorbis, Opus and FLAC in Ogg.
extension FileReading {
  private enum OggKind {
    case vorbis, opus, flac, speex
  }

  private struct Stream {
    var packet: OggPacket
    var kind: OggKind
    /// Frames that no one is to hear.
    var skip: Int64 = 0
  }

  private static let mostStreams = 16
  private static let mostFLACPackets = 64

  mutating func readOgg(at offset: Int64) throws(Fault) {
    found.codec = "Ogg"
    found.audio = span(offset, bytes.size)
    guard let stream = try chooseStream(at: offset) else { return }
    var packet = stream.packet
    switch stream.kind {
    case .vorbis:
      guard try packet.next(), try packet.take(7).begins("\u{3}vorbis") else { return }
      try readComments(&packet)
      _ = try packet.next()
    case .opus:
      guard try packet.next(), try packet.take(8).begins("OpusTags") else { return }
      try readComments(&packet)
    case .flac: try readFLACPackets(&packet)
    case .speex: break
    }
    found.audio = span(try packet.end(), bytes.size)
    guard found.frames == nil, let last = try lastGranule(of: packet.serial, from: offset) else { return }
    setFrames(last - min(stream.skip, last), atMost: AudioFormat.MostFramesPerByte.ogg)
  }

  /// The first stream of a codec that we know, and what its first packet says.
  private mutating func chooseStream(at offset: Int64) throws(Fault) -> Stream? {
    var at = offset
    for _ in 0..<Self.mostStreams {
      // Streams that lie side by side all begin before any goes on.
      guard let page = try OggPacket.page(at: at, in: bytes), page.isFirst,
        var packet = try OggPacket(page: at, in: bytes)
      else { return nil }
      let head = try packet.take(51)
      if head.begins("\u{1}vorbis") {
        found.codec = "Vorbis"
        setFormat(rate: Int(head.little32(12)), channels: Int(head[11]), bits: 0)
        return Stream(packet: packet, kind: .vorbis)
      }
      if head.begins("OpusHead") {
        found.codec = "Opus"
        // Whatever it was made from, it is played at 48,000.
        setFormat(rate: 48_000, channels: Int(head[9]), bits: 0)
        return Stream(packet: packet, kind: .opus, skip: Int64(head.little16(10)))
      }
      if head.begins("FLAC", at: 1), head[0] == 0x7F {
        found.codec = "FLAC"
        readStreamInfo(head.from(17))
        return Stream(packet: packet, kind: .flac)
      }
      if head.begins("Speex   ") {
        found.codec = "Speex"
        setFormat(rate: Int(head.little32(36)), channels: Int(head.little32(48)), bits: 0)
        guard try packet.next() else { return nil }
        try readComments(&packet)
        return Stream(packet: packet, kind: .speex)
      }
      at += Int64(page.length)
    }
    return nil
  }

  private mutating func readFLACPackets(_ packet: inout OggPacket) throws(Fault) {
    for _ in 0..<Self.mostFLACPackets {
      guard try packet.next() else { return }
      let head = try packet.take(4)
      let (kind, isLast, length) = (head[0] & 0x7F, head[0] & 0x80 != 0, head.big24(1))
      if kind == 4 { try readComments(&packet) }
      if kind == 6 {
        let (at, page) = (packet.at, packet.page)
        let piece = try packet.take(min(length, 1_024))
        if let picture = FLACPicture(piece), picture.headLength < length {
          add(ArtPlace(picture.kind, at: at, length: length, skipped: picture.headLength, page: page))
        }
      }
      if isLast { return }
    }
  }

  private mutating func readComments(_ packet: inout OggPacket) throws(Fault) {
    try packet.skip(Int64(try packet.take(4).little32(0)))
    var left = min(try packet.take(4).little32(0), 10_000)
    while left > 0, try packet.hasMore() {
      left -= 1
      let length = Int(try packet.take(4).little32(0))
      guard length > 0, try packet.hasMore() else { continue }
      let taken = min(length, TagTexts.longest)
      var start = packet
      let text = try packet.take(taken)
      if let picture = Base64Picture(text, length: length) {
        try start.skip(Int64(picture.start))
        if try start.hasMore() {
          add(
            ArtPlace(
              picture.kind, at: start.at, length: picture.length, coding: .base64, skipped: picture.skipped,
              page: start.page))
        }
      } else {
        texts.add(vorbis: text)
      }
      try packet.skip(Int64(length - taken))
    }
  }

  /// The place that the stream's last page names, in the file's last bytes. Nil for a chain, in which other streams follow
  /// this one: only a decoder finds out how long they are.
  private func lastGranule(of serial: UInt32, from offset: Int64) throws(Fault) -> Int64? {
    let beside = try serials(at: offset)
    let start = max(0, bytes.size - Int64(FileBytes.most))
    let tail = try bytes.piece(at: start, count: FileBytes.most)
    var at = tail.count - OggPage.fixedLength
    while at >= 0 {
      if tail[at] == 0x4F, tail[at + 4] == 0, tail[at + 5] < 8, let page = OggPage(tail.from(at)) {
        if !beside.contains(page.serial) { return nil }
        if page.serial == serial, page.granule > 0 { return page.granule }
      }
      at -= 1
    }
    return nil
  }

  /// The numbers of the streams that lie side by side at the beginning.
  private func serials(at offset: Int64) throws(Fault) -> Set<UInt32> {
    var found: Set<UInt32> = []
    var at = offset
    for _ in 0..<Self.mostStreams {
      guard let page = try OggPacket.page(at: at, in: bytes), page.isFirst else { break }
      found.insert(page.serial)
      at += Int64(page.length)
    }
    return found
  }
}
