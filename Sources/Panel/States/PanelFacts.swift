import Runtime

/// What the panel knows of the device when it decides which states to tell. All of it is plain values, so that the rule
/// in `PanelState` can be tried as a table.
package struct PanelFacts: Equatable, Sendable {
  enum Hours: Equatable, Sendable {
    case open
    /// When it opens, if ever.
    case closed(KioskHours.Opening?)
  }

  /// Why the queue and the place in it are not saved.
  package struct Unsaved: Equatable, Sendable {
    /// Its disk has no room. Otherwise it cannot be written to.
    var isFull: Bool
    /// For the details page.
    var fault: Fault

    package init(_ fault: Fault) { (isFull, self.fault) = (fault.kind == .full, fault) }
  }

  package struct Import: Equatable, Sendable {
    var name: String
    var seen: Int
    /// 0 while the files are being counted.
    var total: Int
    var left: Duration?

    /// The count changes at most a hundred times in one import, and the time as `PanelWords.waited` rounds it.
    package init(_ name: String, seen: Int, total: Int, left: Duration? = nil) {
      let step = max(max(total, seen) / 100, 1)
      (self.name, self.total) = (name, total)
      self.seen = total > 0 && seen >= total ? total : seen / step * step
      self.left = left.map { PanelWords.waited($0) }
    }
  }

  /// A source that did not serve what was asked of it.
  package struct Away: Equatable, Sendable {
    package var source: String
    /// What plays, or comes next, is of that source.
    package var isPlayed = false
    /// Since when it has not served anything.
    package var since: Moment
    /// When it is tried again; nil when something has to happen first.
    var again: Moment?
    var code: String
    var message: String

    package init(_ source: String, since: Moment, again: Moment?, code: String, message: String) {
      (self.source, self.since, self.again, self.code, self.message) = (source, since, again, code, message)
    }

    private static let newsLasts: Duration = .seconds(60)

    /// It is told to everybody for a while; later to whoever listens to that source.
    func isNews(at now: Moment) -> Bool { now - since < Self.newsLasts }

    /// When what is said of it is otherwise by itself: it is no news any more, or one minute less is left until it is
    /// tried again.
    func nextChange(after now: Moment) -> Moment? {
      var ends = [since + Self.newsLasts]
      if let again, again > now {
        // In the last minute the panel tells no time: see `PanelWords.tried`.
        let minutes = ((again - now).milliseconds - 1) / 60_000
        ends.append(again - .seconds(minutes * 60))
      }
      return ends.filter { $0 > now }.min()
    }
  }

  var hours = Hours.open
  var lock = KioskLock.none
  var isSafe = false
  /// In safe mode nothing plays before somebody asks for it.
  var isSilent = false
  /// The sound device that is waited for.
  package var missingDevice: String?
  package var unsaved: Unsaved?
  package var importing: Import?
  package var away: Away?
  /// Nothing of what music is fetched from can be reached.
  var isOffline = false
  /// Networks can be chosen on the panel.
  package var joinsWireless = false
  /// Names of those.
  package var sources: [String] = []
  /// The label of one that is in; empty where it has none.
  package var stick: String?
  /// The folder from which the first music is taken, where the owner has named one.
  package var musicFolder: String?
  /// The library has music, and the queue is empty.
  var offersLibrary = false
  /// By a knob or a key that is held; fingers have a button for it.
  var menuIsHeld = false
  /// There is nothing to play, so a state has the whole screen.
  var isEmpty = true
  var now = Moment(nanoseconds: 0)

  package init(_ set: (inout PanelFacts) -> Void = { _ in }) { set(&self) }
}
