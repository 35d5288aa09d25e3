import Library
import Playback
import Runtime

/// What can be done with a song, an album or whatever else is music.
extension MenuPages {
  /// `links`: whose it is, and what it is on. `status`: of what plays, and where that was `before`. `index`: of an entry
  /// of the queue. `isCurrent`: it is what plays. `details`: where it can be kept, or is.
  func thing(
    _ thing: Thing, _ links: TrackLinks = TrackLinks(), _ status: PlayerStatus = PlayerStatus(),
    before: Duration? = nil, at index: Int? = nil, isCurrent: Bool = false, keeping details: OfferDetails? = nil
  ) -> [MenuRow] {
    let (keeps, ways) = (keeping(details), ways(to: links))
    let toPlaylist = row(.addToPlaylist, .open(.playlistFor(thing)))
    let toQueue = row(.addToQueue, .perform(.addToQueue(thing)))
    let all = [row(.playAll, .perform(.play(thing)))]
    let shuffled = thing.isInOneOrder ? [] : [row(.shuffleAll, .perform(.shuffleAll(thing)))]
    let isCurrent = isCurrent || thing.entry.map { $0 == status.entry?.id.number } ?? false
    let places = isCurrent ? self.places(status, before: before) : []
    let one = [row(.playFromHere, .perform(.play(thing))), row(.playNext, .perform(.playNext(thing)))]
    let others = [toQueue, toPlaylist]
    let groups: [[MenuRow]] =
      switch thing.kind {
      case .entry(let id):
        [
          places, [row(.playNow, .perform(.jump(id)))], next(thing, at: index, status),
          [remove(thing, id, isPlaying: isCurrent)], moves(id, at: index, status), [toPlaylist], keeps,
        ]
      case .track: [places, one, others, keeps, ways]
      case .all: [all, shuffled, others, keeps, ways]
      // To keep it is what people go through a source for.
      case .offer(let id, _):
        id.kind == .track
          ? [places, one, keeps, others, qualities(details)] : [all, keeps, shuffled, others, qualities(details)]
      }
    return groups.flatMap(\.self) + [row(.back, .back)]
  }

  /// Behind what plays, unless it is there.
  private func next(_ thing: Thing, at index: Int?, _ status: PlayerStatus) -> [MenuRow] {
    guard let index, let current = status.index, index != current, index != current + 1 else { return [] }
    return [row(.playNext, .perform(.playNext(thing)))]
  }

  /// One has no place among others.
  private func moves(_ id: UInt64, at index: Int?, _ status: PlayerStatus) -> [MenuRow] {
    guard status.count != 1 else { return [] }
    return [
      up(id, at: index, status),
      row(.moveDown, .perform(.moveEntry(id, by: 1))),
    ]
  }

  /// No further than behind what plays: before that it would not be heard. The row stays, so that whoever presses it once
  /// too often meets nothing else.
  private func up(_ id: UInt64, at index: Int?, _ status: PlayerStatus) -> MenuRow {
    let isNext = index.map { index in status.index.map { index == $0 + 1 } ?? false } ?? false
    return row(.moveUp, isNext ? .none : .perform(.moveEntry(id, by: -1))) {
      $0.value = index.map { place($0, of: status.count) } ?? ""
    }
  }

  /// Where in the queue it stands. The smallest panel has room for figures alone.
  private func place(_ index: Int, of count: Int) -> String {
    manner.screen == .tiny ? "\(index + 1) / \(count)" : words.filled(.placeOf, "\(index + 1)", "\(count)")
  }

  /// What plays would stop: that is asked about first.
  private func remove(_ thing: Thing, _ id: UInt64, isPlaying: Bool) -> MenuRow {
    let gone = Question(words.labelled(.removeFromQueue, thing.title), .removeEntry(id), yes: .removeFromQueue)
    return row(.removeFromQueue, isPlaying ? .open(.sure(gone)) : .perform(.removeEntry(id)))
  }

  private func qualities(_ details: OfferDetails?) -> [MenuRow] {
    guard let details else { return [] }
    return [row(.quality, .open(.qualities(details.offer.id))) { $0.value = words[details.size.quality.word] }]
  }

  private func ways(to links: TrackLinks) -> [MenuRow] {
    let artist = links.artist.map { artist in
      row(.goToArtist, .open(.list(.albumsOf(artist: artist.id), named: artist.name))) { $0.detail = artist.name }
    }
    let album = links.album.map { album in
      row(.goToAlbum, .open(.list(.tracksOf(album: album.id), named: album.name))) { $0.detail = album.name }
    }
    return [artist, album].compactMap(\.self)
  }
}
