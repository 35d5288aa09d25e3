import Playback
import Runtime

/// What can be fetched from a source and kept, as the panel shows it. "Offer" is its word for one of these.
package enum OfferKind: String, CaseIterable, Sendable { case album, artist, playlist, track }

/// As its source knows it; for the panel only a name.
package struct OfferID: Hashable, Sendable {
  package var source: String
  package var kind: OfferKind
  package var id: String
  package var title: String

  package init(source: String, kind: OfferKind, id: String, title: String) {
    (self.source, self.kind, self.id, self.title) = (source, kind, id, title)
  }
}

/// One row of what a source has.
package struct ShownOffer: Equatable, Sendable {
  package var id: OfferID
  package var artist: String
  /// How many tracks it has.
  package var count: Int
  /// How it stands where it is kept; nil where nobody wants it.
  package var state: ShownDownload.State?
  /// Some of it is kept, and nobody wants the rest.
  package var isPartly = false
  /// Nobody wants it; it was streamed, and goes when its room is needed.
  package var isCached = false
  /// It is the track that plays.
  package var isCurrent = false
  /// Of a track, where its source tells it.
  package var length: Duration?

  package init(_ id: OfferID, artist: String = "", count: Int = 1, state: ShownDownload.State? = nil) {
    (self.id, self.artist, self.count, self.state) = (id, artist, count, state)
  }
}

extension ShownOffer {
  /// Where its music is, as far as it is kept.
  fileprivate var mark: MenuMark? { isPartly ? .partly : state?.mark ?? (isCached ? .cached : nil) }

  /// All of it.
  fileprivate var thing: Thing {
    var thing = Thing(.offer(id), id.title, artist)
    thing.isInOneOrder = count == 1
    return thing
  }
}

/// A list of what a source has: all of one kind, or what was found there.
package struct OfferQuery: Hashable, Sendable {
  package var source: String
  /// Nil: of every kind.
  package var kind: OfferKind?
  package var typed = ""

  package init(_ source: String, _ kind: OfferKind?, typed: String = "") {
    (self.source, self.kind, self.typed) = (source, kind, typed)
  }
}

/// In which quality something is kept.
package enum ShownQuality: Int64, CaseIterable, Sendable {
  case low = 1
  case normal = 2
  case high = 3
  case veryHigh = 4
  case lossless = 5

  var word: Word {
    switch self {
    case .low: .lowQuality
    case .normal: .normalQuality
    case .high: .highQuality
    case .veryHigh: .veryHighQuality
    case .lossless: .lossless
    }
  }
}

/// How much it is, how much of that would have to be fetched, and whether there is room for it.
package struct OfferSize: Equatable, Sendable {
  package var quality: ShownQuality
  /// Of all of it: as much as is kept in the end.
  package var bytes: Int64
  /// Of it, what is here already.
  package var here: Int64
  /// What would have to be fetched; what is on its way already is not in it.
  package var toFetch: Int64
  package var room: Int64
  /// How long it takes to fetch, about; nil where no speed was measured yet.
  package var time: Duration?

  var fits: Bool { toFetch <= room }

  /// Without `toFetch`: all that is not here.
  package init(_ quality: ShownQuality, bytes: Int64, here: Int64 = 0, toFetch: Int64? = nil, room: Int64) {
    (self.quality, self.bytes, self.here, self.room) = (quality, bytes, here, room)
    self.toFetch = toFetch ?? bytes - here
  }
}

/// All that is known of one: what it would be to keep it, or how far it is.
package struct OfferDetails: Equatable, Sendable {
  package var offer: ShownOffer
  /// In the quality that downloads have, or that it is kept in.
  package var size: OfferSize
  package var kept: ShownDownload?
  /// Of all its music, where that is known.
  package var length: Duration?

  package init(_ offer: ShownOffer, _ size: OfferSize, kept: ShownDownload? = nil) {
    (self.offer, self.size, self.kept) = (offer, size, kept)
  }
}

/// What a source has that can be played.
package enum OfferedList: Sendable {
  /// All of it.
  case one(OfferID)
  /// The songs of a list.
  case found(OfferQuery)
}

/// How what an offer holds stands in the queue, and where it was chosen.
package struct OfferedMusic: Sendable {
  package let addresses: [FilePath]
  /// Where among them the track is that somebody chose.
  package let first: Int?
  package let origin: Origin

  package init(_ addresses: [FilePath], first: Int?, from origin: Origin) {
    (self.addresses, self.first, self.origin) = (addresses, first, origin)
  }
}

extension MenuPages {
  // MARK: Keep offline

