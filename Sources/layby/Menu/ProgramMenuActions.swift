import Application
import Audio
import Hardware
import Library
import Offline
import Panel
import Playback
import Runtime

/// Answers the panel's menus by asking use cases, and has done what is chosen there.
@MainLoop
final class ProgramMenuActions: MenuBackend {
  let application: Application
  let notices: NoticeBoard
  let guardian: Kiosk?
  /// Hears what was learnt of a key or the knob. The menu holds this object.
  weak var menu: MenuController?
  let music: MenuMusic
  /// Beside which the cover of a stream, or of what was fetched, lies.
  private let covers: StreamCovers
  /// Knows whether anything can be reached. The panel holds the menu, and so this object.
  private weak var panel: PanelPart?
  var words: PanelWords { PanelWords.of(settings[.language]) }
  /// Those that were shown, by the name that the panel knows them under.
  private var shownDownloads: [String: ContainerKey] = [:]
  var shownSmartDownloads: [String: ItemKey] = [:]
  /// The curve that was chosen before the one for the night.
  private var curveByDay: String?
  /// How far the lists of sources are known that a search looks through.
  var listings: [String: Listing] = [:]
  /// How long the music of the offers that were shown is; nil in it where nobody knows.
  var lengths: [OfferID: Duration?] = [:]

  /// Without `kiosk` everything is allowed.
  init(
    _ application: Application, _ notices: NoticeBoard, _ kiosk: Kiosk?, _ covers: StreamCovers, _ panel: PanelPart
  ) {
    (self.application, self.notices, guardian) = (application, notices, kiosk)
    (self.covers, self.panel) = (covers, panel)
    music = MenuMusic(application, notices) { list, track async throws(Fault) in
      try await application.keeping.music(of: list, from: track)
    }
  }

