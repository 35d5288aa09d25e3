import Audio

/// What a file says of itself, as the catalogue keeps it. Every text is clean and bounded; nothing is made up: what the
/// file leaves open stays nil, empty or zero.
package struct Metadata: Equatable, Sendable {
  package enum Kind: Int, Sendable {
    case music = 0
    case book = 1
    case podcast = 2
  }

  package var title: String?
  package var album: String?
  package var titleSort: String?
  package var artistSort: String?
  package var albumSort: String?
  package var albumArtistSort: String?
  package var artists: [String] = []
  package var albumArtists: [String] = []
  package var composers: [String] = []
  package var genres: [String] = []
  package var isCompilation = false
  package var kind = Kind.music
  package var disc: Int?
  package var discs: Int?
  package var track: Int?
  package var tracks: Int?
  package var year: Int?
  package var loudness = LoudnessFacts()
  /// As people call it: "FLAC", "MP3", "Vorbis", "Opus", "WAV", "AIFF", "AAC", "ALAC", "WMA" and others.
  package var codec = ""
  /// Zero where only a decoder would know.
  package var rate: Int32 = 0
  package var bits: Int32 = 0
  package var channels: Int32 = 0
  /// At `rate`. As the format states it, or reckoned from its first frames.
  package var frames: Int64?
  /// The bytes of sound without the tags around it: they stay the same when the file is tagged anew.
  package var audio: Range<Int64> = 0..<0
  package var art: [ArtPlace] = []
  /// What texts were taken for that do not say their encoding; nil when there was nothing to guess.
  package var encoding: TextEncoding?

  package init() {}
}

/// Where an embedded picture lies in its file.
package struct ArtPlace: Equatable, Sendable {
  package enum Kind: Int, Sendable {
    case front = 0
    case other = 1
  }

  /// How the bytes there become those of the picture.
  package enum Coding: Int, Sendable {
    case plain = 0
    /// ID3's: a zero behind each byte 255 is none of the picture's.
    case unsynchronised = 1
    case base64 = 2
    /// With zlib, as ID3 allows.
    case compressed = 3
    /// The same, and then as `unsynchronised`.
    case compressedUnsynchronised = 4
  }

  package var kind: Kind
  package var offset: Int64
  /// Of the bytes in the file, before they are decoded.
  package var length: Int
  package var coding: Coding
  /// Decoded bytes in front of the picture: a FLAC picture's own head within base64.
  package var skipped = 0
  /// In Ogg the heads of pages lie between the bytes: the page where they begin.
  package var page: Int64?

  package init(
    _ kind: Kind, at offset: Int64, length: Int, coding: Coding = .plain, skipped: Int = 0, page: Int64? = nil
  ) {
    self.kind = kind
    self.offset = offset
    self.length = length
    self.coding = coding
    self.skipped = skipped
    self.page = page
  }
}
