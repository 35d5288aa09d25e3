import Library
import Offline
import Runtime
import Services

/// Something that a source has and that can be kept: an album, an artist, a playlist or a track.
package struct Offer: Sendable {
  package let container: ContainerKey
  package let title: String
  package let artist: String?
  /// The ids of its tracks.
  fileprivate let items: [String]
  fileprivate let sortKey: [UInt8]
  fileprivate let words: [String]

  init(_ found: MediaContainer, of source: String) {
    container = ContainerKey(found.id, of: source)
    (title, artist, items) = (found.title, found.artist, found.items)
    sortKey = Folding.sortKey(found.title)
    words = Folding.words(found.title) + (found.artist.map(Folding.words) ?? [])
  }

  /// How many tracks it has.
  package var count: Int { items.count }

  /// Each of these begins one of its words.
  fileprivate func has(_ wanted: [String]) -> Bool {
    wanted.allSatisfy { begin in words.contains { $0.utf8.starts(with: begin.utf8) } }
  }
}

/// What a source has, in the order in which a person looks for it, with the letters that lead on in a search.
package struct OfferList: Sendable {
  package private(set) var offers: [Offer]

  init(_ offers: [Offer]) {
    self.offers = offers.sorted { one, other in
      one.sortKey == other.sortKey
        ? one.container < other.container : one.sortKey.lexicographicallyPrecedes(other.sortKey)
    }
  }

  private init(sorted: [Offer]) { offers = sorted }

  /// All words that were typed, the last of them perhaps unfinished.
  package func searched(_ typed: String) -> OfferList {
    let wanted = Folding.words(typed)
    return wanted.isEmpty ? self : OfferList(sorted: offers.filter { $0.has(wanted) })
  }

  /// Where each letter begins.
  package var letters: [(letter: String, index: Int)] {
    var letters: [(letter: String, index: Int)] = []
    for (index, offer) in offers.enumerated() {
      let letter = Folding.letter(offer.title)
      if letter != letters.last?.letter { letters.append((letter, index)) }
    }
    return letters
  }

  /// Letters with which the word that is being typed can go on, so that one of the lists still has something.
  static func letters(of lists: [OfferList], after typed: String, most: Int) -> [String] {
    var before = Folding.words(typed)
    let begin = typed.last?.isWhitespace == true ? "" : before.popLast() ?? ""
    var next: Set<String> = []
    for offer in lists.flatMap(\.offers) where offer.has(before) {
      for word in offer.words where word.utf8.starts(with: begin.utf8) && word.utf8.count > begin.utf8.count {
        let rest = word.unicodeScalars.dropFirst(begin.unicodeScalars.count)
        if let scalar = rest.first { next.insert(String(scalar)) }
      }
    }
    return next.sorted { Folding.sortKey($0).lexicographicallyPrecedes(Folding.sortKey($1)) }.prefix(most).map(\.self)
  }
}

/// A hundred thousand names take their time, so they are sorted and searched on the loop of whoever fetches.
extension Keeping {
  /// Sorted lists are kept for so long after they were last looked at: the next page of one is asked for soon.
  nonisolated private static let offersLast: Duration = .seconds(60)

  /// What was sorted lately, by source and kind.
  struct SortedOffers {
    struct Name: Hashable, Sendable {
      let source: String
      let kind: ContainerID.Kind
    }

    fileprivate var lists: [Name: (list: OfferList, used: Moment)] = [:]
    /// What `albums(ofArtist:)` found for the artist that was looked at last.
    fileprivate var artist: (key: ContainerKey, albums: [Offer], others: [ItemKey], since: Moment)?
  }

  /// Everything of these kinds that the source has, or what of it has the words that were typed.
  package func offers(
    _ kinds: [ContainerID.Kind], of source: String, searching typed: String = ""
  ) async throws(Fault) -> [OfferList] {
    var all: [OfferList] = []
    for kind in kinds { all.append(try await sortedList(kind, of: source)) }
    guard !typed.isEmpty else { return all }
    let lists = all
    return try await ask { _ async throws(Fault) in lists.map { $0.searched(typed) } }
  }

  /// Letters with which a search in these kinds can go on.
  package func letters(
    _ kinds: [ContainerID.Kind], of source: String, after typed: String, most: Int
  ) async throws(Fault) -> [String] {
    let lists = try await offers(kinds, of: source)
    return try await ask { _ async throws(Fault) in OfferList.letters(of: lists, after: typed, most: most) }
  }

  /// How much of each is kept, whatever it is kept for: an artist's songs may be those of an album or a playlist. Meant for
  /// a page: it is one question, and is answered from memory.
  package func kept(of offers: some Sequence<Offer>) async throws(Fault) -> [KeptPart] {
    let items = offers.map { offer in offer.items.map { ItemKey(source: offer.container.source, item: $0) } }
    return try await ask { part async throws(Fault) in await part.kept(of: items) }
  }

  /// The albums with songs of an artist, in the order of their source's list, and the artist's songs that are on none.
  package func albums(
    ofArtist artist: ContainerKey
  ) async throws(Fault) -> (albums: [Offer], others: [ItemKey]) {
    let now = MainLoop.loop.now
    if let known = sorted.artist, known.key == artist, now - known.since < Self.offersLast {
      return (known.albums, known.others)
    }
    let all = try await sortedList(.album, of: artist.source)
    let items = try await items(of: artist)
    let (albums, others) = try await ask { _ async throws(Fault) in
      let own = Set(items.map(\.item))
      let albums = all.offers.filter { !own.isDisjoint(with: $0.items) }
      let onAlbums = Set(albums.flatMap(\.items))
      return (albums, items.filter { !onAlbums.contains($0.item) })
    }
    sorted.artist = (artist, albums, others, now)
    return (albums, others)
  }

  func album(holding item: ItemKey) async throws(Fault) -> Offer? {
    let all = try await sortedList(.album, of: item.source)
    return try await ask { _ async throws(Fault) in all.offers.first { $0.items.contains(item.item) } }
  }

  private func sortedList(_ kind: ContainerID.Kind, of source: String) async throws(Fault) -> OfferList {
    let now = MainLoop.loop.now
    let name = SortedOffers.Name(source: source, kind: kind)
    sorted.lists = sorted.lists.filter { now - $0.value.used < Self.offersLast }
    if let known = sorted.lists[name] {
      sorted.lists[name]?.used = now
      return known.list
    }
    guard let found = try chosen(source).first else { return OfferList([]) }
    let containers = try await containers(kind, of: found)
    let list = try await ask { _ async throws(Fault) in OfferList(containers.map { Offer($0, of: source) }) }
    sorted.lists[name] = (list, now)
    return list
  }

  /// The tracks of something, in its order, as far as anything is known of them.
  package func tracks(of container: ContainerKey) async throws(Fault) -> [ItemLine] {
    try await lines(of: try await items(of: container))
  }
}
