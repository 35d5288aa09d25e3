import Application
import Audio
import Library
import Playback
import Runtime

/// The lists that are the panel's own: what there is to go to, and what can be done with a thing. Pure.
package struct MenuPages {
  var manner: MenuContext
  /// What can be set.
  let table: SettingsTable
  var words: PanelWords { manner.words }

  init(_ manner: MenuContext, _ table: SettingsTable) { (self.manner, self.table) = (manner, table) }

  /// Who may not do what a row leads to does not see it; what a list is made of is only looked at then.
  func allowed(_ rows: [MenuRow]) -> [MenuRow] {
    let rights = manner.rights
    if rights.isOwnerOrProgram { return rows }
    return rows.compactMap { row in
      var seen = row
      if let more = row.more, !rights.allows(more) { seen.more = nil }
      if rights.allows(row.action) { return seen }
      // What may not be played may be put behind what plays.
      if let more = seen.more {
        seen.action = .open(more)
        return seen
      }
      guard row.key != nil else { return nil }
      (seen.action, seen.sign) = (.none, row.sign == .leadsOn ? .none : row.sign)
      return seen
    }
  }

  /// What rows of the first pages show beside their names, as it is when the page is opened.
  struct Now {
    var status: PlayerStatus
    var notices: Int
    var sticks: Int
    var fetches: Bool
    var kiosk = KioskLock.none
    var isOffline = false
    /// Where what plays was before somebody went elsewhere in it.
    var placeBefore: Duration?
  }

  /// Who drives has few choices before them; the rest is one step away.
  func menu(_ now: Now) -> [MenuRow] {
    guard manner.profile == .car else { return all(now) }
    let first: [MenuPlace] = [.library, .playlists, .queue, .list(.recentlyPlayed, named: words[.recentlyPlayed])]
    let rows = library + all(now)
    return placesInLong(now) + first.compactMap { place in rows.first { $0.action == .open(place) } }
      + [shuffle(now.status), row(.others, .open(.more))]
  }

  /// What a car's first page leaves out.
  func more(_ now: Now) -> [MenuRow] {
    let first = menu(now).map(\.title)
    return all(now).filter { !first.contains($0.title) }
  }

  /// As many rows as the first page has at most, beside that of the places in something long.
  static let mostOnFirstPage = 8

  private func all(_ now: Now) -> [MenuRow] {
    let status = now.status
    var rows = [
      row(.library, .open(.library)), row(.search, .open(.search)),
      row(.queue, .open(.queue)) { $0.value = status.count > 0 ? "\(status.count)" : "" },
      row(.playlists, .open(.playlists)),
    ]
    // They stand at the head of the queue. Who may not see that, at a kiosk, may still have a right to them.
    if !manner.rights.allows(.queue) { rows += orders(status, before: nil) }
    // There it is said why.
    if now.fetches {
      rows.append(row(.keepOffline, .open(.keep)) { $0.value = now.isOffline ? words[.offline] : "" })
    }
    rows.append(row(.sound, .open(.sound)))
    let timer = sleepTimer(status)
    var last = [row(.settings, .open(.settings)) { $0.value = told(now.notices) }]
    var lock: [MenuRow] = []
    switch now.kiosk {
    case .none, .locked(false): break
    case .locked(true): last.append(row(.staff, .open(.write(.pin))))
    case .open: lock = [row(.lock, .perform(.lock))]
    }
    // Where that would be one too many, the timer is under Sound alone.
    let isFull = allowed(lock + rows + [timer] + last).count > Self.mostOnFirstPage
    return lock + placesInLong(now) + rows + (isFull && manner.rights.allows(MenuPlace.sound) ? [] : [timer]) + last
  }

  /// Beside Settings a number alone would say nothing.
  private func told(_ notices: Int) -> String {
    if notices == 0 { return "" }
    return manner.screen == .tiny ? words[.notices] : words.labelled(.notices, "\(notices)")
  }

  /// What is played in which order, and where in it.
  private func orders(_ status: PlayerStatus, before: Duration?) -> [MenuRow] {
    (status.entry == nil ? [] : places(status, before: before)) + [shuffle(status), repeats(status)]
  }

  /// Where in what plays.
  func places(_ status: PlayerStatus, before: Duration?) -> [MenuRow] {
    [row(.goTo, .open(.goTo))] + wayBack(status, to: before) + toChapters(status)
  }

  /// In a book, and in whatever else is long, one goes from place to place, and back.
  private func placesInLong(_ now: Now) -> [MenuRow] {
    let status = now.status
    guard status.entry != nil, let track = status.track else { return [] }
    let isLong = track.duration.map { $0 >= Self.long } ?? false
    let ways = track.chapters.isEmpty ? isLong ? [row(.goTo, .open(.goTo))] : [] : toChapters(status)
    var rows = ways.isEmpty ? [] : wayBack(status, to: now.placeBefore) + ways
    for index in rows.indices { (rows[index].isBeside, rows[index].isAbove) = (true, true) }
    return rows
  }

  /// Longer than most songs are: the parts of a book often have no more than ten minutes.
  private static let long: Duration = .seconds(8 * 60)

  /// To where one was before one went elsewhere in what plays; from there it leads here again.
  private func wayBack(_ status: PlayerStatus, to before: Duration?) -> [MenuRow] {
    guard let before, let entry = status.entry?.id.number else { return [] }
    return [MenuRow(words.filled(.backTo, before.clock), .perform(.goTo(before, entry: entry)))]
  }

  /// Most music has none.
  func toChapters(_ status: PlayerStatus) -> [MenuRow] {
    guard let count = status.track?.chapters.count, count > 0 else { return [] }
    return [row(.chapters, .open(.chapters)) { $0.value = status.chapter.map { "\($0 + 1) / \(count)" } ?? "\(count)" }]
  }

  func chapters(_ status: PlayerStatus, before: Duration?) -> [MenuRow] {
    guard let entry = status.entry, let track = status.track else { return [row(.back, .back)] }
    // The way back comes and goes, and leaves the other where it is from the chapters.
    var ways = wayBack(status, to: before) + [row(.goTo, .open(.goTo))]
    for index in ways.indices { ways[index].isBeside = true }
    return ways
      + track.chapters.enumerated().map { index, chapter in
        let title = chapter.title.isEmpty ? "\(words[.chapter]) \(index + 1)" : chapter.title
        return MenuRow(title, .perform(.goTo(chapter.begins, entry: entry.id.number))) {
          $0.value = chapter.begins.clock
          $0.sign = index == status.chapter ? .current : .none
        }
      } + [row(.back, .back)]
  }

  func shuffle(_ status: PlayerStatus) -> MenuRow {
    row(.shuffle, .perform(.setShuffle(!status.isShuffled))) { $0.value = words[status.isShuffled ? .on : .off] }
  }

  private func repeats(_ status: PlayerStatus) -> MenuRow {
    row(.repeats, .perform(.setRepeat(Self.next(status.repeats)))) { $0.value = name(of: status.repeats) }
  }

  var library: [MenuRow] { library(hasPodcasts: false) }

  /// Also what is on sticks and in sources, where there are some. Podcasts are in no other list of albums or songs; who
  /// has none needs no row for them.
  func library(hasPodcasts: Bool, sticks: Int = 0, fetches: Bool = false) -> [MenuRow] {
    let podcasts: [(Word, List)] = hasPodcasts ? [(.podcasts, .albums(.podcast))] : []
    let lists: [(Word, List)] =
      [
        (.artists, .artists), (.albums, .albums(.music)), (.songs, .tracks(.music)), (.genres, .genres),
        (.books, .albums(.book)),
      ] + podcasts + [
        (.folders, .folder(nil)), (.listPlaylists, .playlists),
        (.recentlyAdded, .recentlyAdded), (.recentlyPlayed, .recentlyPlayed), (.oftenPlayed, .oftenPlayed),
      ]
    var rows = lists.map { word, list in row(word, .open(.list(list, named: words[word]))) }
    if sticks > 0 { rows.append(row(.sticks, .open(.sticks)) { $0.value = "\(sticks)" }) }
    if fetches { rows.append(row(.sources, .open(.sources))) }
    let search = row(.search, .open(.search))
    // A car's first page has none.
    return manner.profile == .car ? [search] + rows : rows + [search]
  }

  /// What comes before the rows of a list that can be played as a whole. `total`: of its tracks, where that is known.
  /// `isShuffled`: so is what a song that is pressed begins, which is not so of a book.
  func heads(
    of list: List, named name: String, album: Row? = nil, total: ListTotal? = nil, isShuffled: Bool = false
  ) -> [MenuRow] {
    switch list {
    case .albumsOf, .albumsIn, .tracksOf, .tracksBy, .playlist: break
    case .folder(let id) where id != nil: break
    default: return []
    }
    let count = total?.count ?? Int(album?.count ?? 0)
    var thing = Thing(.all(list), name)
    let isSpoken = album.map { $0.media != .music } ?? false
    thing.isInOneOrder = count == 1 || isSpoken
    var art: MenuArt?
    if case .tracksOf(let album) = list { art = .album(album) }
    let startsShuffled = isShuffled && !thing.isInOneOrder
    return [
      head(
        thing, thing.isInOneOrder ? .playMore : .playOrMore, artist: album?.detail ?? "",
        facts: [
          album?.year.map { "\($0)" } ?? "", counted(count, of: album?.media ?? .music), length(total?.length),
          startsShuffled ? shuffled : "",
        ],
        art: art)
    ]
  }

  /// A book goes on where it was left, in the part that was heard last.
  func goingOn(with part: PartLeft, of list: List) -> MenuRow {
    row(.resume, .perform(.play(Thing(.track(part.track, within: list), part.title)))) {
      $0.detail = words.joined([part.title, part.place.clock])
    }
  }

  func goesOn(at place: Duration, _ detail: String) -> String {
    words.joined([detail, words.filled(.goesOnAt, place.clock)])
  }

  /// "Songs: 12"; nothing of what is one.
  func counted(_ count: Int, of media: Metadata.Kind = .music) -> String {
    let word: Word =
      switch media {
      case .music: .songs
      case .book: .parts
      case .podcast: .episodes
      }
    return count > 1 ? words.labelled(word, "\(count)") : ""
  }

  /// Told where music begins that is shuffled, though nobody asks for that there.
  var shuffled: String { words.labelled(.shuffle, words[.on]) }

  /// How long it plays, to the nearest minute: "48 min", "9 h 12 min".
  func length(_ length: Duration?) -> String {
    guard let length else { return "" }
    return words.hours(ofMinutes: max((length.milliseconds + 30_000) / 60_000, 1))
  }

  /// The first row of an album or whatever else is played as a whole, wherever it comes from.
  func head(_ thing: Thing, _ way: Word, artist: String, facts: [String], art: MenuArt?) -> MenuRow {
    row(way, .open(.thing(thing))) {
      $0.head = MenuHead(thing.title, artist: artist, facts: facts.filter { !$0.isEmpty })
      $0.art = art
    }
  }

  /// A song, wherever it comes from: a press plays it, two lead to what else can be done.
  func song(_ thing: Thing, _ duration: Duration?) -> MenuRow {
    MenuRow(thing.title, .perform(.play(thing))) {
      ($0.detail, $0.value, $0.more) = (thing.detail, duration?.clock ?? "", .thing(thing))
    }
  }

  /// A row of the library. `mark`: whether it is kept offline.
  func row(_ row: Row, in list: List?, searched typed: String? = nil, _ mark: MenuMark? = nil) -> MenuRow {
    func opening(_ list: List) -> MenuRow {
      MenuRow(row.title, .open(.list(list, named: row.title))) {
        $0.detail = row.detail
        if row.kind == .album { $0.art = .album(row.id) }
        var thing = Thing(.all(list), row.title)
        let isList = row.kind == .album || row.kind == .playlist
        thing.isInOneOrder = isList && row.count == 1 || row.kind == .album && row.media != .music
        $0.more = heads(of: list, named: row.title).isEmpty ? nil : .thing(thing)
        $0.isDim = !row.isPresent
        $0.mark = row.isPresent ? mark : .away
      }
    }
    switch row.kind {
    case .artist: return opening(.albumsOf(artist: row.id))
    case .album: return opening(.tracksOf(album: row.id))
    case .genre: return opening(.albumsIn(genre: row.id))
    case .folder: return opening(.folder(row.id))
    case .playlist: return opening(.playlist(row.id))
    case .track:
      var thing = Thing(.track(row.id, within: list), row.title, row.detail)
      thing.searched = typed
      if let list, !Self.isPlayedWhole(list) { thing.place = row.place }
      var shown = song(thing, row.duration)
      (shown.isDim, shown.mark) = (!row.isPresent, row.isPresent ? mark : .away)
      // Of an album all have the same, and that is at the page's head.
      if case .tracksOf? = list {} else { shown.art = .track(row.id) }
      return shown
    case .unreadable, .missing:
      return MenuRow(row.title) {
        $0.detail = row.kind == .missing ? words[.notHere] : words[.cannotRead]
        ($0.isDim, $0.mark) = (true, row.kind == .missing ? .away : nil)
      }
    }
  }

  /// The same among rows of several kinds: it says which it is, and of a track where it lies.
  func found(_ row: Row, searching typed: String, _ mark: MenuMark? = nil) -> MenuRow {
    var shown = self.row(row, in: nil, searched: typed, mark)
    let kind: Word? =
      switch row.kind {
      case .artist: .artist
      case .album: .album
      default: nil
      }
    let parts = [kind.map { words[$0] } ?? "", row.detail, row.kind == .track ? row.album : ""]
    shown.detail = words.joined(parts)
    return shown
  }

  /// Somebody put it together in that order, so what stands before a track that is pressed can be gone back to. Of the
  /// others, which may hold all music there is, only what stands behind it is played.
  private static func isPlayedWhole(_ list: List) -> Bool {
    switch list {
    case .tracksOf, .playlist, .folder: true
    case .artists, .albums, .albumsOf, .albumsIn, .genres, .tracks, .tracksBy, .playlists, .recentlyAdded,
      .recentlyPlayed, .oftenPlayed:
      false
    }
  }

  /// Below what the library has: what sources have of it, or why they were not searched.
  func found(in hits: [SourceHits], searching typed: String) -> [MenuRow] {
    hits.compactMap { hit in
      let place = MenuPlace.offers(OfferQuery(hit.source, nil, typed: typed))
      // To whom it is not open it says nothing.
      guard manner.rights.allows(place) else { return nil }
      return switch hit.outcome {
      case .found(let count): MenuRow(words.filled(.foundIn, hit.source), .open(place)) { $0.value = "\(count)" }
      case .looking: MenuRow(hit.source) { $0.value = words[.looking] }
      case .notSearched(let why):
        MenuRow(hit.source) { $0.value = words.joined([words[.notSearched], why]) }
      }
    }
  }

  /// The row of what plays. A press on a song leads to its music, and this one is heard already, so the press shows it and
  /// does not begin it anew. What else can be done with it is found as with any other song.
  func playing(_ row: MenuRow, _ status: PlayerStatus) -> MenuRow {
    var row = row
    row.sign = .current
    if status.wish == .playing { row.action = .music }
    return row
  }

  func queued(_ track: QueuedTrack, _ status: PlayerStatus) -> MenuRow {
    let thing = Thing(.entry(track.entry.id.number), track.title, track.artist)
    let row = MenuRow(track.title, .perform(.jump(track.entry.id.number))) {
      ($0.detail, $0.more, $0.art) = (track.artist, .thing(thing), .file(track.entry.path))
      $0.mark = track.mark
    }
    return track.entry.id == status.entry?.id ? playing(row, status) : row
  }

  /// What is taken out of a queue, or played in place of it, is not lost for good. What was taken out stands first: behind
  /// it, where a second press would lead, is a row that changes nothing.
  func queueHeads(
    _ status: PlayerStatus, before: Duration?, takenOut: QueuedTrack?, former: ShownFormerQueue?
  ) -> [MenuRow] {
    let back = takenOut.map { track in
      MenuRow(words.labelled(.putBack, track.title), .perform(.putBack(track.entry.id.number)))
    }
    // Whoever would have it back sees which one that is.
    let former = former.map { former in
      row(.formerQueue, .perform(.playFormer)) { ($0.detail, $0.value) = (former.title, "\(former.count)") }
    }
    return [back].compactMap(\.self) + orders(status, before: before) + [former].compactMap(\.self) + [
      row(.clearQueue, .open(.sure(Question(words[.clearQueue], .clearQueue, yes: .clearQueue))))
    ]
  }

  func playlists(_ all: [OwnPlaylist]) -> [MenuRow] {
    all.map { playlist in
      MenuRow(playlist.name, .open(.playlist(playlist))) {
        ($0.value, $0.mark) = ("\(playlist.count)", playlist.mark)
      }
    }
      + [row(.newPlaylist, .open(.write(.newPlaylist(nil)))) { $0.isBeside = true }]
  }

  func playlists(_ all: [OwnPlaylist], for thing: Thing) -> [MenuRow] {
    all.map { playlist in
      MenuRow(playlist.name, .perform(.add(thing, toPlaylist: playlist.id))) { $0.value = "\(playlist.count)" }
    }
      + [row(.newPlaylist, .open(.write(.newPlaylist(thing)))) { $0.isBeside = true }]
  }

  /// `fetches`: its music can be fetched, and kept on the device.
  func playlist(
    _ playlist: OwnPlaylist, _ tracks: [PlaylistRow], _ status: PlayerStatus = PlayerStatus(), fetches: Bool = false
  ) -> [MenuRow] {
    var rows: [MenuRow] = []
    if tracks.isEmpty {
      rows.append(
        row(.addSongs, .open(.library)) { $0.detail = words.joined([words[.pressTwice], words[.addToPlaylist]]) })
    } else {
      rows.append(row(.playAll, .perform(.playPlaylist(playlist.id, shuffled: false))))
      // Of one track there is nothing to shuffle.
      if tracks.count > 1 {
        rows.append(
          row(.shuffleAll, .perform(.playPlaylist(playlist.id, shuffled: true))) {
            $0.value = status.isShuffled ? words[.on] : ""
          })
      }
      rows.append(row(.addToQueue, .perform(.addPlaylistToQueue(playlist.id))))
    }
    if fetches {
      rows.append(
        row(.keepOffline, .perform(.keepPlaylist(playlist.id, !playlist.isKept))) {
          $0.value = words[playlist.isKept ? .on : .off]
        })
    }
    let gone = Question(words.labelled(.delete, playlist.name), .deletePlaylist(playlist.id), yes: .delete)
    rows += [row(.rename, .open(.write(.playlistName(playlist)))), row(.delete, .open(.sure(gone)))]
    return rows
      + tracks.enumerated().map { index, track -> MenuRow in
        let row = MenuRow(track.title, .perform(.playEntry(track.id, ofPlaylist: playlist.id))) {
          ($0.detail, $0.key) = (words.joined([track.album, track.detail]), .index(index))
          $0.more = .playlistEntry(track, of: playlist)
        }
        return track.isCurrent ? playing(row, status) : row
      }
  }

  func playlistEntry(_ track: PlaylistRow, of playlist: OwnPlaylist) -> [MenuRow] {
    var rows = [
      row(.playFromHere, .perform(.playEntry(track.id, ofPlaylist: playlist.id))),
      row(.removeFromList, .perform(.removeFromPlaylist(playlist.id, entry: track.id))),
    ]
    if track.before != nil {
      rows.append(row(.moveUp, .perform(.moveInPlaylist(playlist.id, entry: track.id, behind: track.beforeThat))))
    }
    if let after = track.after {
      rows.append(row(.moveDown, .perform(.moveInPlaylist(playlist.id, entry: track.id, behind: after))))
    }
    return rows + [row(.back, .back)]
  }

  func sure(_ question: Question) -> [MenuRow] {
    // The safe answer is the one that a press without looking gives.
    [row(.cancel, .back), row(question.yes, .perform(question.action))]
  }

  /// Why nobody can go to a place of what plays.
  var noPlace: [MenuRow] { [row(.noPlace, .none), row(.back, .back)] }

  func sleep(_ status: PlayerStatus) -> [MenuRow] {
    var untils: [SleepTimer.Until?] = [nil]
    untils += [15, 30, 45, 60, 90].map { .time(.seconds($0 * 60)) }
    // Most music has none.
    if status.track?.chapters.isEmpty == false { untils.append(.chapter) }
    untils += [.track, .queue]
    return untils.map { until in
      MenuRow(name(of: until), .perform(.sleep(until))) {
        guard until == status.sleep else { return }
        $0.sign = .current
        // In its first minute the timer would show the same number twice.
        let left = sleepsIn(status)
        if left != name(of: until) { $0.value = left }
      }
    }
  }

  /// With how long it is until then, where it is a time.
  private func sleepTimer(_ status: PlayerStatus) -> MenuRow {
    let left = sleepsIn(status)
    return row(.sleepTimer, .open(.sleep)) { $0.value = left.isEmpty ? name(of: status.sleep) : left }
  }

  /// In minutes that have begun; of the last one its seconds.
  private func sleepsIn(_ status: PlayerStatus) -> String {
    guard case .time? = status.sleep, let left = status.sleepsIn else { return "" }
    let seconds = (left.milliseconds + 999) / 1_000
    return seconds > 60 ? "\((seconds + 59) / 60) \(words[.minutes])" : "\(seconds) \(words[.seconds])"
  }

  /// The curve for the night stands here as well as among the others: people look for it by what it is for.
  func sound(_ status: PlayerStatus) -> [MenuRow] {
    let isNight = status.sounding.equaliser.description == Self.night
    let fade = Int(status.sounding.crossfade.components.seconds)
    return [
      row(.volume, .open(.dial(Dial(.volume, status.volume, in: 0...max(status.loudest, 0), by: 2)))) {
        $0.value = words.percent("\(status.volume)")
      },
      row(.equaliser, .open(.equaliser)) {
        $0.value = Self.shown(preset: status.sounding.equaliser.description, words)
      },
      row(.presetNight, .perform(.night(!isNight))) {
        ($0.value, $0.detail) = (words[isNight ? .on : .off], words[.nightHelp])
      },
      row(.normaliser, .open(.normaliser)) { $0.value = name(of: status.sounding.normaliser) },
      row(.crossfade, .open(.dial(Dial(.crossfade, fade, in: 0...12)))) {
        $0.value = fade == 0 ? words[.off] : "\(fade) \(words[.seconds])"
      },
      sleepTimer(status),
      MenuRow(words.settings.name(ofSection: Self.soundSection), .open(.settingsOf(Self.soundSection))),
    ]
  }

  private static let soundSection = Setting<NormaliserMode>.normaliser.section

  /// What is marked is what sounds now. It may differ from the owner's setting, because `layby normaliser` and a visitor
  /// of a kiosk change it without changing the setting.
  func normaliser(_ status: PlayerStatus) -> [MenuRow] {
    let help = table.choosable(Setting<NormaliserMode>.normaliser.name).flatMap { words.settings.help(of: $0) }
    return NormaliserMode.allCases.map { mode in
      MenuRow(name(of: mode), .perform(.normaliser(mode))) {
        $0.sign = mode == status.sounding.normaliser ? .current : .none
      }
    } + (help.map { text($0) } ?? [])
  }

  private func name(of mode: NormaliserMode) -> String {
    let setting = Setting<NormaliserMode>.normaliser
    let entry = table.choosable(setting.name)
    return entry.map { shown(setting.type.format(mode), of: $0) } ?? words[mode == .off ? .off : .on]
  }

  func equaliser(_ names: [String], _ status: PlayerStatus) -> [MenuRow] {
    Self.inOrder(names).map { name in
      MenuRow(Self.shown(preset: name, words), .perform(.equaliser(name))) {
        if name == Self.night { $0.detail = words[.nightHelp] }
        $0.sign = name == status.sounding.equaliser.description ? .current : .none
      }
    } + [row(.bands, .open(.bands))]
  }

  /// By its name in `layby.conf`.
  package static let night = "night"

  /// By their names in `layby.conf`: first what people look for by what it is for, then the kinds of music.
  private static let presets: [(name: String, word: Word)] = [
    ("off", .off), ("flat", .off), (night, .presetNight), ("speech", .presetSpeech), ("bass", .presetBass),
    ("treble", .presetTreble), ("loudness", .presetLoudness), ("car", .presetCar), ("headphones", .presetHeadphones),
    ("small-speakers", .presetSpeakers), ("vocal", .presetVocal), ("rock", .presetRock), ("pop", .presetPop),
    ("jazz", .presetJazz), ("classical", .presetClassical),
  ]

  private static func inOrder(_ names: [String]) -> [String] {
    presets.map(\.name).filter { names.contains($0) } + names.filter { name in !presets.contains { $0.name == name } }
  }

  /// What the owner has written into it as bands is shown as it is.
  private static func shown(preset name: String, _ words: PanelWords) -> String {
    presets.first { $0.name == name }.map { words[$0.word] } ?? name
  }

  func facts(_ facts: [(name: String, value: String)], hasStorage: Bool, canErase: Bool) -> [MenuRow] {
    (hasStorage ? [row(.storage, .open(.storage))] : []) + [row(.forHelp, .open(.code)), row(.signs, .open(.signs))]
      + facts.map { fact in MenuRow(fact.name) { $0.value = fact.value } }
      + (canErase ? [row(.eraseDevice, .open(.erasing))] : [])
  }

  func erasing() -> [MenuRow] {
    func row(_ word: Word, _ what: Word, _ extent: EraseExtent) -> MenuRow {
      self.row(word, .open(.sure(Question(words[what], .erase(extent), yes: .eraseNow))))
    }
    return [
      self.row(.cancel, .back), row(.eraseKeepingMusic, .erasesSettings, .keepingMusic),
      row(.eraseAll, .erasesAll, .all),
    ]
  }

  /// Each as it stands in a list, behind what it means. Where nothing is fetched there are fewer.
  func signs(fetches: Bool) -> [MenuRow] {
    let marks: [(Word, MenuMark)] = [
      (.signStored, .stored), (.signPartly, .partly), (.signCached, .cached), (.signComing, .coming),
      (.signWaits, .waits), (.signStreamed, .streamed),
    ]
    // What counts now is looked at first, so it stands first.
    return [row(.signCurrent, .none) { $0.sign = .current }]
      + (fetches ? marks : []).map { word, mark in row(word, .none) { $0.mark = mark } }
      + [
        row(.signAway, .none) { $0.mark = .away },
        row(manner.isTouched ? .holdRow : .pressTwice, .none) { $0.value = "\u{2022}\u{2022}\u{2022}" },
        row(.back, .back),
      ]
  }

  // MARK: PanelWords for what there is

  private static func next(_ mode: PlayQueue.Repeat) -> PlayQueue.Repeat {
    switch mode {
    case .off: .all
    case .all: .one
    case .one: .off
    }
  }

  private func name(of mode: PlayQueue.Repeat) -> String {
    switch mode {
    case .off: words[.off]
    case .all: words[.all]
    case .one: words[.one]
    }
  }

  private func name(of until: SleepTimer.Until?) -> String {
    switch until {
    case nil: words[.off]
    case .time(let time): "\(time.components.seconds / 60) \(words[.minutes])"
    case .chapter: words[.afterChapter]
    case .track: words[.afterTrack]
    case .queue: words[.afterQueue]
    }
  }

  func row(_ word: Word, _ action: MenuRow.Action, _ set: (inout MenuRow) -> Void = { _ in }) -> MenuRow {
    MenuRow(word, words, action, set)
  }
}
