import Audio
import Formats
import Library
import Runtime

private let madeUpFile = MadeUpFile()

/// The bytes as a music file of any kind: whatever it says of itself lies within it, and within bounds.
@Sendable func metadata(_ bytes: [UInt8]) {
  madeUpFile.write(bytes)
  let file = madeUpFile.number
  var reader = MetadataReader()
  let name = FilePath("made up")
  guard let found = try? reader.read(file, size: Int64(bytes.count), name: name) else { return }
  let whole = 0..<Int64(bytes.count)
  precondition(found.audio.clamped(to: whole) == found.audio, "sound outside of the file")
  for place in found.art {
    precondition(place.offset >= 0 && place.offset + Int64(place.length) <= whole.upperBound, "a picture outside")
    let picture = try? place.load(file, name: name)
    precondition((picture?.count ?? 0) <= bytes.count, "a picture larger than its file")
  }
  let texts =
    [found.title, found.album, found.titleSort, found.artistSort, found.albumSort, found.albumArtistSort]
    .compactMap { $0 } + found.artists + found.albumArtists + found.composers + found.genres
  for text in texts {
    precondition(text.unicodeScalars.count <= Tags.longest, "a text that is too long")
    precondition(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control character")
  }
  precondition(texts.count <= 4 * Tags.most, "more texts than there may be")
  precondition((found.frames ?? 1) > 0 && found.rate >= 0 && found.channels >= 0, "a length that makes no sense")
}

/// The bytes as a playlist of each kind, and each of its paths: nothing outside of the root is ever found.
@Sendable func playlist(_ bytes: [UInt8]) {
  let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x2F }).prefix(50)
  let names = PlaylistPath.Names(lines.compactMap { FilePath(bytes: $0) })
  for kind in PlaylistFile.Kind.allCases {
    let list = PlaylistFile.entries(of: bytes, kind: kind)
    precondition(list.entries.count <= PlaylistFile.mostEntries, "more entries than there may be")
    for entry in list.entries.prefix(100) {
      precondition(!entry.path.isEmpty, "an entry without a path")
      if let cue = entry.cue { precondition(cue.start >= 0 && (cue.end ?? .max) >= cue.start, "a track of no length") }
      let found = PlaylistPath.resolve(
        entry.path, text: entry.pathText, beside: [FilePath("lists")], root: FilePath("/root")
      ) { place in place.count < 4 ? names : nil }
      guard let found else { continue }
      let parts = found.bytes.split(separator: 0x2F)
      precondition(parts.first?.elementsEqual("root".utf8) == true, "a path outside of the root")
      precondition(!parts.contains { $0.elementsEqual("..".utf8) }, "a path that leads up")
    }
  }
}
