import Audio
import Formats
import Glibc
import Library
import Runtime

/// The player at work, on the main loop: performs what the rules in `Player` decide. It owns the rules' state, hands
/// work to the sound path, has every change saved, and tells whoever listens.
@MainLoop
package final class Transport: Part {
  nonisolated package let name = "player"
  nonisolated package static let closesWithin: Duration = .milliseconds(500)

  private var player: Player
  let sound: any Sound
  private let notices: NoticeBoard
  private(set) var keeper: SessionKeeper?
  var opened: [EntryID: Track] = [:]
  /// Where the last run stopped; nil once `prepare` has resumed there.
  private var resumeAt: SavedPlace?
  /// The sample rate that was saved with the place, for an entry that has not been opened yet.
  private let savedRate: Int32
  private var soundIsClosed = false
  private var isEnding = false
  private var waitsForDevice = false
  /// The recording (or the device) failed for good, so what was recorded is incomplete.
  package private(set) var outputHasFailed = false
  /// Entries whose damage has been reported. A track that repeats is reported once.
  private var toldDamaged: Set<EntryID> = []
  private var listeners: [Mailbox<PlayerEvent>] = []
  private let log = Log("player")

  /// Nil where nothing is known of files but what the decoder reads.
  let library: (any TrackLibrary)?
  private var next: Track?
  /// The entry that `next` describes.
  var nextEntry: EntryID?
  /// The entry whose name was looked up while its file waited to be opened.
  var namedCurrent: EntryID?
  /// The one running timer, for what happens by the passing of time alone, such as the sleep timer.
  private var ticker: (task: Task<Void, Never>, due: Moment)?
  /// The date, in seconds since 1970.
  private let date: @MainLoop () -> Int64
  /// Whether this start is in safe mode; part of the status.
  private let isSafe: Bool
  /// Why the current track is not audible at the moment, for example a stream that is late.
  package var waitsFor: Notice?
  /// Nil where no loudness is known.
  let loudness: LoudnessPart?
  /// For each entry, the loudness that the sound path was given last.
  var begun: [EntryID: StartedLoudness] = [:]
  /// Nil where nobody counts what is heard.
  private let listeningLog: (any ListeningLog)?
  /// When it is changed, the current track continues with the new effects from where it is heard.
  package var sounding: EffectsPlan {
    didSet {
      if sounding != oldValue { loudness?.follow(sounding) }
      if sounding.plan.deepBuffer != oldValue.plan.deepBuffer { sound.setDeepBuffer(sounding.plan.deepBuffer) }
      guard sounding.shape != oldValue.shape else { return }
      sound.setShape(sounding.shape)
      refresh()
    }
  }

  package init(
    _ saved: SavedSession, rules: Player.Rules, volume: Volume, sounding: EffectsPlan = EffectsPlan(),
    sound: any Sound, store: SessionStore?, library: (any TrackLibrary)? = nil, loudness: LoudnessPart? = nil,
    listeningLog: (any ListeningLog)? = nil, isSafe: Bool = false, notices: NoticeBoard,
    date: @escaping @MainLoop () -> Int64 = { Int64(time(nil)) }
  ) {
    player = Player(
      rules: rules, queue: saved.queue, volume: volume, history: History(saved.history),
      bookmarks: Bookmarks(saved.bookmarks), former: saved.former)
    self.date = date
    resumeAt = saved.place
    savedRate = saved.place.rate
    (self.sounding, self.sound, self.library, self.loudness) = (sounding, sound, library, loudness)
    (self.listeningLog, self.isSafe, self.notices) = (listeningLog, isSafe, notices)
    // Unowned is safe: nobody else holds the keeper, so it never outlives this object.
    keeper = store.map { store in
      SessionKeeper(store, since: saved.unsaved, notices: notices) { [unowned self] in
        SessionKeeper.Snapshot(queue: player.queue, place: place, former: player.former, course: course)
      }
    }
    notices.listen { [weak self] in self?.tell(.notice, $0.notice) }
    sound.setShape(sounding.shape)
    loudness?.serve(self)
  }

  // MARK: The part

  /// Resumes where the last run stopped. Only the first call does: commands may have come before `run` began, and when
  /// the supervisor restarts this part it must not jump back.
  package func prepare() async throws(Fault) {
    guard let place = resumeAt else { return }
    resumeAt = nil
    let spot = TrackPlace.spot(Spot(frame: place.frame, rate: place.rate))
    if let entry = place.entry { begun[entry] = place.loudness }
    let actions = player.resume(place.entry, at: spot, wish: place.wish, playedSince: place.playedSince)
    passTime()
    apply(actions, because: .track)
    MainLoop.start { await self.lookAhead() }
  }

  package func run() async throws(Fault) {
    repeat { hearAll() } while await MainLoop.loop.readable(sound.bell)
    // This task is cancelled by now, so its waits would return at once; another task does the closing.
    await MainLoop.start { await self.end() }.value
  }

  /// Saves the last place while the music still plays, then fades out and finishes a recording.
  private func end() async {
    keeper?.notePlace()
    do throws(Fault) { try await keeper?.settle() } catch {
      log.error("the last position was not saved", ["reason": error.message])
    }
    isEnding = true
    ticker?.task.cancel()
    sound.pause()
    sound.shutdown()
    let closing = MainLoop.start {
      // A recording is written to its end only now.
      self.hearAll()
      while !self.soundIsClosed, await MainLoop.loop.readable(self.sound.bell) { self.hearAll() }
    }
    let limit = MainLoop.start {
      guard await MainLoop.loop.sleep(for: Self.closesWithin) else { return }
      self.log.warning("the sound path did not end in time")
      closing.cancel()
    }
    await closing.value
    limit.cancel()
  }

  // MARK: What others ask

  /// Performs the command and returns when the result is durable. With the normaliser on, adding or jumping to music
  /// waits for the library's gains first; everything else takes effect immediately.
  package func perform(_ command: Player.Command) async throws(Fault) {
    MainLoop.loop.lately = "player"
    await findLoudness(before: command)
    // Handle pending news first, so that the command applies to the entry that is heard now.
    hearAll()
    passTime()
    let actions = player.perform(held(command), heard: heard)
    apply(actions, because: Self.kind(of: command, now: player.wish))
    // `apply` has told of the queue; listeners that show the current track need an event too.
    if command.beginsAnew, player.wish == .playing { tell(.playing) }
    keepTime()
    await lookAhead()
    try await keeper?.settle()
  }

  /// A seek past the end goes to the end, so that "forward ten seconds" does not skip the track.
  private func held(_ command: Player.Command) -> Player.Command {
    guard case .seek(let place) = command else { return command }
    let length = player.current.flatMap { opened[$0]?.duration } ?? Self.longest
    return .seek(to: min(place, length))
  }

  nonisolated private static let longest: Duration = .seconds(360_000)

  package var queue: PlayQueue { player.queue }

  package var status: PlayerStatus {
    var status = PlayerStatus()
    let heard = heard
    status.wish = player.wish
    status.entry = player.queue.entry(player.current)
    status.index = player.queue.index(of: player.current)
    status.count = player.queue.count
    status.track = status.entry.map { already(known: $0.id) ?? Track(named: $0.path) }
    status.next = next
    status.place = heard
    status.volume = player.volume.percent
    status.loudest = player.volume.maximum
    status.isMuted = player.volume.isMuted
    status.repeats = player.queue.repeats
    status.isShuffled = player.queue.isShuffled
    status.sleep = player.sleep.until
    status.sleepsIn = player.sleepsIn(at: MainLoop.loop.now, heard: heard)
    status.waitsForDevice = waitsForDevice
    status.isSafe = isSafe
    status.waitsFor = waitsFor
    status.sounding = sounding
    status.givesWayTo = player.way.names
    return status
  }

  /// The next entries, counted from the current one.
  package func upNext(_ count: Int) -> [PlayQueue.Entry] { player.queue.upNext(after: player.current, count: count) }
  package var history: History { player.history }
  package var bookmarks: Bookmarks { player.bookmarks }
  package var former: FormerQueue? { player.former }
  package var takenOut: PlayQueue.Entry? { player.takenOut }
  package var files: Set<FilePath> { player.files }

  package func follow(_ events: Mailbox<PlayerEvent>) {
    listeners.removeAll { $0.isClosed }
    listeners.append(events)
  }

  // MARK: Performing

  private var heard: Spot {
    if player.isHeard, let now = sound.heard, now.generation == player.generation, now.entry == player.current?.number {
      return now.spot
    }
    // The library does not know the sample rate of some foreign formats.
    let known = player.current.flatMap { opened[$0]?.rate } ?? 0
    let rate = known > 0 ? known : savedRate
    return Spot(frame: player.startAt.frame(atRate: rate), rate: rate)
  }

  private var place: SavedPlace {
    var place = SavedPlace()
    place.entry = player.current
    let heard = heard
    place.frame = heard.frame
    place.rate = heard.rate
    // Paused only because the board rests (ignition off, low battery): the next start resumes playing.
    place.wish = player.way.goesOnAfterRest ? .playing : player.wish
    place.volume = player.volume.percent
    place.isMuted = player.volume.isMuted
    place.repeats = player.queue.repeats
    place.playedSince = player.playedSince
    place.loudness = player.current.flatMap { begun[$0] }
    return place
  }

  /// While music plays: where the saved place has moved to. Nil once another entry is heard, or an older start of this
  /// one.
  private var course: (@Sendable (SavedPlace) -> SavedPlace?)? {
    guard player.wish == .playing else { return nil }
    return { [sound, generation = player.generation] place in
      guard let now = sound.heard, now.entry == place.entry?.number,
        Int32(bitPattern: now.generation &- generation) >= 0
      else { return nil }
      var place = place
      place.frame = now.spot.frame
      place.rate = now.spot.rate
      return place
    }
  }

  private func hearAll() {
    while let news = sound.takeNews() { hear(news) }
  }

  private func hear(_ item: SoundNews) {
    switch item {
    case .opened(let id, _, let info):
      guard let path = player.queue.entry(id)?.path else { break }
      let track = Track(path: path, tags: info.tags, format: info.format, frames: info.length)
      opened[id] = track.called(as: already(known: id), at: path)
      library?.learn(track, at: path)
      MainLoop.start { await self.call(id, path) }
    case .finished(let id, let damages):
      guard damages > 0, let path = player.queue.entry(id)?.path, toldDamaged.insert(id).inserted else { break }
      notices.post(Player.Notice.damaged(path, places: damages).forPeople)
    case .deviceLost: waitsForDevice = true
    case .deviceBack: waitsForDevice = false
    case .outputFailed:
      waitsForDevice = false
      outputHasFailed = true
    case .closed: soundIsClosed = true
    case .unfit(let generation) where generation == player.generation && !isEnding: refresh()
    default: break
    }
    guard let news = item.forPlayer else { return }
    if isEnding {
      // The place was saved before closing began; news of the closing must not change it.
      if case .outputFailed(let fault) = news { notices.post(Player.Notice.outputFailed(fault).forPeople) }
      return
    }
    passTime()
    let actions = player.hear(news, heard: heard)
    apply(actions, because: .track)
    if case .opened = news, !actions.contains(where: \.saysWhatFollows) { sound.follow(nil, hint: .none) }
    keepTime()
    MainLoop.start { await self.lookAhead() }
    // Keep only the tracks that are playing or come next.
    if opened.count > 16 { opened = opened.filter { player.isAbout($0.key) } }
  }

  // MARK: Time

  /// Lets the player act on the time that has passed (sleep timer, fades) before anything else is handled.
  private func passTime() {
    let before = player.wish
    let actions = player.pass(to: MainLoop.loop.now, date: date(), heard: heard)
    apply(actions, because: before == player.wish ? .volume : .paused)
  }

  /// Sets the timer for the next moment at which time matters. A player that waits for nothing sets none, so that the
  /// processor sleeps.
  private func keepTime() {
    guard let wait = player.nextPass(heard: heard), !isEnding else {
      ticker?.task.cancel()
      ticker = nil
      return
    }
    let due = MainLoop.loop.now + wait
    if let ticker, ticker.due <= due { return }
    ticker?.task.cancel()
    let task = MainLoop.start {
      guard await MainLoop.loop.sleep(for: wait) else { return }
      self.ticker = nil
      self.hearAll()
      self.passTime()
      self.keepTime()
    }
    ticker = (task, due)
  }

  private func apply(_ actions: [Player.Action], because kind: PlayerEvent.Kind) {
    for action in actions {
      switch action {
      case .start(let entry, let place, let generation):
        sound.start(entry, at: place, generation: generation, hint: hint(for: entry, startedAt: place))
      case .follow(let entry): sound.follow(entry, hint: entry.map { hint(for: $0, startedAt: .beginning) } ?? .none)
      case .halt(let generation): sound.halt(generation: generation)
      case .pause: sound.pause()
      case .resume: sound.resume()
      case .gain(let gain): sound.setGain(gain)
      case .save(let change):
        keeper?.note(change)
        if case .heard(let heard) = change { listeningLog?.add(heard) }
      case .savePlace: keeper?.notePlace()
      case .notice(let notice): notices.post(notice.forPeople)
      }
    }
    if !actions.isEmpty { tell(kind) }
  }

  private func refresh() { apply(player.perform(.refresh, heard: heard), because: .seek) }

  func tell(_ kind: PlayerEvent.Kind, _ notice: Notice? = nil) {
    guard !listeners.isEmpty else { return }
    listeners.removeAll { $0.isClosed }
    let event = PlayerEvent(kind: kind, at: MainLoop.loop.now, status: status, notice: notice)
    for listener in listeners { listener.send(event) }
  }

  /// The entry's track as its file says, or as the library knew it while the entry was the next one.
  private func already(known id: EntryID) -> Track? { opened[id] ?? (id == nextEntry ? next : nil) }

  /// Finds out what the current and the next entry are called, for the panel.
  func lookAhead() async {
    await nameCurrent()
    let entry = player.current.flatMap { player.queue.successor(of: $0) }
    // This is called after every change, and mostly nothing is different.
    let open = entry.flatMap { opened[$0.id] }
    guard entry?.id != nextEntry || open != nil && open != next else { return }
    // The next entry has become the current one: until its file is open it keeps the name that was announced.
    if let id = nextEntry, id == player.current, opened[id] == nil, next?.isCatalogued == true { opened[id] = next }
    nextEntry = entry?.id
    var found: Track?
    if let entry {
      let known: Track? = if let info = opened[entry.id] { info } else { await lookUp(entry.path) }
      // During the lookup another entry may have become the next one; that has a lookup of its own.
      guard nextEntry == entry.id else { return }
      found = known ?? Track(named: entry.path)
    }
    guard found != next else { return }
    next = found
    tell(.queue)
  }

  private static func kind(of command: Player.Command, now wish: Player.PlaybackState) -> PlayerEvent.Kind {
    switch command {
    case .play, .pause, .toggle, .stop:
      switch wish {
      case .playing: .playing
      case .paused: .paused
      case .stopped: .stopped
      }
    case .next, .previous, .skip, .jump: .track
    case .seek: .seek
    case .refresh: .seek
    case .setVolume, .limitVolume, .turn, .turnFromAfar, .mute, .toggleMute, .giveWay, .sleep: .volume
    case .add, .playNext, .remove, .putBack, .move, .readdress, .clear, .replace, .playAtOnce, .repeats, .shuffle,
      .forget:
      .queue
    }
  }
}

extension Player.Command {
  fileprivate var beginsAnew: Bool {
    switch self {
    case .replace, .playAtOnce: true
    case .play, .pause, .toggle, .stop, .next, .previous, .skip, .jump, .seek, .setVolume, .turn, .turnFromAfar, .mute,
      .toggleMute, .limitVolume, .giveWay, .refresh, .add, .playNext, .remove, .putBack, .move, .readdress, .clear,
      .repeats, .shuffle, .sleep, .forget:
      false
    }
  }
}

extension Player.Action {
  /// Whether the action tells the decoder what follows the current track.
  fileprivate var saysWhatFollows: Bool {
    switch self {
    case .start, .follow, .halt: true
    default: false
    }
  }
}
