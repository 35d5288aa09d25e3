import Canvas
import Pictures
import Runtime

/// All that a menu's screen shows. Two equal values are the same picture.
package struct ShownMenu: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// Some of the rows, the one that is looked at among them; how many there are besides them is not shown.
    case rows([MenuRow], focus: Int, goesOn: Bool, goesBack: Bool)
    case wheel(LetterWheel)
    case dial(Dial)
    case place(PlaceDial.Shown)
    /// The rows of a code for a telephone's eye, and what it says; beside it what a person can type instead.
    case code(Code, beside: [String])
    case heard(InputProgress)
    /// Nothing can be turned to, and why.
    case words(String)
  }

  package var title = ""
  /// Beside the title: "3/12", where that is known.
  package var place = ""
  package var content = Content.words("")
  /// Those that are here, of the rows that are shown.
  package var covers: [MenuArt: Picture] = [:]
  package var hint = ""
  /// The same for fingers.
  package var touchHint = ""
  /// The hint does not hold for the row that is looked at; its room stays, so that no row moves.
  package var isHintLeftOut = false
  package var notice: String?
  var noticeInShort: String?
  package var noticeStands = false
  /// What the row stands under that is looked at, while somebody goes through the list by letters.
  package var letter: String?
  /// A finger at its edge goes from letter to letter.
  package var hasLetters = false
  /// Its title is a question, which is read to its end.
  package var isAsking = false

  package init(_ set: (inout ShownMenu) -> Void = { _ in }) { set(&self) }

  /// More rows than any panel has room for, so that how many there is does not depend on it.
  static let most = 24

  init(_ level: Menu.Level, _ words: PanelWords) {
    title = level.place.title(words)
    if case .sure = level.place { isAsking = true }
    switch level.content {
    case .rows(let window):
      (content, place) = Self.rows(window, words)
      hasLetters = level.place.hasLetters && isLong
      if level.place.isOfMusic || level.place.isOfAlbums, window.rows.contains(where: { $0.more != nil }) {
        (hint, touchHint) = (words[.pressTwice], words[.holdRow])
        isHintLeftOut = !(window.focused?.hasSecondPress ?? false)
      }
    case .wheel(let wheel):
      content = .wheel(wheel)
      title = wheel.title(beside: title, words)
      place = wheel.found.count
      hint = wheel.words(for: wheel.focused, words)
      if case .letter = wheel.focused { touchHint = words[wheel.isWritten ? .tapDone : .tapLetters] }
    case .dial(let dial):
      content = .dial(dial)
      (hint, touchHint) = (words[.dialHint], words[.slideToSet])
    case .place(let dial):
      content = .place(dial.shown)
      (hint, touchHint) = (words[.goToHint], words[.slideToGo])
    case .code(let code?, _, let lines):
      content = .code(code, beside: lines)
      hint = words[.scanIt]
    case .heard(let heard): content = .heard(heard.text.isEmpty ? InputProgress(level.place.asks(words)) : heard)
    case .code(nil, let text, _): content = .words(text.isEmpty ? words[.looking] : text)
    }
  }

  private static func rows(_ window: RowWindow, _ words: PanelWords) -> (Content, String) {
    if let trouble = window.trouble { return (.words(trouble), "") }
    guard !window.rows.isEmpty else { return (.words(words[window.isLoading ? .looking : .nothingHere]), "") }
    let first = max(min(window.focus - most / 2, window.rows.count - most), 0)
    let part = Array(window.rows[first...].prefix(most))
    let isWhole = !window.goesOn && !window.goesBack
    let place = isWhole ? Self.place(window) : ""
    let goesOn = window.goesOn || first + part.count < window.rows.count
    return (.rows(part, focus: window.focus - first, goesOn: goesOn, goesBack: window.goesBack || first > 0), place)
  }

  /// In a list the counter counts the rows of the list. On a page of the panel it counts every row that can be chosen, but
  /// for texts, Back, and rows that act on the whole list.
  private static func place(_ window: RowWindow) -> String {
    let hasKeys = window.rows.contains { $0.key != nil }
    func counts(_ row: MenuRow) -> Bool {
      if hasKeys { return row.key != nil }
      return row.action != .back && !row.isText && !row.isBeside && row.head == nil
    }
    let all = window.rows.count(where: counts)
    guard all > 1, let focused = window.focused, counts(focused) else { return "" }
    return "\(window.rows[...window.focus].count(where: counts))/\(all)"
  }
}

extension LetterWheel {
  /// What is written ends when somebody says so; what is searched for is found meanwhile.
  var isWritten: Bool { writing != nil && choices.first == .results }

