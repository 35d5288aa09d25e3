/// Which format an Ogg file carries that our decoders play: its first pages say so, one for each of the streams that lie
/// side by side. The library (`FileReading.readOgg`) knows more formats, and what the first packet says besides.
package enum OggCodec: CaseIterable {
  case vorbis, opus, flac

  private func begins(_ packet: Piece) -> Bool {
    switch self {
    case .vorbis: packet.begins("\u{1}vorbis")
    case .opus: packet.begins("OpusHead")
    case .flac: packet.begins("\u{7F}FLAC")
    }
  }

  /// Nil when `bytes` begin no Ogg file, or one of films or speech only.
  package init?(_ bytes: [UInt8]) {
    guard let found = Piece.with(bytes, { Self.found(in: $0) }) else { return nil }
    self = found
  }

  private static func found(in piece: Piece) -> OggCodec? {
    var rest = piece
    while let page = OggPage(rest), page.isWhole {
      let packet = rest.from(page.headLength)
      if let found = allCases.first(where: { $0.begins(packet) }) { return found }
      // Pages that begin a stream come before all others.
      guard page.isFirst else { return nil }
      rest = rest.from(page.length)
    }
    return nil
  }

  /// Where in `bytes` the first page of a file lies that carries one of them, within `seen` bytes from there.
  package static func place(in bytes: [UInt8], seen: Int) -> Int? {
    Piece.with(bytes) { piece in
      var at = 0
      while let found = OggPage.first(in: piece, from: at) {
        if Self.found(in: piece.part(found, seen)) != nil { return found }
        at = found + 1
      }
      return nil
    }
  }
}