  // MARK: Music

  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page {
    try await music.browsing.page(of: list, after: key, count: count)
  }

  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row] {
    try await music.browsing.page(of: list, before: key, count: count)
  }

  func letters(of list: List) async throws(Fault) -> [Letter] { try await music.browsing.letters(of: list) }

  func album(_ id: Int64) async throws(Fault) -> Row? { try await music.browsing.album(id) }

  func total(of list: List) async throws(Fault) -> ListTotal? { try await music.browsing.total(of: list) }

  func current(among rows: [Row]) async throws(Fault) -> Int? { try await music.current(among: rows) }

  func placesLeft(in rows: [Row]) async throws(Fault) -> [Duration?] { try await music.placesLeft(in: rows) }

  func partLeft(of album: Int64) async throws(Fault) -> PartLeft? { try await music.partLeft(of: album) }

  /// Without an answer of library or source there is no cover, and the list says why it is empty.
  func cover(of art: MenuArt) async -> FilePath? {
    do throws(Fault) {
      switch art {
      case .album(let id): return try await cover(beside: music.browsing.file(ofAlbum: id))
      case .track(let id): return try await cover(beside: music.browsing.path(ofTrack: id))
      case .file(let path): return await cover(beside: path)
      case .offer(let id): return try await coverOf(id)
      }
    } catch {
      return nil
    }
  }

  private func cover(beside music: FilePath?) async -> FilePath? {
    guard let music else { return nil }
    return await covers.find(music.ofFile) ?? music.ofFile
  }

  func isCurrent(_ thing: Thing) async -> Bool { await music.isCurrent(thing) }

  func links(of thing: Thing) async throws(Fault) -> TrackLinks { try await music.links(of: thing) }

  func search(_ words: String, for wanted: Browsing.Wanted, count: Int) async throws(Fault) -> [Row] {
    try await music.browsing.search(words, for: wanted, count: count)
  }

  func count(_ words: String, for wanted: Browsing.Wanted, most: Int) async throws(Fault) -> Int {
    try await music.browsing.count(words, for: wanted, most: most)
  }

  func wheel(after typed: String) async throws(Fault) -> [String] {
    let letters = try await music.browsing.wholeWheel(after: typed)
    let others = await sourceLetters(after: typed)
    guard !others.isEmpty else { return letters }
    return Set(letters + others).map { (key: Folding.sortKey($0), letter: $0) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.letter)
  }

  func queue(from: Int, count: Int) async -> [QueuedTrack] {
    var tracks = await music.queue(from: from, count: count)
    await markCached(&tracks)
    return tracks
  }

  func takenOut() async -> QueuedTrack? { await music.takenOut() }
  var placeBefore: Duration? { music.placeBefore }
  func index(ofEntry id: UInt64) -> Int? { music.index(ofEntry: id) }
  func formerQueue() async -> ShownFormerQueue? { await music.formerQueue() }

  /// Those that are kept with how far that is, where it can be asked.
  func playlists() async throws(Fault) -> [OwnPlaylist] {
    var playlists = try await music.playlists()
    guard playlists.contains(where: \.isKept), let waiting = await playlistsOnTheirWay() else { return playlists }
    for index in playlists.indices where playlists[index].isKept {
      playlists[index].mark = waiting.contains(playlists[index].name) ? .waits : .stored
    }
    return playlists
  }

  func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow] {
    try await music.tracks(ofPlaylist: id, count: count)
  }

  var stickCount: Int { application.sticks?.count ?? 0 }

  func sticks() async -> [ShownStick] { await music.sticks(words) }

  var hasWireless: Bool { application.wireless != nil }
  func wireless() async throws(Fault) -> WirelessSetup.Shown? { try await application.wireless?.shown() }

  // MARK: What comes from elsewhere

  var fetches: Bool { application.keeping.fetches }
  var isOffline: Bool { panel?.isOffline ?? false }

  func downloads() async throws(Fault) -> [ShownDownload] {
    let lines = try await application.keeping.lines()
    shownDownloads = Dictionary(
      lines.map { ("\($0.container)", $0.container) }, uniquingKeysWith: { first, _ in first })
    let artists = try await artists(ofNamesakes: lines.map(\.container))
    return lines.map { line in
      var shown = ShownDownload(DownloadID("\(line.container)", line.container.title), .init(line.state))
      (shown.offer, shown.artist) = (OfferID(line.container), artists[line.container] ?? "")
      (shown.bytes, shown.size, shown.speed, shown.left) = (line.bytes, line.size, line.speed, line.left)
      shown.isTriedAgain = line.isTriedAgain
      shown.why = reasons(line.why, from: line.container.source)
      shown.because = line.because.map(words.said)
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

  var equalisers: [String] { ["off"] + EqualiserCurve.presets.map(\.name).filter { $0 != "off" && $0 != "flat" } }

  var settings: Settings { application.preferences.settings }
  var ownersFile: Settings { application.preferences.ownersFile }
  var waiting: Set<SettingName> { application.preferences.waiting }
  var canErase: Bool { application.preferences.canErase }

  // MARK: What is to be done

  func perform(_ action: MenuAction) async throws(Fault) {
    switch action {
    case .play, .playNext, .addToQueue, .shuffleAll, .jump, .removeEntry, .putBack, .moveEntry, .clearQueue,
      .playFormer, .add, .makePlaylist, .playPlaylist, .addPlaylistToQueue, .renamePlaylist, .playEntry,
      .removeFromPlaylist,
      .moveInPlaylist, .deletePlaylist, .keepPlaylist, .setShuffle, .setRepeat, .sleep, .goTo, .copyStick, .ejectStick:
      let isLocked = if case .locked = kiosk { true } else { false }
      try await music.perform(action, words, isLocked: isLocked)
    case .setDial(let dial): try await set(dial)
    case .choose(let name, let text): try await choose(name, text)
    case .startAnew: application.preferences.restart()
    case .erase(let extent): try await application.preferences.erase(extent)
    case .equaliser(let name): try await choose(Setting<String>.equaliser.name, name)
    case .night(let isOn):
      let now = settings[.equaliser]
      if isOn, now != MenuPages.night { curveByDay = now }
      try await choose(Setting<String>.equaliser.name, isOn ? MenuPages.night : curveByDay ?? "off")
    case .normaliser(let mode):
      let setting = Setting<NormaliserMode>.normaliser
      try await choose(setting.name, setting.type.format(mode))
    case .keep(let id, let quality, let isAnyway):
      try await keep(id, at: quality, isAnyway: isAnyway)
      music.say(words[.willBeKept], id.title)
    case .stopKeeping(let id):
      try await stopKeeping(id)
      music.say(words[.noLongerKept], id.title)
    case .pauseDownload(let id): try await application.keeping.pause(try download(id))
    case .resumeDownload(let id): try await application.keeping.resume(try download(id))
    case .retryDownload(let id):
      try await application.keeping.again(try download(id))
      MainLoop.start { await self.tellWhatCame(of: id) }
    case .dropDownload(let id):
      try await application.keeping.drop(try download(id))
      music.say(words[.noLongerKept], id.title)
    case .pauseAllDownloads: try await application.keeping.pause(nil)
    case .resumeAllDownloads: try await application.keeping.resume(nil)
    case .dismissSmartDownload(let id): try await application.keeping.dismissSmartDownload(try smartDownload(id))
    case .check(let begins): try await application.keeping.check(begins ? .begin : .stop)
    case .move(let disk): try await application.keeping.move(to: disk)
    case .renewLicences: try await renewLicences()
    case .signIn(let source): _ = try await application.licences.signIn(source)
    case .callOffSignIn(let source): try await application.licences.callOffSignIn(source)
    case .signOut(let source): _ = try await application.licences.signOut(source)
    case .unbind(let key): application.inputs.unbind(key)
    case .forgetKey(let key): application.inputs.forget(key)
    case .forgetKnob: application.inputs.forgetKnob()
    case .clearNotices: notices.clear()
    case .lookForNetworks: try application.wireless?.look()
    case .joinNetwork(let name, let password):
      let country = settings[.radioCountry]
      try application.wireless?.join(
        name, password: password, country: country == RadioCountry.anywhere ? nil : country)
    case .forgetNetwork: application.wireless?.forget()
    case .startHotspot: application.wireless?.startHotspot()
    case .stopHotspot: application.wireless?.stopHotspot()
    // The menu does it itself.
    case .lock: break
    }
  }

  private func choose(_ name: SettingName, _ text: String) async throws(Fault) {
    try await application.preferences.choose(name, text, by: guardian?.rights ?? .all)
  }

  private func set(_ dial: Dial) async throws(Fault) {
    switch dial.subject {
    case .volume: try await application.playing.perform(.turn(by: dial.value - application.playing.status.volume))
    case .crossfade: try await choose(Setting<Duration>.crossfade.name, "\(dial.value)s")
    case .setting(let name, _): try await choose(name, "\(dial.value)")
    case .hours(let name, .from, let other): try await choose(name, "\(DayHours(from: dial.value, to: other))")
    case .hours(let name, .until, let other): try await choose(name, "\(DayHours(from: other, to: dial.value))")
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
