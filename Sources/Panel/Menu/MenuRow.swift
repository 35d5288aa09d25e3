import Library
import Runtime

/// Where a row stands in a list that is longer than what is held of it.
package enum RowKey: Equatable, Sendable {
  case page(PageKey)
  /// In the queue, from 0.
  case index(Int)
}

/// Where music is, told by a small sign at the end of its row. What is simply here has none.
package enum MenuMark: Sendable {
  /// Fetched from a source, and kept.
  case stored
  /// Some of it is kept, and the rest is not wanted.
  case partly
  /// It is here since it was streamed, and goes when its room is needed.
  case cached
  /// It comes from the network while it plays.
  case streamed
  /// It is being fetched, to be kept.
  case coming
  /// It shall be kept, and nothing of it comes just now.
  case waits
  /// Its stick or disk is not in, or its source cannot be reached.
  case away

  var sign: Sign {
    switch self {
    case .stored: .stored
    case .partly: .partly
    case .cached: .cached
    case .streamed: .streamed
    case .coming: .coming
    case .waits: .later
    case .away: .away
    }
  }

  /// Said aloud where it is not seen.
  var word: Word {
    switch self {
    case .stored: .isKept
    case .partly: .isPartlyKept
    case .cached: .isCached
    case .streamed: .streams
    case .coming: .running
    case .waits: .waiting
    case .away: .notHere
    }
  }
}

/// What has a cover.
package enum MenuArt: Hashable, Sendable {
  case album(Int64)
  /// Of the library.
  case track(Int64)
  /// What plays, or will: a file, or the address of a stream.
  case file(FilePath)
  /// What a source has.
  case offer(OfferID)
}

/// What a page is about, told in its first row: an album, who plays it, and when it came out.
package struct MenuHead: Equatable, Sendable {
  package var name: String
  package var artist = ""
  package var facts: [String] = []

  /// What stands between two facts of one line.
  static let between = " · "

  package init(_ name: String, artist: String = "", facts: [String] = []) {
    (self.name, self.artist, self.facts) = (name, artist, facts)
  }
}

/// One line of a list on the panel.
package struct MenuRow: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    case open(MenuPlace)
    case perform(MenuAction)
    case back
    /// To the screen of what plays.
    case music
    /// It only says something.
    case none
  }

  /// At its end: it leads on, it is the one that counts now, or so far along.
  package enum Sign: Equatable, Sendable {
    case none, leadsOn, current
    case progress(part: Int64, of: Int64)
  }

  package var title: String
  package var detail = ""
  /// How it stands, at the end of the line.
  package var value = ""
  package var sign = Sign.none
  /// Where its music is, where that is worth a sign.
  package var mark: MenuMark?
  /// It is not here now, or less than the rows around it.
  package var isDim = false
  package var action = Action.none
  /// What else can be done with it: pressed twice, or held by a finger.
  package var more: MenuPlace?
  /// Whose cover stands beside it, on panels that have room for that.
  package var art: MenuArt?
  /// It stands for all of the page, and says what that is.
  package var head: MenuHead?
  /// Part of a text: where it is looked at all of it is shown, however many lines that takes.
  package var isText = false
  /// It does something with all that it stands among, and is none of that.
  var isBeside = false
  /// This row comes and goes, so it stands above the row at which its page opens: all others stay as many clicks away.
  var isAbove = false
  /// Nil for those that are the panel's own.
  package var key: RowKey?
  /// What it stands under in a list that is in the order of its names.
  package var letter: String?

  package init(_ title: String, _ action: Action = .none, _ set: (inout MenuRow) -> Void = { _ in }) {
    (self.title, self.action) = (title, action)
    if case .open = action { sign = .leadsOn }
    set(&self)
  }

  /// Something is less after it, or somebody is asked whether it shall be.
  var takesAway: Bool {
    switch action {
    case .perform(let action): action.takesAway
    case .open(.sure): true
    case .open, .back, .music, .none: false
    }
  }

  /// Both are the same thing, which may be called otherwise by now, or stand otherwise.
  func isSame(as other: MenuRow) -> Bool {
    switch (more, other.more) {
    case (.thing(let one), .thing(let two)): one.kind == two.kind
    case (.playlistEntry(let one, _), .playlistEntry(let two, _)): one.id == two.id
    default: action == other.action && title == other.title
    }
  }

  /// Two presses lead to something else than one.
  var hasSecondPress: Bool { more.map { action != .open($0) } ?? false }

  init(_ word: Word, _ words: PanelWords, _ action: Action = .none, _ set: (inout MenuRow) -> Void = { _ in }) {
    self.init(words[word], action, set)
  }
}
