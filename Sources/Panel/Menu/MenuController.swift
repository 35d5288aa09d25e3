import Application
import Playback
import Runtime

/// The menu at work: takes what hands mean, looks up what it asks for, performs what was chosen, and says when there is
/// something else to be drawn. What belongs to one level is looked up one after the other, and no level waits for what
/// another one is slow with. Who leaves it alone for a while finds the music on the panel again.
@MainLoop
package final class MenuController {
  private var menu = Menu()
  private let shelf: MenuDataSource
  private let backend: any MenuBackend
  private let tell: @MainLoop (Fault) -> Void
  /// By the numbers of levels.
  private var asks: [Int: [Menu.Ask]] = [:]
  private var finding: [Int: Task<Void, Never>] = [:]
  private var listening: Attention?
  private var waitingActions: [MenuAction] = []
  private var fulfilling: Task<Void, Never>?
  private var leaving: Task<Void, Never>?
  /// Until another place of the music is gone to.
  private var resting: Task<Void, Never>?
  private var nextPlace: MenuAction?
  /// Until then the letter is shown that somebody goes by.
  private var lettersUntil: Moment?
  private var fading: Task<Void, Never>?
  /// While the next detent on the page *Go to* leads further than one does after a rest.
  private var stepping: Task<Void, Never>?
  private var lastTouch = Moment(nanoseconds: 0)
  /// What is shown has changed.
  package var changed: @MainLoop () -> Void = {}
  /// Gives the states of the device that hold now.
  var states: @MainLoop () -> [PanelState] {
    get { shelf.states }
    set { shelf.states = newValue }
  }
  /// Gives the time of day; nil while the clock is not to be believed.
  var timeOfDay: @MainLoop () -> TimeOfDay? {
    get { shelf.timeOfDay }
    set { shelf.timeOfDay = newValue }
  }
  /// Called when somebody opens the menu for the first time.
  package var wasOpened: (@MainLoop () -> Void)?
  /// Called when somebody comes to a list for the first time in whose rows a second press means something else, and when
  /// they have first pressed so.
  package var meetsSecondPress: (@MainLoop () -> Void)?
  package var pressedTwice: (@MainLoop () -> Void)?

  /// Whether the menu closed by itself a moment ago, so that what a hand does now was meant for the menu. True once.
  package func hasJustGone() -> Bool {
    defer { goneAt = nil }
    return goneAt.map { MainLoop.loop.now - $0 < Self.surprise } ?? false
  }

  private var goneAt: Moment?
  nonisolated static let surprise: Duration = .milliseconds(1_500)

  /// Nobody looks at it any more.
  nonisolated package static let patience: Duration = .seconds(60)
  /// The same of a page that somebody may just watch.
  nonisolated static let watches: Duration = .seconds(600)
  /// What changes by itself is looked at so often.
  nonisolated static let liveEvery: Duration = .seconds(1)
  nonisolated static let seeksEvery: Duration = .milliseconds(120)
  /// The letter stays for so long after the last move by letters.
  nonisolated static let letterStays: Duration = .seconds(1)

  package init(
    _ backend: any MenuBackend, _ manner: MenuContext = MenuContext(), settings table: SettingsTable,
    notices: NoticeBoard, status: @escaping @MainLoop () -> PlayerStatus,
    tell: @escaping @MainLoop (Fault) -> Void
  ) {
    self.backend = backend
    self.manner = manner
    self.tell = tell
    shelf = MenuDataSource(
      backend, MenuPages(manner, table), notices: notices,
      // `backend` outlives the menu: this object holds it.
      currentState: { [unowned backend] in
        MenuPages.Now(
          status: status(), notices: notices.newCount, sticks: backend.stickCount, fetches: backend.fetches,
          kiosk: backend.kiosk, isOffline: backend.isOffline, placeBefore: backend.placeBefore)
      })
  }

  /// When it allows less than before, the menu closes and the music is shown.
  package var manner: MenuContext {
    didSet {
      guard manner != oldValue else { return }
      shelf.pages.manner = manner
      if manner.rights != oldValue.rights, !manner.rights.isOwnerOrProgram { leave(oldValue.rights) }
      if manner.rights != oldValue.rights { menu.forgetSearch() }
      act(menu.refresh())
      changed()
    }
  }

  package var isOpen: Bool { menu.isOpen }

  /// Beside which a cover is to be looked for.
  func cover(of art: MenuArt) async -> FilePath? { await backend.cover(of: art) }

  /// A row that is pressed twice means something else than one that is pressed.
  package var rowsHaveMore: Bool { menu.top?.place.isOfMusic ?? false }

  /// A press on the row that is looked at opens its page at once, or has just done so; a second press soon after that
  /// means what else can be done with it.
  package var rowOpensAtOnce: Bool { menu.furtherPlace != nil || menu.top?.further != nil }

  /// Nil while the music is shown.
  package var shown: ShownMenu? {
    menu.top.map { level in
      var shown = ShownMenu(level, manner.words)
      guard case .rows(let window) = level.content, let until = lettersUntil, MainLoop.loop.now < until else {
        return shown
      }
      shown.letter = window.focused?.letter
      return shown
    }
  }

  /// A move by letters shows the one that it leads to; what is no turn ends that.
  private func showLetter(after move: Controls.MenuMove) {
    switch move {
    case .leap, .spin, .slide: lettersUntil = lastTouch + Self.letterStays
    case .turn, .down: return
    case .open, .close, .back, .press, .pressAgain, .more, .goTo, .at: lettersUntil = nil
    }
    guard fading == nil, lettersUntil != nil else { return }
    fading = MainLoop.start { [weak self] in
      while let until = self?.lettersUntil, MainLoop.loop.now < until {
        guard await MainLoop.loop.sleep(until: until) else { break }
      }
      self?.fading = nil
      self?.changed()
    }
  }

  /// Closes the menu and shows the music. A value that was being turned keeps its new setting.
  package func leave(_ rights: AccessRights? = nil) {
    guard menu.isOpen else { return }
    act(menu.close(), by: rights ?? manner.rights)
    settleAfterMoving()
  }

  package func move(_ move: Controls.MenuMove) {
    touch()
    showLetter(after: move)
    switch move {
    case .open:
      if !menu.isOpen { act(menu.open(.menu)) }
      wasOpened.take()?()
    case .close: act(menu.close())
    case .back: act(menu.back())
    case .press: act(menu.press())
    case .pressAgain: act(menu.pressAgain())
    case .more: act(menu.more())
    case .turn(let steps): act(menu.turn(by: steps, at: lastTouch))
    case .down(let rows): act(menu.down(by: rows, at: lastTouch))
    case .leap(let steps): act(menu.leap(by: steps, at: lastTouch))
    case .spin(let steps, let rows): act(menu.spin(by: steps, rows: rows))
    case .slide(let part): act(menu.slide(to: part, at: lastTouch))
    case .at(let place):
      guard manner.rights.allows(place) else { break }
      if !menu.isOpen { act(menu.open(.menu)) }
      act(menu.open(place))
      wasOpened.take()?()
    case .goTo: if manner.rights.allows(MenuPlace.goTo), menu.top?.place != .goTo { act(menu.open(.goTo)) }
    }
    if move == .more || move == .pressAgain { pressedTwice.take()?() }
    if rowsHaveMore { meetsSecondPress.take()?() }
    showStep()
    settleAfterMoving()
  }

  /// How far the next detent leads is shown as it is, also once the knob has rested.
  private func showStep() {
    guard stepping == nil, menu.stepChanges(after: lastTouch) != nil else { return }
    stepping = MainLoop.start { [weak self] in
      while let self, let due = self.menu.stepChanges(after: MainLoop.loop.now) {
        guard await MainLoop.loop.sleep(until: due) else { break }
        self.menu.settleStep(at: MainLoop.loop.now)
        self.changed()
      }
      self?.stepping = nil
    }
  }

  /// Lookups for levels that were left are dropped. Keys and the knob are learnt only on the pages that are for it.
  private func settleAfterMoving() {
    asks = asks.filter { menu.numbers.contains($0.key) }
    if menu.top?.place.listening != listening {
      listening = menu.top?.place.listening
      backend.listen(for: listening)
    }
    changed()
  }

  /// News for the page that learns a key or the knob.
  package func hear(_ heard: InputProgress) {
    guard let listening else { return }
    touch()
    act(menu.hear(heard, of: listening))
    settleAfterMoving()
  }

  /// Something that it may show is otherwise.
  package func refresh() {
    guard let level = menu.top, finding[level.number] == nil else { return }
    act(menu.refresh())
  }

  /// Music has come or gone, or stands otherwise. What is shown of it is looked up again within a second, however much
  /// changes meanwhile.
  package func musicHasChanged() { menu.musicHasChanged() }

  /// When nothing is looked up or done any more.
  package func settled() async {
    while let task = fulfilling ?? finding.first?.value { await task.value }
  }

  private func act(_ effects: [Menu.Effect]) { act(effects, by: manner.rights) }

  private func act(_ effects: [Menu.Effect], by rights: AccessRights) {
    for effect in effects {
      switch effect {
      case .ask(let ask, let number): lookUp(ask, number)
      // Nothing stands in the way of that.
      case .perform(.lock): backend.lock()
      case .perform(let action) where action.isSeeking: if rights.allows(action) { seek(action) }
      case .perform(let action): if rights.allows(action) { perform(action) }
      }
    }
  }

  private func lookUp(_ ask: Menu.Ask, _ number: Int) {
    if let sum = asks[number]?.last?.adding(ask) {
      asks[number]?.removeLast()
      asks[number]?.append(sum)
    } else {
      asks[number, default: []].append(ask)
    }
    guard finding[number] == nil else { return }
    finding[number] = MainLoop.start {
      await self.findAll(number)
      self.finding[number] = nil
    }
  }

  private func findAll(_ number: Int) async {
    while let ask = next(number) {
      do throws(Fault) { take(try await shelf.find(ask), ask, number) } catch {
        menu.failed(shelf.pages.words.reason(error), number: number)
      }
      changed()
    }
    asks[number] = nil
  }

  /// A leap begins where the one before it has led to.
  private func next(_ number: Int) -> Menu.Ask? {
    guard menu.numbers.contains(number), asks[number]?.isEmpty == false, let ask = asks[number]?.removeFirst() else {
      return nil
    }
    guard case .jump(let place, let steps, _) = ask else { return ask }
    return .jump(place, by: steps, from: menu.focusedKey(number))
  }

  private func take(_ found: MenuDataSource.Found, _ ask: Menu.Ask, _ number: Int) {
    switch found {
    case .rows(let rows, let goesOn, let goesBack, let isElsewhere):
      act(menu.came(rows, goesOn: goesOn, goesBack: goesBack, number: number, isElsewhere: isElsewhere))
    case .more(let rows, let isMore):
      guard case .more(_, let end, let key) = ask else { return }
      act(menu.came(more: rows, at: end, from: key, isMore: isMore, number: number))
    case .place(let dial): menu.came(dial, number: number, at: MainLoop.loop.now)
    case .letters(let letters, let found): menu.came(letters: letters, found: found, number: number)
    case .code(let code, let text, let lines): menu.came(code, text, beside: lines, number: number)
    case .unlocked(let refusal):
      act(menu.came(refusal, number: number))
      settleAfterMoving()
    case .nothing: break
    }
  }

  /// One after the other, in the order in which they were chosen.
  private func perform(_ action: MenuAction) {
    waitingActions.append(action)
    guard fulfilling == nil else { return }
    fulfilling = MainLoop.start {
      while !self.waitingActions.isEmpty {
        let action = self.waitingActions.removeFirst()
        do throws(Fault) { try await self.backend.perform(action) } catch { self.tell(error) }
      }
      self.fulfilling = nil
      self.refresh()
      self.changed()
    }
  }

  /// The first place is gone to at once. Of those that follow within a moment only the last is: a seek begins the piece
  /// anew and saves where it is, and a knob that is spun would ask for that a hundred times a second.
  private func seek(_ action: MenuAction) {
    guard resting == nil else {
      nextPlace = action
      return
    }
    perform(action)
    resting = MainLoop.start { [weak self] in
      await MainLoop.loop.sleep(for: Self.seeksEvery)
      guard let self else { return }
      self.resting = nil
      if let next = self.nextPlace.take() { self.seek(next) }
    }
  }

  private func touch() {
    lastTouch = MainLoop.loop.now
    guard leaving == nil else { return }
    leaving = MainLoop.start { [weak self] in
      while let self, self.menu.isOpen || MainLoop.loop.now - self.lastTouch < Self.liveEvery {
        guard await MainLoop.loop.sleep(for: Self.liveEvery) else { break }
        self.passTime()
      }
      self?.leaving = nil
    }
  }

  private func passTime() {
    let patience = menu.top?.place.isWatched == true ? Self.watches : Self.patience
    if MainLoop.loop.now - lastTouch >= patience {
      goneAt = MainLoop.loop.now
      return leave()
    }
    guard let place = menu.top?.place else { return }
    if place.isMoving || menu.isBehind || place.hasTimer && shelf.timerRuns { refresh() }
  }
}

extension MenuAction {
  fileprivate var isSeeking: Bool { if case .goTo = self { true } else { false } }
}
