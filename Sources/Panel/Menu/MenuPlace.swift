import Library
import Runtime

/// Where on the panel somebody is. Each has a screen, and is gone to from another; the way back is the way there.
package enum MenuPlace: Equatable, Sendable {
  case menu
  case queue
  case library
  case list(List, named: String)
  case search
  case found(String)
  /// What can be done with it.
  case thing(Thing)
  /// A playlist to put it into.
  case playlistFor(Thing)
  case playlists
  case playlist(OwnPlaylist)
  case sleep
  case sound
  case equaliser
  /// The equaliser's own bands.
  case bands
  case settings
  /// The keys of one section.
  case settingsOf(String)
  case setting(SettingName)
  case downloads
  case download(DownloadID)
  case sticks
  case notices
  case about
  /// For a telephone to read.
  case code
  case sure(Question)
  case dial(Dial)

  /// It changes by time alone.
  var isMoving: Bool {
    switch self {
    case .downloads, .download: true
    default: false
    }
  }

  /// What it shows changes while somebody looks at it.
  var isLive: Bool {
    switch self {
    case .menu, .queue, .sleep, .sound, .equaliser, .playlists, .playlist, .playlistFor, .downloads, .download, .sticks,
      .notices, .about, .bands, .settings, .settingsOf, .setting:
      true
    default: false
    }
  }
}

/// A piece of music, or what leads to some.
package struct Thing: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// All that the list leads to.
    case all(List)
    /// A file of the library; `within`: the list that goes on behind it.
    case track(Int64, within: List?)
    case entry(UInt64)
  }

  package var kind: Kind
  package var title: String
  package var detail = ""

  package init(_ kind: Kind, _ title: String, _ detail: String = "") {
    (self.kind, self.title, self.detail) = (kind, title, detail)
  }
}

/// A playlist made on the device.
package struct OwnPlaylist: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var count: Int

  package init(id: Int64, name: String, count: Int) { (self.id, self.name, self.count) = (id, name, count) }
}

/// As whoever fetches knows it; for the panel only a name.
package struct DownloadID: Hashable, Sendable {
  package var text: String
  package var title: String

  package init(_ text: String, _ title: String) { (self.text, self.title) = (text, title) }
}

/// Asked once more before something is gone.
package struct Question: Equatable, Sendable {
  package var text: String
  package var wish: Wish
  /// What is pressed to do it.
  package var yes: Word

  package init(_ text: String, _ wish: Wish, yes: Word) { (self.text, self.wish, self.yes) = (text, wish, yes) }
}

/// A number that is turned.
package struct Dial: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case crossfade
    /// Of the equaliser, by its frequency.
    case band(Int)
    case setting(SettingName, unit: String)
  }

  package var subject: Subject
  package var value: Int
  package var range: ClosedRange<Int>
  package var step: Int

  package init(_ subject: Subject, _ value: Int, in range: ClosedRange<Int>, by step: Int = 1) {
    (self.subject, self.range, self.step) = (subject, range, max(step, 1))
    self.value = min(max(value, range.lowerBound), range.upperBound)
  }

  /// It stops at its ends.
  mutating func turn(by steps: Int) {
    // More turns than there are steps are as good as that many.
    let most = (range.upperBound - range.lowerBound) / step + 1
    let goal = value + min(max(steps, -most), most) * step
    value = min(max(goal, range.lowerBound), range.upperBound)
  }
}
