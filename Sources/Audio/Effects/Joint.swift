import Formats
import Runtime

/// What the rule of joints knows of a track.
package struct TrackFacts: Equatable, Sendable {
  package var album: String?
  package var albumArtist: String?
  package var artist: String?
  package var disc: Int?
  package var number: Int?
  package var folder: FilePath?
  /// What its file's name begins with: 3 of "03 - Night.flac".
  package var fileNumber: Int?
  package var part: MusicPart?
  /// Frames in all at `rate`; nil while that is not known.
  package var length: Int64?
  package var rate: Int32

  package init(length: Int64?, rate: Int32) {
    self.length = length
    self.rate = rate
  }

  package init(_ tags: Tags, file: FilePath?, length: Int64?, rate: Int32) {
    self.init(length: length, rate: rate)
    album = tags.album
    albumArtist = (tags.values("ALBUMARTIST") + tags.values("ALBUM ARTIST") + tags.values("TPE2")).first
    artist = tags.artist
    disc = Tags.number((tags.values("DISCNUMBER") + tags.values("TPOS")).first)
    number = tags.trackNumber
    part = file.flatMap { MusicPart(address: $0) }
    folder = file?.ofFile.folder
    let digits = file?.name.bytes.prefix { (0x30...0x39).contains($0) } ?? []
    fileNumber = Tags.number(String(decoding: digits, as: UTF8.self))
  }

  /// The very next on the same record: what was one sound there shall stay one.
  package func isFollowed(by next: TrackFacts) -> Bool {
    if let part, let following = next.part, part.file == following.file { return part.isFollowed(by: following) }
    if album != nil || next.album != nil {
      guard album == next.album, isSameMaker(as: next), let number, let following = next.number else { return false }
      let (disc, nextDisc) = (disc ?? 1, next.disc ?? 1)
      return disc == nextDisc ? following == number + 1 : nextDisc == disc + 1 && following == 1
    }
    guard let folder, folder == next.folder, let fileNumber, let following = next.fileNumber else { return false }
    return following == fileNumber + 1
  }

  private func isSameMaker(as next: TrackFacts) -> Bool {
    if albumArtist != nil || next.albumArtist != nil { return albumArtist == next.albumArtist }
    return artist == next.artist || (folder != nil && folder == next.folder)
  }
}

/// How one track meets the next.
package enum Joint: Equatable, Sendable {
  /// The first frame behind the last one.
  case gapless
  /// So many frames, at the rate of the track that ends, are heard of both.
  case crossfade(Int)

  package static let longest = Duration.seconds(12)

  package static func between(
    previous: TrackFacts, next: TrackFacts, wanted: Duration, insideAlbums: Bool
  ) -> Joint {
    // Nobody can begin to fade before an end that is not known.
    guard wanted > .zero, previous.rate > 0, let length = previous.length else { return .gapless }
    if !insideAlbums && previous.isFollowed(by: next) { return .gapless }
    var frames = TrackPlace.time(min(wanted, longest)).frame(atRate: previous.rate)
    frames = min(frames, length / 2)
    if let length = next.length, next.rate > 0 {
      frames = min(frames, TrackPlace.spot(Spot(frame: length / 2, rate: next.rate)).frame(atRate: previous.rate))
    }
    return frames > 0 ? .crossfade(Int(frames)) : .gapless
  }
}
