import Application
import Audio
import Hardware
import Library
import Offline
import Panel
import Playback
import Runtime

/// What the panel's menus ask of the house and have done by it.
@Deck
final class PanelDesk: MenuHouse {
  let house: House
  private let storage: Storage
  let application: Application
  var words: PanelWords { PanelWords.of(house.settings[.language]) }
  /// Those that were shown, by the name that the panel knows them under.
  private var shownDownloads: [String: ContainerKey] = [:]
  var shownGuesses: [String: ItemKey] = [:]
  private var names: [FilePath: Track] = [:]
  private var namesSince = Moment(nanoseconds: 0)

  init(_ house: House, _ storage: Storage, _ application: Application) {
    (self.house, self.storage, self.application) = (house, storage, application)
  }

  var browsing: Browsing {
    get throws(Fault) {
      guard let browsing = application.browsing else {
        throw Fault(.missing, "N-121", "there is no library: nothing can be remembered")
      }
      return browsing
    }
  }

  private var lists: Playlists {
    get throws(Fault) {
      guard let playlists = application.playlists else {
        throw Fault(.missing, "N-122", "nothing can be remembered, so there are no lists")
      }
      return playlists
    }
  }

  private var player: Playing { application.playing }

  /// For music that is chosen from the library.
  private var playing: Playing {
    get throws(Fault) {
      _ = try lists
      return player
    }
  }