  /// The title of a page where somebody writes: "PIN: 12", or only "12" where both together would be too long.
  func title(beside asked: String, _ words: PanelWords) -> String {
    if typed.isEmpty { return asked }
    guard writing != nil, TextPieces.columns(asked + shown) <= Self.longestTitle else { return shown }
    return "\(asked)\(words[.colon])\(words.isolated(shown))"
  }

  /// In columns: as much as the smallest panel shows beside its way back.
  private static let longestTitle = 16

  /// What a press on it does.
  func words(for choice: Choice?, _ words: PanelWords) -> String {
    switch choice {
    case .results where isWritten: return words[.done]
    case .results where leadsBack: return words.filled(.backTo, before ?? "")
    // What has no room below the letters is in the list that it leads to.
    case .results: return found.rows.count > 1 ? words.filled(.allResults, found.count) : words[.results]
    case .space: return words[.space]
    case .delete: return words[.deleteLetter]
    case .letter: return words[isWritten ? .doneHint : .typeHint]
    case nil: return words[.nothingHere]
    }
  }
}

extension MenuPlace {
  /// What hands are asked to do there.
  func asks(_ words: PanelWords) -> String {
    switch listening {
    case .key: words[.pressKey]
    case .knob: words[.turnSlowly]
    case nil: words[.looking]
    }
  }

  func title(_ words: PanelWords) -> String {
    switch self {
    case .menu: words[.menu]
    case .more: words[.others]
    case .queue: words[.queue]
    case .library: words[.library]
    case .list(_, let name): name
    case .search: words[.search]
    case .found(let typed): words.labelled(.found, typed)
    case .thing(let thing): thing.title
    case .playlistFor: words[.addToPlaylist]
    case .playlists: words[.playlists]
    case .playlist(let playlist): playlist.name
    case .playlistEntry(let track, _): track.title
    case .goTo: words[.goTo]
    case .chapters: words[.chapters]
    case .sleep: words[.sleepTimer]
    case .sound: words[.sound]
    case .equaliser: words[.equaliser]
    case .normaliser: words[.normaliser]
    case .bands: words[.bands]
    case .settings: words[.settings]
    case .settingsOf(let section): words.settings.name(ofSection: section)
    case .setting(let name): words.settings.name(of: name)
    case .settingIn(_, let region): region
    case .write(.playlistName): words[.rename]
    case .write(.newPlaylist): words[.newPlaylist]
    case .write(.setting(let entry)): words.settings.name(of: entry.name)
    case .write(.pin): words[.enterPIN]
    case .write(.wirelessPassword(let name)): words.filled(.passwordOf, name)
    case .wireless: words[.wireless]
    case .hotspot, .hotspotCode: words[.setUpByPhone]
    case .keys: words[.keys]
    case .keysOf(let meaning): words.name(of: meaning)
    case .key(let name, _): words.name(of: name)
    case .learning(let meaning): words.name(of: meaning)
    case .knob: words[.knob]
    case .smart: words[.smart]
    case .storage: words[.storage]
    case .storageDetails: words[.forHelp]
    case .sources: words[.sources]
    case .licences: words[.licences]
    case .account(let source), .signInCode(let source): source
    case .stick(let stick): stick.label
    case .code: words[.forHelp]
    case .keep: words[.keepOffline]
    case .source(let name), .searchOffers(let name): name
    case .offers(let query): query.title(words)
    case .offer(let id): id.title
    case .qualities: words[.quality]
    case .downloads: words[.downloads]
    case .download(let download): download.title
    case .sticks: words[.sticks]
    case .notices, .notice, .state: words[.notices]
    case .about: words[.about]
    case .erasing: words[.eraseDevice]
    case .signs: words[.signs]
    case .sure(let question): question.text
    case .dial(let dial): dial.subject.title(words)
    }
  }
}

extension Dial {
  func text(_ words: PanelWords) -> String { subject.text(of: value, words) }
}

extension Dial.Subject {
  func text(of value: Int, _ words: PanelWords) -> String {
    if case .hours = self { return DayHours.clock(value) }
    let unit = unit(words)
    return unit == "%" ? words.percent("\(value)") : "\(value) \(unit)"
  }

  func title(_ words: PanelWords) -> String {
    switch self {
    case .crossfade: words[.crossfade]
    case .volume: words[.volume]
    case .band(let hertz): OwnCurve.name(ofBand: hertz)
    case .setting(let name, _): words.settings.name(of: name)
    case .hours(_, .from, _): words[.from]
    case .hours(_, .until, _): words[.until]
    }
  }

  func unit(_ words: PanelWords) -> String {
    switch self {
    case .crossfade: words[.seconds]
    case .volume: "%"
    case .band: "dB"
    case .setting(_, let unit): unit
    case .hours: ""
    }
  }
}
