import Application
import Canvas
import Hardware
import Library
import Playback
import Runtime

/// The panel at work, on the main loop: draws what plays when it has changed, and once a second while time passes on
/// it. It shows the same in a terminal, on a panel of its own, or on both.
///
/// The first picture stands before the music is ready, and says so. With nowhere to show it draws only when somebody asks
/// for a picture, and never wakes the board.
@MainLoop
package final class PanelPart: Part {
  nonisolated package let name = "panel"
  private var canvas: Canvas
  private var screens: PanelScreens
  let playing: Playing
  private let notices: NoticeBoard
  private let questions: QuestionBoard?
  private var terminal: Terminal?
  private let device: PanelDevice?
  private let cover: PanelCover?
  private let listCovers: ListCovers?
  private let nextCover: PanelCover?
  private var isReady: Bool
  private var shown: ShownPicture?
  private var marquees = Marquees()
  /// What has gone by since then is shown at the next step.
  private var drawnAt = Moment(nanoseconds: 0)
  private var ticker: Task<Void, Never>?
  private var help: String?
  private var catchingUp: Task<Void, Never>?
  private var displayCatchingUp: Task<Void, Never>?
  private var lastEvent = Moment(nanoseconds: 0)
  /// Beside which the cover of an entry is to be looked for: what is no file here has it elsewhere.
  private let coverOf: @MainLoop (FilePath) -> FilePath
  /// The warning that stands over the music, and until when; nil while a notice hides it.
  private var warned: (kind: PanelState.Kind, until: Moment?)?
  /// In the place of the music while somebody goes through it.
  package var menu: MenuController? {
    didSet {
      menu?.changed = { [weak self] in self?.show() }
      listCovers?.find = { [weak menu] art in await menu?.cover(of: art) }
      menu?.manner = manner
      menu?.states = { [weak self] in self?.states ?? [] }
      menu?.timeOfDay = { [weak self] in self?.timeOfDay() }
    }
  }
  /// What the rest of the program knows of the device; the panel adds what it knows itself.
  package var facts: @MainLoop () -> PanelFacts = { PanelFacts() }
  /// What visitors may do at this panel; nil before the program has made it. It calls `kioskChanged`.
  package var kiosk: Kiosk? { didSet { kioskChanged() } }
  /// Told what is on the panel whenever that is something else, for those who do not look.
  package var told: (@MainLoop (Scene) -> Void)?
  /// What the board runs on.
  package var battery: NowPlaying.Battery? { didSet { if battery != oldValue { show() } } }
  /// Music that was asked for is on its way.
  package var isFetching = false { didSet { if isFetching != oldValue { show() } } }
  /// Where music is fetched from can be reached, as far as the network says.
  package var isReached = true {
    didSet {
      guard isReached != oldValue else { return }
      musicHasChanged()
      menu?.refresh()
      show()
    }
  }
  /// Says whether some music is fetched, so that it matters.
  private let keeping: Keeping?
  package var isOffline: Bool { !isReached && keeping?.fetches == true }
  /// Nil while the clock is not to be believed: then none is shown.
  private let timeOfDay: @MainLoop () -> TimeOfDay?
  private var volume = ShownVolume()
  private var tint = Tint()
  /// The library has music, and a press on play begins with it when the queue is empty.
  package var offersLibrary = false { didSet { if offersLibrary != oldValue { show() } } }
  private let log = Log("panel")

  /// Everything is drawn anew when it is another one.
  package var look: PanelLook {
    didSet {
      screens = PanelScreens(shownLook)
      menu?.manner = manner
      drawAnew()
      show()
    }
  }

  /// The display that came last has points that are on or off: nothing is drawn in colours.
  private var isInk = false
  private var shownLook: PanelLook {
    var shown = look
    if isInk { shown.theme = .ink }
    return shown
  }

  private var manner: MenuContext {
    MenuContext(
      look.words, look.style.profile, rights: look.style.rights, isTouched: look.isTouched,
      on: ScreenClass(canvas.size))
  }

  package func kioskChanged() {
    guard let kiosk else { return }
    if look.style.rights != kiosk.rights { look.style.rights = kiosk.rights } else { show() }
    // The visitor who had the menu open has gone.
    if kiosk.face == .inviting { menu?.leave() }
  }

  /// `size` counts until a panel of its own says how large it is. Until `becomeReady`, unless it is so from the
  /// beginning, the panel says that it is starting.
  package init(
    size: Size, look: PanelLook, playing: Playing, keeping: Keeping? = nil, notices: NoticeBoard, terminal: Terminal?,
    device: PanelDevice? = nil, art: ArtShelf? = nil, questions: QuestionBoard? = nil, isReady: Bool = true,
    coverOf: @escaping @MainLoop (FilePath) -> FilePath = { $0 },
    timeOfDay: @escaping @MainLoop () -> TimeOfDay? = { nil }
  ) {
    self.timeOfDay = timeOfDay
    self.keeping = keeping
    self.coverOf = coverOf
    canvas = Canvas(size: size)
    self.look = look
    screens = PanelScreens(look)
    self.playing = playing
    self.notices = notices
    self.questions = questions
    self.terminal = terminal
    self.device = device
    self.isReady = isReady
    cover = art.map { PanelCover($0) }
    listCovers = art.map { ListCovers($0) }
    nextCover = art.map { PanelCover($0) }
    notices.listenToWithdrawals { [weak self] in self?.show() }
    questions?.listen { [weak self] in self?.show() }
    cover?.hasCome = { [weak self] in self?.show() }
    listCovers?.haveCome = { [weak self] in self?.show() }
    nextCover?.hasCome = { [weak self] in self?.show() }
  }

  /// The first picture does not wait for anything that comes after the panel.
  package func prepare() async throws(Fault) {
    if terminal != nil || device != nil { show() }
  }

  package func run() async throws(Fault) {
    let events = Mailbox<PlayerEvent>()
    playing.follow(events)
    if hasViewers { show() }
    while await events.receive() != nil {
      // A knob that is turned fast sends many; the last one counts.
      while events.tryReceive() != nil {}
      let began = MainLoop.loop.now
      lastEvent = began
      menu?.refresh()
      // Somebody may want it read aloud from now on.
      guard hasViewers else { continue }
      show()
      await rest(since: began)
    }
    events.close()
    ticker?.cancel()
    catchingUp?.cancel()
    displayCatchingUp?.cancel()
    cover?.stop()
    listCovers?.stop()
    nextCover?.stop()
    terminal?.close()
    terminal = nil
    device?.darken()
  }

  private var hasViewers: Bool { terminal != nil || device != nil || told != nil }

  /// The hands come before the picture: no more frames than an eye sees, and at least half of the main loop's time is
  /// left to others, however slow drawing is.
  private func rest(since began: Moment) async {
    let took = MainLoop.loop.now - began
    await MainLoop.loop.sleep(for: max(Self.frame - took, took))
  }

  private static let frame: Duration = .milliseconds(33)
  private static let settling: Duration = .seconds(3)

  package func coversHaveChanged() { show() }

  /// Music has come or gone, or stands otherwise: lists of it that are open follow.
  package func musicHasChanged() { menu?.musicHasChanged() }

  /// From now on it can really play.
  package func becomeReady() {
    isReady = true
    show()
  }

  /// The panel as a PNG, as it would look now, and what it says in one line.
  package func picture() throws(Fault) -> (png: [UInt8], words: String) {
    // What is on the panel is what whoever asks gets.
    show()
    draw()
    return (try PNG.encode(canvas), caption ?? "")
  }

  /// One line that stands below the picture in a terminal until the next.
  package func showHelp(_ text: String) {
    help = help == text ? nil : text
    show()
  }

  /// A hand wants to go on, and nothing follows.
  func sayLast() { notices.post(Notice("N-127", "\(look.words[.lastOne]).")) }

  package func resized() {
    guard let terminal else { return }
    do throws(Fault) { try terminal.resize(to: Terminal.measure(terminal.number)) } catch { lose(terminal, error) }
    drawAnew()
    show()
  }

  // MARK: Touch

  private var reading = TouchReading()

  /// What the finger meant where it was. From the first one on there are keys to be touched.
  package func meanings(of touch: Touch) -> [Controls.Meaning] {
    guard look.isTouched else {
      touched()
      // It was not aimed at anything that is shown only now.
      return []
    }
    // Where nothing can be touched but the panel itself, as a knob that is held.
    guard let ground else { return touch.isHold ? [.menu(.open)] : [] }
    return reading.meanings(of: touch, on: ground)
  }

  /// There is a finger, whatever it meant.
  package func touched() { if !look.isTouched { look.style.isTouched = true } }

  private var ground: TouchReading.Ground? { shown.flatMap { screens.ground($0, canvas.size) } }

  private func drawAnew() {
    shown = nil
    canvas.forgetShown()
  }

  /// Who has the panel, and with it the knob.
  package enum Front: Equatable, Sendable { case question, menu, invitation, music }

  package var front: Front {
    // What only its owner may answer is asked when the owner is there.
    if questions?.current != nil, look.style.rights.isOwnerOrProgram { return .question }
    if menu?.isOpen == true { return .menu }
    return kiosk.map { $0.face == .music } ?? true ? .music : .invitation
  }

  private func draw() {
    let notice = notices.current(at: MainLoop.loop.now)
    // Asked on every page: a volume that was changed in the menu is not shown again when the menu closes.
    let status = playing.status
    let showsVolume = volume.isShown(status.isMuted ? 0 : status.volume, at: MainLoop.loop.now)
    if front == .question, let questions, let asked = questions.current {
      return draw(.question(ShownQuestion(asked, waiting: questions.asked.count - 1, notice: notice, look.words)))
    }
    if var shown = menu?.shown {
      (shown.notice, shown.noticeStands) = (notice.map { look.words.said($0.notice) }, notice?.stands ?? false)
      shown.noticeInShort = notice.flatMap { look.words.inShort($0.notice) }
      if let listCovers { shown.covers = listCovers.follow(screens.covers(of: shown, canvas.size)) }
      return draw(.menu(shown))
    }
    listCovers?.stop()
    if front == .invitation, let kiosk { return draw(.invitation(invitation(kiosk, status))) }
    var now = NowPlaying(status, notice: notice, look.words)
    let states = states(status)
    now.take(states, isRead: hasRead(states.first(where: \.isWarning), isHidden: notice != nil))
    (now.battery, now.isFetching) = (battery, isFetching)
    if now.condition == nil, now.count > 0, isOffline { now.condition = .offline }
    now.clock = timeOfDay()?.text
    now.showsVolume = showsVolume
    let layout = screens.music.layout(now, canvas.size)
    cover?.follow(status.entry.map { coverOf($0.path) }, side: layout.cover?.width)
    now.cover = cover?.picture
    let nextSide = layout.nextCover
    if nextSide > 0, now.upNext != nil {
      nextCover?.follow(playing.upNext(1).first.map { coverOf($0.path) }, side: nextSide)
      now.nextCover = nextCover?.picture
    }
    now.theme = tint.theme(look.style.takesCoverColours ? cover?.palette : nil, of: shownLook.theme)
    // What is paused is so, ready or not; and a device that is missed is the better news.
    if !isReady, now.state == .playing || now.state == .stopped { now.state = .starting }
    draw(.nowPlaying(now))
  }

  /// Whether it has been seen for as long as it is read.
  private func hasRead(_ warning: PanelState?, isHidden: Bool) -> Bool {
    guard let warning else {
      warned = nil
      return false
    }
    let now = MainLoop.loop.now
    if let warned, warned.kind == warning.kind, let until = warned.until {
      if until <= now { return true }
      if !isHidden { return false }
    }
    warned = (warning.kind, isHidden ? nil : now + warning.readingTime)
    return false
  }

  private func invitation(_ kiosk: Kiosk, _ status: PlayerStatus) -> ShownInvitation {
    ShownInvitation { shown in
      shown.shift = Int(MainLoop.loop.now.nanoseconds / 60_000_000_000) % ShownInvitation.shifts
      if let closed = states(status).first(where: { $0.kind == .closed }) {
        (shown.words, shown.hint) = (closed.title, closed.now.first ?? "")
        return
      }
      shown.words = kiosk.manner.welcome.isEmpty ? look.words[.welcome] : kiosk.manner.welcome
      shown.hint = look.words[look.isTouched ? .touchHere : .turnHere]
      guard status.wish == .playing else { return }
      (shown.title, shown.artist) = (status.track?.title ?? "", status.track?.artist ?? "")
      cover?.follow(status.entry.map { coverOf($0.path) }, side: screens.invitation.coverSide(canvas.size))
      shown.cover = cover?.picture
    }
  }

  /// What its own display said; nil where there is none but a terminal.
  package var display: DeviceAnswer? { device?.answer }

  private func draw(_ picture: ShownPicture) {
    drawnAt = MainLoop.loop.now
    let gone = screens.gone(picture, canvas.size, &marquees, at: drawnAt)
    guard picture != shown || gone != marquees.drawn else { return }
    marquees.drawn = gone
    screens.draw(picture, gone: gone, on: canvas)
    guard picture != shown else { return }
    shown = picture
    told?(picture.scene(look.words))
  }

  private var caption: String? { shown.map { screens.caption(of: $0) } }

  func show() {
    MainLoop.loop.lately = "panel"
    ticker?.cancel()
    lookForDevice()
    if terminal != nil || device?.display != nil || told != nil {
      draw()
      present()
    }
    guard let pause = untilNextChange else { return }
    ticker = MainLoop.start { if await MainLoop.loop.sleep(for: pause) { self.show() } }
  }

  /// Both have the same picture, so what changed is found once.
  private func present() {
    let changed = canvas.changes()
    if let terminal {
      if let caption { terminal.caption = help ?? caption }
      do throws(Fault) {
        if !changed.isEmpty { try terminal.show(canvas, changed: changed) }
        if terminal.isBehind { catchUp(terminal) }
      } catch { lose(terminal, error) }
    }
    if let display = device?.display {
      do throws(Fault) {
        if !changed.isEmpty { try display.show(canvas, changed: changed) }
        if display.isBehind { catchUp(display) }
      } catch { loseDisplay(error) }
    }
    canvas.markShown(changed)
  }

  private func lookForDevice() {
    guard let device else { return }
    let (hasCome, news) = device.openIfDue(at: MainLoop.loop.now)
    if let news { tell(news) }
    guard hasCome, let display = device.display else { return }
    isInk = display.isInk
    if display.size != canvas.size {
      canvas = Canvas(size: display.size)
      menu?.manner = manner
    }
    screens = PanelScreens(shownLook)
    drawAnew()
  }

  /// Posted when this is done: a notice is shown, and showing is what we are at.
  private func tell(_ fault: Fault) {
    let notices = notices
    MainLoop.start { notices.post(Notice(fault, instead: "the music plays without a picture there")) }
  }

  /// A terminal that does not read (Ctrl-S) is waited for by one task, however many frames come meanwhile.
  private func catchUp(_ terminal: Terminal) {
    guard catchingUp == nil else { return }
    catchingUp = MainLoop.start {
      while terminal.isBehind, await MainLoop.loop.writable(terminal.number) {
        do throws(Fault) { try terminal.catchUp() } catch {
          self.lose(terminal, error)
          break
        }
      }
      self.catchingUp = nil
    }
  }

  /// The same for a display that is still busy with the frame before. One that never tells is asked once a second.
  private func catchUp(_ display: any Display) {
    guard displayCatchingUp == nil else { return }
    displayCatchingUp = MainLoop.start {
      while display.isBehind, self.device?.display === display {
        await MainLoop.loop.readable(display.number, within: .seconds(1))
        guard !Task.isCancelled else { return }
        do throws(Fault) { try display.catchUp() } catch {
          // Showing is what looks for it again, when it is time to.
          self.loseDisplay(error)
          return self.show()
        }
        if display.isBehind { await MainLoop.loop.sleep(for: Self.frame) }
      }
      if !Task.isCancelled { self.displayCatchingUp = nil }
    }
  }

  private func loseDisplay(_ fault: Fault) {
    displayCatchingUp?.cancel()
    displayCatchingUp = nil
    if let news = device?.lose(fault, at: MainLoop.loop.now) { tell(news) }
  }

  private func lose(_ lost: Terminal, _ fault: Fault) {
    log.error("lost the terminal", ["reason": fault.message])
    terminal = nil
  }

  /// To the next whole second of the position, to the end of a notice, or to the next look for the panel; nil when
  /// nobody looks.
  private var untilNextChange: Duration? {
    let now = MainLoop.loop.now
    var next: Duration?
    if terminal != nil || device?.display != nil {
      let status = playing.status
      var change: Duration = .seconds(86_400)
      // What the device holds is heard out after a pause, and nobody tells when that is over.
      if now - lastEvent < Self.settling { change = .seconds(1) }
      // Neither a question nor a menu shows where the music is.
      switch front {
      case .invitation: change = .nanoseconds(60_000_000_000 - now.nanoseconds % 60_000_000_000)
      // Neither a question nor a menu shows where the music is.
      case .question, .menu: break
      case .music:
        if status.wish == .playing {
          change = .seconds(1) - .nanoseconds(status.place.elapsed.nanoseconds % 1_000_000_000) + .milliseconds(1)
        }
      }
      if front == .music, let time = timeOfDay() { change = min(change, time.untilNextMinute) }
      if let end = volume.end(after: now), front == .music { change = min(change, end - now) }
      if front == .music, let end = facts().away?.nextChange(after: now) { change = min(change, end - now) }
      if let end = notices.nextChange(at: now) { change = min(change, end - now) }
      if let until = warned?.until, until > now, front == .music { change = min(change, until - now) }
      if let step = marquees.nextChange(after: drawnAt) { change = min(change, step - now) }
      // Until the end of a track there is as much left as there was, while it stands still.
      if case .time = status.sleep, let left = status.sleepsIn {
        change = min(change, NowPlaying.untilNextMinute(left))
      }
      next = change
    }
    if let look = device?.nextLook { next = min(next ?? .seconds(86_400), look - now) }
    return next.map { max($0, .milliseconds(1)) }
  }
}

extension Touch {
  fileprivate var isHold: Bool { if case .hold = self { true } else { false } }
}
