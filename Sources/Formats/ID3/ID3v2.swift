/// The tag that often stands before the music, in MP3 files and at times in FLAC, as decoders need it: they pass over it.
/// What is in it libmpg123 reads on its way to the music (`MPG123Library.tags`); the library reads its frames with
/// `ID3v2Tag`, without that way and with texts whose encoding nobody states.
package enum ID3v2 {
  package static let headLength = ID3v2Tag.headLength

  /// Its bytes with header and footer; 0 when `start` begins no tag.
  package static func length(_ start: [UInt8]) -> Int64 {
    Piece.with(start.prefix(headLength)) { ID3v2Tag($0, at: 0)?.whole } ?? 0
  }
}
