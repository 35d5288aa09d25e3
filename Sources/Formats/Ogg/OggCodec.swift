/// Which format an Ogg file carries: its first pages say so, one for each of the streams that lie side by side.
package enum OggCodec: CaseIterable {
  case vorbis, opus, flac

  package static let letters = Array("OggS".utf8)

  private var mark: [UInt8] {
    switch self {
    case .vorbis: [1] + Array("vorbis".utf8)
    case .opus: Array("OpusHead".utf8)
    case .flac: [0x7F] + Array("FLAC".utf8)
    }
  }

  /// Nil when `bytes` begin no Ogg file, or one of films or speech only.
  package init?(_ bytes: [UInt8]) {
    var at = 0
    while at + 27 <= bytes.count, bytes[at...].starts(with: Self.letters) {
      let segments = Int(bytes[at + 26])
      let start = at + 27 + segments
      guard start <= bytes.count else { return nil }
      if let found = Self.allCases.first(where: { bytes[start...].starts(with: $0.mark) }) {
        self = found
        return
      }
      // Pages that begin a stream come before all others.
      guard bytes[at + 5] & 2 != 0 else { return nil }
      at = start + bytes[at + 27..<start].reduce(0) { $0 + Int($1) }
    }
    return nil
  }
}
