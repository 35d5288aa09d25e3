import Formats
import Runtime

/// What a file says about itself, as soon as it has been opened.
package struct Track: Equatable, Sendable {
  package var title: String
  package var artist = ""
  package var album = ""
  package var number: Int?
  package var rate: Int32 = 0
  package var bits: Int32 = 0
  package var frames: Int64?
  package var chapters: [Chapter] = []
  /// Read from all tags of its file by an import, or said by the index of a source: then it is called so everywhere,
  /// whatever a decoder reads.
  package var isCatalogued = false

  /// A file that has not been opened yet is shown by its name without the ending. Fetched files are named by a checksum,
  /// which tells a person nothing, so their title stays empty.
  package init(named path: FilePath) {
    title = Self.isStored(path) ? "" : path.nameWithoutEnding.description
  }

  /// `aa/aabbccdd....flac`: 32 hexadecimal digits, in a folder that is called by the first two of them.
  package static func isStored(_ path: FilePath) -> Bool {
    let name = path.nameWithoutEnding.bytes
    guard name.count == 32, path.folder.name.bytes.elementsEqual(name.prefix(2)) else { return false }
    return name.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  package init(path: FilePath, tags: Tags, format: AudioFormat, frames: Int64?) {
    self.init(named: path)
    if let tagged = tags.title { title = tagged }
    artist = tags.artist ?? ""
    album = tags.album ?? ""
    number = tags.trackNumber
    chapters = tags.chapters
    rate = format.sampleRate
    bits = format.bitsPerSample
    self.frames = frames
  }

  /// What a decoder read, by the names that the library knows, where it knows any.
  package func called(as known: Track?, at path: FilePath) -> Track {
    guard let known, known.isCatalogued else { return self }
    var track = self
    track.isCatalogued = true
    // A file without a title is listed by its own name.
    if known.title != Track(named: path).title { track.title = known.title }
    if !known.artist.isEmpty { track.artist = known.artist }
    if !known.album.isEmpty { track.album = known.album }
    track.number = known.number ?? number
    return track
  }

  package var duration: Duration? {
    guard let frames, rate > 0 else { return nil }
    let rate = Int64(rate)
    return .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
  }
}
