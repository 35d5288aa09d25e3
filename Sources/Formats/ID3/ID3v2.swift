/// The tag that often stands before the music, in MP3 files and at times in FLAC.
package enum ID3v2 {
  package static let headLength = 10

  /// Its bytes with header and footer; 0 when `start` begins no tag.
  package static func length(_ start: [UInt8]) -> Int64 {
    guard start.count >= 10, start[0...2].elementsEqual("ID3".utf8), start[3] < 0xFF, start[4] < 0xFF,
      start[6...9].allSatisfy({ $0 < 0x80 })
    else { return 0 }
    let size = start[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return 10 + size + (start[5] & 0x10 == 0 ? 0 : 10)
  }
}