  /// Everything about music that is fetched and kept.
  func keep(
    _ sources: [ShownSource], _ downloads: [ShownDownload], _ storage: ShownStorage?, _ smart: ShownSmart,
    hasLicences: Bool = false
  ) -> [MenuRow] {
    let going = downloads.count { $0.state != .whole }
    return [row(.downloads, .open(.downloads)) { $0.value = going > 0 ? "\(going)" : "" }] + self.sources(sources)
      + [
        row(.smart, .open(.smart)) { $0.value = words[smart.isOn ? .on : .off] },
        row(.storage, .open(.storage)) { if let storage { $0.value = room(storage.room) } },
      ] + (hasLicences ? [row(.licences, .open(.licences))] : [])
  }

  func sources(_ all: [ShownSource]) -> [MenuRow] {
    all.map { source in
      MenuRow(source.name, .open(.source(source.name))) { $0.detail = source.trouble ?? "" }
    }
  }

  /// What there is none of is not offered. Below that why nothing comes from it, and what may help.
  func source(_ source: ShownSource, _ counts: [(kind: OfferKind, count: Int)]) -> [MenuRow] {
    let lists = counts.filter { $0.count > 0 }.map { kind, count in
      row(Self.word(ofSeveral: kind), .open(.offers(OfferQuery(source.name, kind)))) { $0.value = "\(count)" }
    }
    if lists.isEmpty { return [] }
    let texts = [source.trouble, source.isAway ? words[.isItOn] : nil].compactMap(\.self)
    return [row(.search, .open(.searchOffers(source.name)))] + lists + texts.flatMap { text($0) }
  }

  static func word(ofSeveral kind: OfferKind) -> Word {
    switch kind {
    case .album: .albums
    case .artist: .artists
    case .playlist: .playlists
    case .track: .songs
    }
  }

  private func name(of kind: OfferKind) -> String? {
    switch kind {
    case .album: words[.album]
    case .artist: words[.artist]
    case .playlist, .track: nil
    }
  }

  func offer(_ offer: ShownOffer, in query: OfferQuery, isAway: Bool) -> MenuRow {
    if offer.id.kind == .track { return song(offer, of: nil, in: query, isAway: isAway) }
    // Among rows of other kinds it says which it is.
    let isMixed = query.kind == nil
    return MenuRow(offer.id.title, .open(.offer(offer.id))) {
      $0.detail = words.joined([isMixed ? name(of: offer.id.kind) ?? "" : "", offer.artist])
      switch offer.state {
      case .whole, .running, .waiting: $0.mark = offer.mark
      case .paused, .failed: $0.value = offer.state.map(word(of:)) ?? ""
      case nil:
        $0.mark = offer.mark
        if $0.mark == nil, isAway { ($0.mark, $0.isDim) = (.away, true) }
      }
      $0.art = .offer(offer.id)
      $0.more = .thing(offer.thing)
    }
  }

  /// A row of an offer's own page: a song of an album or a playlist, or an album of an artist.
  func part(_ offer: ShownOffer, of whole: OfferID, isAway: Bool) -> MenuRow {
    offer.id.kind == .track
      ? song(offer, of: whole, isAway: isAway)
      : self.offer(offer, in: OfferQuery(whole.source, offer.id.kind), isAway: isAway)
  }

  /// `album`: on whose page it stands, and goes on behind it; `query`: the list that does, where it stands on no page.
  func song(_ offer: ShownOffer, of album: OfferID?, in query: OfferQuery? = nil, isAway: Bool) -> MenuRow {
    var thing = Thing(.offer(offer.id, within: album), offer.id.title, offer.artist)
    thing.among = query
    var shown = song(thing, offer.length)
    shown.mark = offer.mark
    switch offer.mark {
    case nil: (shown.mark, shown.isDim) = isAway ? (.away, true) : (.streamed, false)
    // It can neither be fetched nor streamed while its source is away.
    case .coming, .waits: shown.isDim = isAway
    case .stored, .partly, .cached, .streamed, .away: break
    }
    if album == nil { shown.art = .offer(offer.id) }
    return shown
  }

  /// What comes before its songs. How much it is, and whether there is room, is told first.
  func head(of details: OfferDetails, isShuffled: Bool = false) -> MenuRow {
    let stands = details.kept.map { kept in
      [
        kept.size > 0 ? words.bytes(kept.size) : "",
        [word(of: kept.state), percent(of: kept)].filter { !$0.isEmpty }.joined(separator: " "),
      ]
    }
    let size = [words.bytes(details.size.bytes)] + told(details.size, isCached: details.offer.isCached)
    let facts: [String] =
      [counted(details.offer.count), length(details.length)] + (stands ?? size)
      + [isShuffled && details.offer.count > 1 ? shuffled : ""]
    let thing = details.offer.thing
    return head(
      thing, details.kept == nil ? .playKeepOrMore : thing.isInOneOrder ? .playMore : .playOrMore,
      artist: details.offer.artist, facts: facts, art: .offer(details.offer.id))
  }