  // MARK: The library

  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page {
    try await browsing.page(of: list, after: key, count: count)
  }

  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row] {
    try await browsing.page(of: list, before: key, count: count)
  }

  func letters(of list: List) async throws(Fault) -> [Letter] { try await browsing.letters(of: list) }

  func search(_ words: String, for wanted: Browsing.Wanted, count: Int) async throws(Fault) -> [Row] {
    try await browsing.search(words, for: wanted, count: count)
  }

  func wheel(after typed: String) async throws(Fault) -> [String] { try await browsing.wholeWheel(after: typed) }

  // MARK: The queue and playlists

  /// What was asked for a moment ago is not asked again: the list is shown anew whenever something happens.
  func queue(from: Int, count: Int) async -> [QueuedTrack] {
    let now = Deck.loop.now
    if now - namesSince > Self.namesLast || names.count > Self.mostNames { (names, namesSince) = ([:], now) }
    var tracks: [QueuedTrack] = []
    for entry in player.queue.page(from: from, count: count) {
      var track = names[entry.path]
      if track == nil {
        track = await player.known(entry)
        names[entry.path] = track
      }
      let known = track ?? Track(named: entry.path)
      tracks.append(QueuedTrack(entry, title: known.title, artist: known.artist))
    }
    return tracks
  }

  func forgetNames() { names = [:] }

  private static let namesLast: Duration = .seconds(60)
  private static let mostNames = 500

  func playlists() async throws(Fault) -> [OwnPlaylist] {
    try await lists.all().map { OwnPlaylist(id: $0.id, name: $0.name, count: Int($0.count)) }
  }

  func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow] {
    var rows = try await lists.lines(of: id, after: nil, count: count).lines.map { line in
      let track = line.track ?? Track(named: line.path)
      return PlaylistRow(line.entry.id, track.title, track.artist)
    }
    for index in rows.indices {
      if index > 0 { rows[index].before = rows[index - 1].id }
      if index > 1 { rows[index].beforeThat = rows[index - 2].id }
      if index + 1 < rows.count { rows[index].after = rows[index + 1].id }
    }
    return rows
  }

  // MARK: What comes from elsewhere

  var fetches: Bool { application.keeping.fetches }

  func downloads() async throws(Fault) -> [ShownDownload] {
    let lines = try await application.keeping.lines()
    shownDownloads = Dictionary(
      lines.map { ("\($0.container)", $0.container) }, uniquingKeysWith: { first, _ in first })
    return lines.map { line in
      var shown = ShownDownload(DownloadID("\(line.container)", line.container.shownName), .init(line.state))
      (shown.bytes, shown.size, shown.speed, shown.left) = (line.bytes, line.size, line.speed, line.left)
      shown.why = line.why.map { reason($0) }
      shown.because = line.because
      return shown
    }
  }

  /// Which of the owner's wishes holds it up.
  static func setting(behind code: String) -> SettingName? {
    switch code {
    case WaitReason.metered.code: Setting<Bool>.offlineOnMetered.name
    case WaitReason.limit.code: Setting<Int>.offlineLimit.name
    case WaitReason.space.code: Setting<Int>.offlineReserve.name
    case WaitReason.hours.code: Setting<DayHours?>.offlineHours.name
    default: nil
    }
  }

  var stickCount: Int { house.sticks.sticks.count { !house.ejected.contains($0.root) } }

  /// One that was taken in can be looked through.
  func sticks() async -> [ShownStick] {
    var shown: [ShownStick] = []
    for stick in house.sticks.sticks {
      let name = stick.label.isEmpty ? words[.sticks] : stick.label
      let folder = try? await browsing.folder(at: stick.root)
      var one = ShownStick("\(stick.root)", name, folder: folder ?? nil)
      one.isEjected = house.ejected.contains(stick.root)
      shown.append(one)
    }
    return shown
  }

  var equalisers: [String] { ["off"] + EqualiserCurve.presets.map(\.name).filter { $0 != "off" && $0 != "flat" } }

  var settings: Settings { house.settings }
  var ownersFile: Settings { house.owned }
  var waiting: Set<SettingName> { house.waiting }

  // MARK: What is wished

  func fulfil(_ wish: Wish) async throws(Fault) {
    switch wish {
    case .play(let thing): try await play(thing)
    case .shuffleAll(let thing):
      guard case .all(let list) = thing.kind else { return }
      try await playing.play(list, isShuffled: true)
    case .playNext(let thing):
      guard case .track(let id, _) = thing.kind else { return }
      try await playing.playNext(track: id)
      say(.comesNext, thing.title)
    case .enqueue(let thing):
      try await adding(thing.title) { andPlay async throws(Fault) in try await self.enqueue(thing, andPlay) }
    case .jump(let id):
      try await player.jump(to: EntryID(number: id))
    case .removeEntry(let id): try await player.perform(.remove(EntryID(number: id)))
    case .clearQueue: try await player.clear()
    case .setShuffle(let isOn): try await player.perform(.shuffle(isOn))
    case .setRepeat(let mode): try await player.perform(.repeats(mode))
    case .sleep(let until): try await player.perform(.sleep(until))
    case .setDial(let dial): try await set(dial)
    case .choose(let name, let text): try await choose(name, text)
    case .startAnew: house.startAnew()
    case .equaliser(let name): try await choose(Setting<String>.equaliser.name, name)
    case .normaliser:
      let mode: NormaliserMode = application.sound.current.normaliser == .off ? .automatic : .off
      let setting = Setting<NormaliserMode>.normaliser
      try await choose(setting.name, setting.type.format(mode))
    default: try await fulfilElsewhere(wish)
    }
  }

  private func fulfilElsewhere(_ wish: Wish) async throws(Fault) {
    switch wish {
    case .add(let thing, let id): say(.addedTo, try await add(thing, to: id).name)
    case .makePlaylist(let name, let thing):
      let new = name.isEmpty ? try await lists.makeNext(words[.newPlaylist]) : try await lists.make(named: name)
      if let thing { say(.addedTo, try await add(thing, to: new.id).name) }
    case .playPlaylist(let id, let isShuffled): try await playing.play(playlist: id, isShuffled: isShuffled)
    case .enqueuePlaylist(let id):
      try await adding("") { andPlay async throws(Fault) in
        try await self.playing.enqueue(playlist: id, andPlay: andPlay)
      }
    case .deletePlaylist(let id): try await lists.remove(id)
    case .pauseDownload(let id): try await application.keeping.pause(try download(id))
    case .resumeDownload(let id): try await application.keeping.resume(try download(id))
    case .retryDownload(let id): try await application.keeping.again(try download(id))
    case .dropDownload(let id): try await application.keeping.drop(try download(id))
    case .copyStick(let root):
      guard let importing = application.importing else {
        throw Fault(.missing, "N-121", "there is no library: nothing can be remembered")
      }
      apart { () async throws(Fault) in try await importing.copy([FilePath(root)], isPlan: false) }
    case .ejectStick(let root): apart { () async throws(Fault) in await self.eject(root) }
    default: try await fulfilTheRest(wish)
    }
  }

  var hasFormerQueue: Bool { player.hasFormerQueue }

  private func fulfilTheRest(_ wish: Wish) async throws(Fault) {
    switch wish {
    case .moveEntry(let number, let steps):
      try await player.move(EntryID(number: number), by: steps)
    case .renamePlaylist(let id, let name): try await lists.rename(id, name)
    case .playEntry(let entry, let id): try await playing.play(playlist: id, from: entry)
    case .removeFromPlaylist(let id, let entry): try await lists.remove(entries: [entry], from: id)
    case .moveInPlaylist(let id, let entry, let behind):
      try await lists.move(entry: entry, behind: behind, in: id)
    case .pauseAllDownloads: try await application.keeping.pause(nil)
    case .resumeAllDownloads: try await application.keeping.resume(nil)
    case .sendAway(let id): try await application.keeping.sendAway(try guess(id))
    case .check(let begins): try await application.keeping.check(begins ? .begin : .stop)
    case .move(let disk): try await application.keeping.move(to: disk)
    case .unbind(let key): house.inputDevices?.unbind(key)
    case .forgetKey(let key): house.inputDevices?.forget(key)
    case .forgetKnob: house.lines?.forgetKnob()
    case .playFormer: try await playing.playFormer()
    default: break
    }
  }

  /// What waits for a disk, which may never answer. No other wish waits for that.
  private func apart(_ body: @escaping @Deck () async throws(Fault) -> Void) {
    Deck.start {
      do throws(Fault) { try await body() } catch {
        self.house.notices.post(Notice(error, instead: "the music goes on"))
      }
    }
  }

  /// What is under way from this stick ends; from others it goes on. Then it may be pulled, as it may at any time.
  private func eject(_ root: String) async {
    guard let stick = house.sticks.sticks.first(where: { "\($0.root)" == root }) else { return }
    await application.importing?.leave(stick.wish)
    house.ejected.insert(stick.root)
    say(.ejected, stick.label)
  }

  private func play(_ thing: Thing) async throws(Fault) {
    switch thing.kind {
    case .all(let list): try await playing.play(list)
    case .track(let id, let list?): try await playing.play(list, from: id)
    case .track(let id, nil): try await playing.playNow(track: id)
    case .entry(let id): try await player.perform(.jump(to: EntryID(number: id)))
    }
  }

  /// What a full queue had no room for is told by the player. Where nobody may press play, what is chosen begins.
  private func adding(_ title: String, _ body: (_ andPlay: Bool) async throws(Fault) -> Void) async throws(Fault) {
    let isLocked = if case .locked? = house.kiosk?.lock { true } else { false }
    let count = player.queue.count
    try await body(isLocked && player.status.wish == .stopped)
    if player.queue.count > count { say(.added, title) }
  }

  private func enqueue(_ thing: Thing, _ andPlay: Bool) async throws(Fault) {
    switch thing.kind {
    case .all(let list): try await playing.enqueue(list, andPlay: andPlay)
    case .track(let id, _): try await playing.enqueue(track: id, andPlay: andPlay)
    case .entry: break
    }
  }

  private func add(_ thing: Thing, to id: Int64) async throws(Fault) -> Playlist {
    switch thing.kind {
    case .all(let list): return try await lists.add(list, to: id)
    case .track(let track, _): return try await lists.add(track: track, to: id)
    case .entry(let number):
      let path = player.queue.entry(EntryID(number: number))?.path
      return try await lists.add([path].compactMap(\.self), to: id)
    }
  }

  /// What is set on the panel lasts; what visitors of a kiosk set, until they go.
  private func choose(_ name: SettingName, _ text: String) async throws(Fault) {
    if case .locked? = house.kiosk?.lock { return house.sound(as: name, text) }
    try await house.choose(name, text, storage)
  }

  private func set(_ dial: Dial) async throws(Fault) {
    switch dial.subject {
    case .volume: try await player.perform(.turn(by: dial.value - player.status.volume))
    case .crossfade: try await choose(Setting<Duration>.crossfade.name, "\(dial.value)s")
    case .setting(let name, _): try await choose(name, "\(dial.value)")
    case .band(let hertz):
      let curve = OwnCurve.curve(application.sound.current.equaliser, hertz: hertz, decibels: dial.value)
      try await choose(Setting<String>.equaliser.name, curve.description)
    }
  }

  private func download(_ id: DownloadID) throws(Fault) -> ContainerKey {
    guard let key = shownDownloads[id.text] else {
      throw Fault(.missing, "N-123", "\(id.title) is not wanted any more")
    }
    return key
  }

  private func say(_ word: Word, _ what: String) {
    house.notices.post(Notice("N-120", what.isEmpty ? "\(words[word])." : "\(words[word]): \(shownPlain(what))."))
  }
}

extension ShownDownload.State {
  init(_ state: OfflineLine.State) {
    self =
      switch state {
      case .whole: .whole
      case .running: .running
      case .waiting: .waiting
      case .paused: .paused
      case .failed: .failed
      }
  }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
