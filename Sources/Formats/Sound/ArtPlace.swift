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
