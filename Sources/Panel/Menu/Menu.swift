import Canvas
import Library
import Runtime

/// Where somebody is on the panel, and the way there: a value that takes what hands do and says what has to be looked up
/// or done. With no level it is the music that is shown.
///
/// What is looked up comes later, under a number; what comes for a level that was left is not looked at.
package struct Menu: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case rows(RowWindow)
    case wheel(LetterWheel)
    case dial(Dial)
    case place(PlaceDial)
    /// Nil until it is made; empty where it cannot be.
    case code(Code?, String, [String] = [])
    /// What was heard of the hands so far.
    case heard(InputProgress)
  }

  package struct Level: Equatable, Sendable {
    package let place: MenuPlace
    package var content: Content
    /// Of what was asked for last.
    var number: Int
    /// How often music had changed when it was looked up.
    var changes = 0
    /// What else could be done with the row whose press has opened this.
    var further: MenuPlace?
    /// The row that gets the focus as soon as the page has it, unless somebody turns the knob before.
    var awaited: Awaited?
  }

  package enum Awaited: Equatable, Sendable {
    case entry(UInt64)
    /// A row that the page did not have before.
    case new
  }

  package enum Ask: Equatable, Sendable {
    /// From the beginning.
    case rows(MenuPlace)
    /// The same part of it, as it is now, with as many rows of the list; nil: it begins where the list does.
    case again(MenuPlace, from: RowKey?, count: Int)
    /// The part of it in which an entry of the queue stands.
    case around(MenuPlace, entry: UInt64)
    /// Behind a row, or before it.
    case more(MenuPlace, RowWindow.End, from: RowKey)
    /// To the letter that is so many letters on from the row's.
    case jump(MenuPlace, by: Int, from: RowKey?)
    /// To the letter that stands so far down among all of the list, from 0 to 1.
    case letter(MenuPlace, at: Double)
    case letters(String)
    /// The same in what a source has.
    case offerLetters(String, of: String)
    case alphabet(Writing)
    /// What whoever helps has to know; or the address at which somebody signs in to a source.
    case code(signingInTo: String?)
    /// For joining the board's own access point; or in words why there is none.
    case hotspotCode
    /// Whether it is the PIN.
    case unlock(String)
  }

  package enum Effect: Equatable, Sendable {
    case ask(Ask, number: Int)
    case perform(MenuAction)
  }

  /// Levels that can be open at once. Only who goes from artists to their albums and back again comes so far.
  static let deepest = 24

  package private(set) var levels: [Level] = []
  private var lastNumber = 0
  /// How often music has come, gone or got another sign.
  private var changes = 0
  /// What was found last, as it was when it was left. It is there again for whoever searches next.
  private var found: Level?

  package init() {}

  package var isOpen: Bool { !levels.isEmpty }
  package var top: Level? { levels.last }
  /// Of what may still come.
  package var numbers: Set<Int> { Set(levels.map(\.number)) }
  /// Music has changed since what is shown of it was looked up.
  var isBehind: Bool { levels.last.map { $0.place.followsMusic && $0.changes != changes } ?? false }

  // MARK: Hands

  package mutating func open(_ place: MenuPlace) -> [Effect] {
    guard levels.count < Self.deepest else { return [] }
    lastNumber += 1
    let number = lastNumber
    if let found, place.search != nil, found.place == place { return reopen(found, number) }
    switch place {
    case .dial(let dial):
      levels.append(Level(place: place, content: .dial(dial), number: number))
      return []
    case .search:
      levels.append(Level(place: place, content: .wheel(LetterWheel(before: before(on: place))), number: number))
      return [.ask(.letters(""), number: number)]
    case .searchOffers(let source):
      levels.append(Level(place: place, content: .wheel(LetterWheel(before: before(on: place))), number: number))
      return [.ask(.offerLetters("", of: source), number: number)]
    case .write(let writing):
      levels.append(Level(place: place, content: .wheel(LetterWheel(typed: "", writing)), number: number))
      return [.ask(.alphabet(writing), number: number)]
    case .learning, .knob:
      levels.append(Level(place: place, content: .heard(InputProgress()), number: number))
      return []
    case .code:
      levels.append(Level(place: place, content: .code(nil, ""), number: number))
      return [.ask(.code(signingInTo: nil), number: number)]
    case .signInCode(let source):
      levels.append(Level(place: place, content: .code(nil, ""), number: number))
      return [.ask(.code(signingInTo: source), number: number)]
    case .hotspotCode:
      levels.append(Level(place: place, content: .code(nil, ""), number: number))
      return [.ask(.hotspotCode, number: number)]
    default:
      levels.append(Level(place: place, content: .rows(RowWindow()), number: number, changes: changes))
      return [.ask(.rows(place), number: number)]
    }
  }

  /// One level up; from the first to the music. What was turned there is as it was before: a press would have kept it.
  package mutating func back() -> [Effect] {
    remember()
    guard let left = levels.popLast() else { return [] }
    return Self.undone(left) + refresh()
  }

  /// What a search has found, if some of it is open, stays for whoever searches next.
  private mutating func remember() {
    guard let level = levels.first(where: { $0.place.search != nil }), case .rows(let window) = level.content,
      window.focused != nil
    else { return }
    found = level
  }

  /// The rows and the one that was looked at are there at once; then they are looked up as they are now.
  private mutating func reopen(_ level: Level, _ number: Int) -> [Effect] {
    var level = level
    (level.number, level.further, level.awaited, level.changes) = (number, nil, nil, changes)
    levels.append(level)
    guard case .rows(let window) = level.content else { return [] }
    return [.ask(again(level.place, window), number: number)]
  }

  /// What was written in the last search of this page, if all that it found is still known.
  private func before(on place: MenuPlace) -> String? {
    found?.place.search.flatMap { $0.on == place ? $0.typed : nil }
  }

  /// Somebody else stands there now, and is not told what was looked for.
  mutating func forgetSearch() { found = nil }

  private static func undone(_ left: Level) -> [Effect] {
    switch (left.place, left.content) {
    case (.dial(let before), .dial(let dial)) where dial.isLive && dial != before: [.perform(.setDial(before))]
    case (_, .place(let dial)) where dial.isTurned: [.perform(dial.going(to: dial.start))]
    default: []
    }
  }

  /// What was turned counts only then: music that is changed begins anew each time.
  private static func kept(_ left: Level?) -> [Effect] {
    guard let left, case .dial(let dial) = left.content, left.place != .dial(dial), !dial.isLive else { return [] }
    return [.perform(.setDial(dial))]
  }

  /// To the music. What was turned stays as it is seen.
  package mutating func close() -> [Effect] {
    remember()
    defer { levels = [] }
    return Self.kept(levels.last)
  }

  /// `now` counts only for a place in the music: how quickly the knob is turned says how far it goes.
  package mutating func turn(by steps: Int, at now: Moment = Moment(nanoseconds: 0)) -> [Effect] {
    guard let level = levels.last else { return [] }
    levels[levels.count - 1].awaited = nil
    switch level.content {
    case .rows(var window):
      window.turn(by: steps)
      return put(.rows(window)) + wanted()
    case .wheel(var wheel):
      wheel.turn(by: steps)
      return put(.wheel(wheel))
    case .dial(var dial):
      let before = dial
      dial.turn(by: steps)
      return put(.dial(dial)) + (dial.isLive && dial != before ? [.perform(.setDial(dial))] : [])
    case .place: return go { $0.turn(by: steps, at: now) }
    case .code, .heard: return []
    }
  }

  /// When the page that turns the knob into a place is to be looked at again, because nobody has turned it; nil for none.
  func stepChanges(after now: Moment) -> Moment? {
    guard case .place(let dial)? = levels.last?.content else { return nil }
    return dial.stepChanges(after: now)
  }

  /// What the next detent does there, if nobody turned until now.
  mutating func settleStep(at now: Moment) {
    guard case .place(var dial)? = levels.last?.content else { return }
    dial.settle(at: now)
    _ = put(.place(dial))
  }

  /// To another place in the music, which is heard at once.
  private mutating func go(_ change: (inout PlaceDial) -> Void) -> [Effect] {
    guard let level = levels.last, case .place(var dial) = level.content else { return [] }
    let before = dial.place
    change(&dial)
    return put(.place(dial)) + (dial.place == before ? [] : [.perform(dial.going(to: dial.place))])
  }

  /// A finger lies on the line of the time, or at a long list's edge: so much of the whole.
  package mutating func slide(to part: Double, at now: Moment) -> [Effect] {
    guard let level = levels.last, case .rows(let window) = level.content else {
      return go { $0.slide(to: part, at: now) }
    }
    guard level.place.hasLetters, !window.isLoading, part.isFinite else { return [] }
    return [.ask(.letter(level.place, at: min(max(part, 0), 1)), number: level.number)]
  }

  /// A knob that moves a list by this many rows a detent is turned too fast to read them, so it goes from letter to
  /// letter.
  static let rowsOfALetter = 3

  /// The knob is spun in a long list.
  package mutating func spin(by steps: Int, rows: Int) -> [Effect] {
    guard let level = levels.last, level.place.hasLetters, abs(rows) / Self.rowsOfALetter >= abs(steps) else {
      return turn(by: rows)
    }
    return leap(by: steps)
  }

  /// What points down leads to the next row and to a smaller number.
  package mutating func down(by rows: Int, at now: Moment = Moment(nanoseconds: 0)) -> [Effect] {
    switch levels.last?.content {
    case .dial, .place: return turn(by: -rows, at: now)
    case .rows, .wheel, .code, .heard, nil: return turn(by: rows)
    }
  }

  /// Turned while pressed: by letters where a list has some, else by more at once.
  package mutating func leap(by steps: Int, at now: Moment = Moment(nanoseconds: 0)) -> [Effect] {
    guard let level = levels.last else { return [] }
    if case .place = level.content { return go { $0.leap(by: steps, at: now) } }
    let steps = min(max(steps, -1_000), 1_000)
    if level.place.hasLetters, case .rows(let window) = level.content, !window.isLoading {
      return [.ask(.jump(level.place, by: steps, from: window.focused?.key), number: level.number)]
    }
    return turn(by: steps * 5)
  }

  package mutating func press() -> [Effect] {
    guard let level = levels.last else { return [] }
    levels[levels.count - 1].awaited = nil
    switch level.content {
    // What is not seen is not chosen; it is looked for again.
    case .rows(let window) where window.trouble != nil:
      levels[levels.count - 1].content = .rows(RowWindow())
      levels[levels.count - 1].changes = changes
      return [.ask(.rows(level.place), number: level.number)]
    case .rows(let window):
      switch window.focused?.action {
      case .open(let place):
        let (further, count) = (furtherPlace, levels.count)
        let effects = open(place)
        if levels.count > count { levels[count].further = further }
        return effects
      case .perform(let action): return perform(action)
      case .back: return back()
      case .music: return close()
      case nil, .some(.none): return []
      }
    // What a press keeps is what is seen, also of what is done at once.
    case .dial: return Self.kept(levels.popLast()) + refresh()
    case .code, .heard: return back()
    // It stays there, and the music is shown.
    case .place:
      levels = []
      return []
    case .wheel(var wheel):
      if wheel.focused == .results { return written(wheel, in: level) }
      guard wheel.choose() else { return put(.wheel(wheel)) }
      lastNumber += 1
      levels[levels.count - 1].number = lastNumber
      let ask: Ask =
        if case .searchOffers(let source) = level.place { .offerLetters(wheel.typed, of: source) } else {
          .letters(wheel.typed)
        }
      return put(.wheel(wheel)) + [.ask(ask, number: lastNumber)]
    }
  }

  /// The page of what else can be done with the row that is looked at, if a press on the row opens another page.
  var furtherPlace: MenuPlace? {
    guard let level = levels.last, !level.place.isOfMusic, case .rows(let window) = level.content,
      let row = window.focused, case .open = row.action, row.hasSecondPress
    else { return nil }
    return row.more
  }

  /// A press right after another one, which has opened this page. What both together mean is shown in its place.
  package mutating func pressAgain() -> [Effect] {
    guard let further = levels.last?.further else { return press() }
    levels.removeLast()
    return open(further)
  }

  /// What else can be done with the row that is looked at; one with nothing else is pressed.
  package mutating func more() -> [Effect] {
    guard case .rows(let window)? = levels.last?.content, let place = window.focused?.more else { return press() }
    return open(place)
  }

  /// What was written counts.
  private mutating func written(_ wheel: LetterWheel, in level: Level) -> [Effect] {
    switch wheel.writing {
    case nil:
      let typed = wheel.typed.isEmpty ? wheel.before ?? "" : wheel.typed
      guard case .searchOffers(let source) = level.place else { return open(.found(typed)) }
      return open(.offers(OfferQuery(source, nil, typed: typed)))
    case .pin: return [.ask(.unlock(wheel.typed), number: level.number)]
    case .playlistName(let playlist):
      levels.removeLast()
      // It is called otherwise now.
      if case .playlist = levels.last?.place { levels.removeLast() }
      return [.perform(.renamePlaylist(playlist.id, wheel.typed))]
    case .newPlaylist(let thing):
      levels.removeLast()
      if thing != nil { leaveWhatAsks() }
      if thing == nil, !levels.isEmpty { levels[levels.count - 1].awaited = .new }
      return [.perform(.makePlaylist(wheel.typed, with: thing))]
    case .wirelessPassword(let name):
      levels.removeLast()
      return [.perform(.joinNetwork(name, password: wheel.typed))]
    case .setting(let entry):
      levels.removeLast()
      return [.perform(.choose(entry.name, wheel.typed))]
    }
  }

  /// Music that is wanted now is looked at now; what was asked twice is over; all else stays where it is.
  private mutating func perform(_ action: MenuAction) -> [Effect] {
    switch action {
    case .play, .shuffleAll, .jump, .goTo, .playPlaylist, .playEntry, .playFormer, .lock: _ = close()
    case .playNext, .addToQueue, .removeEntry, .add, .addPlaylistToQueue, .dropDownload, .removeFromPlaylist,
      .dismissSmartDownload,
      .move, .clearQueue, .keep, .stopKeeping, .copyStick, .ejectStick, .unbind, .forgetKey, .forgetKnob, .joinNetwork,
      .forgetNetwork:
      leaveWhatAsks()
    // The code stands on a page of its own, as soon as there is something to join.
    case .startHotspot: return [.perform(action)] + open(.hotspotCode)
    case .stopHotspot: if levels.last?.place == .hotspotCode { levels.removeLast() }
    // Where it stood is far from the row that puts it back.
    case .putBack(let entry): if !levels.isEmpty { levels[levels.count - 1].awaited = .entry(entry) }
    case .deletePlaylist:
      leaveWhatAsks()
      if case .playlist = levels.last?.place { levels.removeLast() }
    default: break
    }
    return [.perform(action)]
  }

  /// Of the list that it is about it is still known where it was.
  private mutating func leaveWhatAsks() {
    while let level = levels.last {
      switch level.place {
      case .thing, .playlistFor, .sure, .download, .playlistEntry, .stick, .key, .qualities: levels.removeLast()
      default: return
      }
    }
  }

  // MARK: What was looked up

  /// Where the looked at row of a level stands.
  func focusedKey(_ number: Int) -> RowKey? {
    guard let index = index(number), case .rows(let window) = levels[index].content else { return nil }
    return window.focused?.key
  }

  /// Some music has come, gone, or stands otherwise.
  mutating func musicHasChanged() { changes += 1 }

  /// Something may be otherwise than it is shown.
  package mutating func refresh() -> [Effect] {
    guard let level = levels.last, level.place.isLive || isBehind else { return [] }
    if level.place == .hotspotCode { return [.ask(.hotspotCode, number: level.number)] }
    if case .place = level.content { return [.ask(.again(level.place, from: nil, count: 0), number: level.number)] }
    guard case .rows(let window) = level.content, !window.isLoading else { return [] }
    levels[levels.count - 1].changes = changes
    if case .entry(let entry)? = level.awaited {
      return [.ask(.around(level.place, entry: entry), number: level.number)]
    }
    return [.ask(again(level.place, window), number: level.number)]
  }

  /// The part of it that is held.
  private func again(_ place: MenuPlace, _ window: RowWindow) -> Ask {
    let first = window.goesBack ? window.edge(.before) : nil
    return .again(place, from: first, count: window.rows.count { $0.key != nil })
  }

  private func index(_ number: Int) -> Int? { levels.lastIndex { $0.number == number } }

  /// `isElsewhere`: another part than was shown before.
  package mutating func came(
    _ rows: [MenuRow], goesOn: Bool = false, goesBack: Bool = false, number: Int, isElsewhere: Bool = false
  ) -> [Effect] {
    guard let index = index(number) else { return [] }
    // What plays now has no places.
    if case .place = levels[index].content { levels[index].content = .rows(RowWindow()) }
    guard case .rows(var window) = levels[index].content else { return [] }
    if isElsewhere { window.begin() }
    let shown = levels[index].place.keepsOrder ? window.inOrder(rows) : rows
    let old = window.rows
    window.show(shown, goesOn: goesOn, goesBack: goesBack)
    let isThere =
      switch levels[index].awaited {
      case .entry(let entry)?: window.look(atEntry: entry)
      case .new?: window.lookAtNew(since: old)
      case nil: false
      }
    if isThere { levels[index].awaited = nil }
    levels[index].content = .rows(window)
    return index == levels.count - 1 ? wanted() : []
  }

  /// What came behind a row, or before it; that row is still where it was, or this is nothing to be shown.
  package mutating func came(
    more rows: [MenuRow], at end: RowWindow.End, from key: RowKey, isMore: Bool, number: Int
  ) -> [Effect] {
    guard let index = index(number), case .rows(var window) = levels[index].content, window.asked == end,
      window.edge(end) == key
    else { return [] }
    window.extend(end, by: rows, isMore: isMore)
    levels[index].content = .rows(window)
    return index == levels.count - 1 ? wanted() : []
  }

  /// Where the music is. That of another piece is begun anew.
  mutating func came(_ dial: PlaceDial, number: Int, at now: Moment) {
    guard let index = index(number) else { return }
    guard case .place(var old) = levels[index].content, old.entry == dial.entry else {
      levels[index].content = .place(dial)
      return
    }
    old.hear(dial.place, at: now)
    levels[index].content = .place(old)
  }

  package mutating func came(letters: [String], found: LetterWheel.Preview, number: Int) {
    guard let index = index(number), case .wheel(var wheel) = levels[index].content else { return }
    wheel.offer(letters, found: found)
    levels[index].content = .wheel(wheel)
  }

  /// What came of typing a PIN: nil when it was right and the rows behind it open, else why it was refused.
  package mutating func came(_ refusal: String?, number: Int) -> [Effect] {
    guard let index = index(number), case .wheel(var wheel) = levels[index].content else { return [] }
    guard let refusal else {
      levels.removeSubrange(index...)
      return refresh()
    }
    wheel.refuse(MenuRow(refusal))
    levels[index].content = .wheel(wheel)
    return []
  }

  /// News for the page that learns a key or the knob. It closes when that is done.
  package mutating func hear(_ heard: InputProgress, of listening: Attention) -> [Effect] {
    guard let level = levels.last, level.place.listening == listening else { return [] }
    if heard.isOver {
      levels.removeLast()
      return refresh()
    }
    return put(.heard(heard))
  }

  package mutating func came(_ code: Code?, _ text: String, beside lines: [String] = [], number: Int) {
    guard let index = index(number), case .code = levels[index].content else { return }
    levels[index].content = .code(code, text, lines)
  }

  package mutating func failed(_ why: String, number: Int) {
    guard let index = index(number) else { return }
    switch levels[index].content {
    case .rows(var window):
      window.fail(why)
      levels[index].content = .rows(window)
    case .wheel(var wheel):
      wheel.fail()
      levels[index].content = .wheel(wheel)
    case .dial, .place, .code, .heard: break
    }
  }

  private mutating func put(_ content: Content) -> [Effect] {
    levels[levels.count - 1].content = content
    return []
  }

  private mutating func wanted() -> [Effect] {
    guard let level = levels.last, case .rows(var window) = level.content, let end = window.wants(),
      let key = window.edge(end)
    else { return [] }
    _ = put(.rows(window))
    return [.ask(.more(level.place, end, from: key), number: level.number)]
  }
}

extension PlaceDial {
  fileprivate func going(to goal: Duration) -> MenuAction { .goTo(goal, entry: entry, turnedFrom: start) }
}

extension Menu.Ask {
  /// Both in one, where it is the same to look up both.
  func adding(_ other: Menu.Ask) -> Menu.Ask? {
    switch (self, other) {
    case (.jump(let place, let steps, let from), .jump(let next, let more, _)) where place == next:
      return .jump(place, by: min(max(steps + more, -1_000), 1_000), from: from)
    case (.letter(let place, _), .letter(let next, _)) where place == next: return other
    case (.again(let place, _, _), .again(let next, _, _)) where place == next: return other
    default: return nil
    }
  }
}