  /// What stands behind its size: how much of it is here already, where that is some, and whether the rest has room.
  private func told(_ size: OfferSize, isCached: Bool = false) -> [String] {
    if isCached { return [words[.signCached]] }
    let here = size.here > 0 && size.here < size.bytes ? words.filled(.hereAlready, words.bytes(size.here)) : ""
    let isHere = size.here > 0 && size.here >= size.bytes
    return [here, isHere ? words[.hereWithOther] : room(for: size)].filter { !$0.isEmpty }
  }

  private func room(for size: OfferSize) -> String {
    size.fits ? words[.fits] : words.filled(.roomFor, words.bytes(max(size.room, 0)))
  }

  /// To keep it, told how much that is; or how it stands, and an end of that. Nothing where keeping means nothing.
  func keeping(_ details: OfferDetails?) -> [MenuRow] {
    guard let details else { return [] }
    let id = details.offer.id
    guard let kept = details.kept else {
      // Without a word for it, it is taken for how long the download takes.
      let length = length(details.length)
      let music = length.isEmpty ? "" : words.filled(.ofMusic, length)
      return [
        keeping(
          id, details.size, of: details.offer.count, isCached: details.offer.isCached, beside: [music], .keepOffline)
      ]
    }
    let isOwn = !kept.id.text.isEmpty
    // Of what is all here there is no more to know.
    let state = MenuRow(word(of: kept.state), isOwn && kept.state != .whole ? .open(.download(kept.id)) : .none) {
      $0.value = percent(of: kept)
      $0.detail = kept.state == .running ? words.joined(pace(of: kept)) : kept.why.first?.words ?? ""
      if kept.state == .running { $0.sign = .progress(part: kept.bytes, of: max(kept.size, 1)) }
    }
    let gone = Question(dropping(id.title, kept.bytes), .stopKeeping(id), yes: .drop)
    return [state, row(.drop, .open(.sure(gone))) { $0.value = kept.bytes > 0 ? words.bytes(kept.bytes) : "" }]
  }

  /// What goes, and how much room that gives.
  func dropping(_ title: String, _ bytes: Int64) -> String {
    words.joined([words.filled(.leavesDevice, title), bytes > 0 ? words.bytes(bytes) : ""])
  }

  /// How much it is in each quality. Where all are as much, its source has it in one quality alone, and there is nothing
  /// to choose.
  func qualities(of id: OfferID, _ sizes: [OfferSize], now: ShownQuality) -> [MenuRow] {
    let isOne = sizes.count > 1 && sizes.allSatisfy { $0.bytes == sizes[0].bytes } && sizes[0].bytes > 0
    let rows = sizes.filter { !isOne || $0.quality == now }.map { size in
      var shown = keeping(id, size, beside: [], size.quality.word)
      if size.quality == now { shown.sign = .current }
      return shown
    }
    return isOne ? rows + text(words[.oneQuality]) : rows
  }

  /// What does not fit is asked about first, and is begun only if somebody says so. Where no source tells a size, `count`
  /// says how much it is.
  private func keeping(
    _ id: OfferID, _ size: OfferSize, of count: Int = 0, isCached: Bool = false, beside facts: [String], _ word: Word
  ) -> MenuRow {
    let action = MenuAction.keep(id, size.quality, isAnyway: !size.fits)
    let amount = size.bytes > 0 ? words.bytes(size.bytes) : counted(count)
    let time = size.time.map { words.filled(.roughly, length($0)) } ?? ""
    let told = size.bytes > 0 || isCached ? told(size, isCached: isCached) : []
    let sizes = words.joined([words.listed([amount, time].filter { !$0.isEmpty })] + told, by: ". ")
    let ask = Question("\(words.isolated(id.title))\(words[.colon])\(sizes)", action, yes: .keepWhatFits)
    return row(word, size.fits ? .perform(action) : .open(.sure(ask))) {
      $0.value = amount
      $0.detail = words.joined(facts + [time] + told)
      $0.sign = .none
    }
  }
}

extension OfferQuery {
  func title(_ words: PanelWords) -> String {
    // Its own lists are called so too.
    if let kind { return words.beside(source, words[MenuPages.word(ofSeveral: kind)]) }
    return words.labelled(.found, typed)
  }
}
