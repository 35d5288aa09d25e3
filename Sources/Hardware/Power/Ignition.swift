import Runtime

/// What the car's ignition (ACC) means for the board. A value: edges of the line and time come in, with the kernel's
/// moments; what is to be done comes out, in order.
///
/// Cranking drops the line for seconds, so nothing is believed before it has lasted; only the session is saved at the
/// first falling edge, because nobody knows how long the power will stay. A level counts from its last edge on: a line
/// that was high for a moment begins its time anew, so the board is never switched off while somebody turns the key.
///
/// A line that is low from the start on (a bench, a car whose battery was connected again) was never seen to fall. The
/// music rests then too, but the board stays on for half an hour at least: long enough for whoever sits at the bench to
/// read why, and short enough for the car's battery. A line that is gone (its chip was unplugged) stays as it was.
package struct Ignition: Sendable {
  package struct Rules: Equatable, Sendable {
    /// So long the line must be low before the music rests.
    package var debounce: Duration = .seconds(4)
    /// So long the music rests before the board is switched off.
    package var offAfter: Duration = .seconds(60)

    package init() {}

    package init(debounce: Duration, offAfter: Duration) { (self.debounce, self.offAfter) = (debounce, offAfter) }
  }

  package enum Action: String, Equatable, Sendable {
    /// Where the music is becomes durable.
    case save
    /// The music pauses, the panel dims.
    case rest
    /// All of that is undone.
    case wake
    case powerOff
    /// The line is back, but the board is already being switched off.
    case tooLate
    /// Told once: the line swings as no key does.
    case bounces
  }

  package enum State: String, Sendable {
    /// Nobody has told of the line yet.
    case unknown
    case on
    /// Off, but perhaps only while it cranks.
    case falling
    case resting
    /// Off since the start.
    case benched
    case leaving
  }

  /// So long the line must be high to count: less is noise on a wire.
  package static let steady: Duration = .milliseconds(300)
  /// Off from the start on, the board stays on for at least so long.
  package static let benchDelay: Duration = .seconds(1_800)
  /// A switching off that did not come is tried again after so long.
  package static let triesAgainAfter: Duration = .seconds(600)
  /// Saves are at least so far apart; each that follows another soon doubles that, for the sake of the card.
  package static let savesApart: Duration = .seconds(1)
  package static let longestApart: Duration = .seconds(64)
  /// After so long without a save the next falling edge is saved at once.
  package static let calm: Duration = .seconds(10)
  /// Saves so far apart are made for a line that swings.
  private static let isSwinging: Duration = .seconds(16)

  private let rules: Rules
  /// The line's last level, and since when.
  private var level: (isOn: Bool, since: Moment)?
  private var wasOn = false
  private var isResting = false
  private var isLeaving = false
  private var notBefore: Moment?
  private var lastSave: Moment?
  private var apart = Ignition.savesApart
  private var owesSave = false
  private var hasToldOfBouncing = false
  private var hasToldTooLate = false

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  // MARK: What is told

  /// An edge, or how the line stands when it is opened. What has lasted is not judged here but in `settle`: a reader
  /// that comes late has all edges first, and does nothing that a later edge has undone.
  package mutating func hear(_ isOn: Bool, at moment: Moment) -> [Action] {
    if let level, level.isOn == isOn { return [] }
    let isFirst = level == nil
    // Of one moment, or out of order: time does not go back.
    level = (isOn, max(moment, level?.since ?? moment))
    if isOn {
      guard isLeaving, !hasToldTooLate else { return [] }
      hasToldTooLate = true
      return [.tooLate]
    }
    if isFirst || isLeaving { return [] }
    return saveOrOwe(at: moment)
  }

  /// What has lasted long enough by `now`, a moment up to which all edges are known.
  package mutating func settle(by now: Moment) -> [Action] {
    var actions: [Action] = []
    if let due = saveDue, due <= now { actions += save(at: now) }
    guard let level, !isLeaving else { return actions }
    if level.isOn {
      guard level.since + Self.steady <= now else { return actions }
      wasOn = true
      notBefore = nil
      if isResting { actions.append(.wake) }
      isResting = false
      return actions
    }
    if !isResting, level.since + rules.debounce <= now {
      isResting = true
      actions.append(.rest)
    }
    if isResting, let off = offDue, off <= now {
      isLeaving = true
      lastSave = now
      owesSave = false
      // Whatever was done since the line fell is kept too.
      actions += [.save, .powerOff]
    }
    return actions
  }

  /// Call it when the board is still on although it was to be switched off.
  package mutating func stayed(at now: Moment) {
    isLeaving = false
    notBefore = now + Self.triesAgainAfter
  }

  // MARK: What will be

  package var state: State {
    guard let level else { return .unknown }
    if isLeaving { return .leaving }
    if isResting { return wasOn ? .resting : .benched }
    return level.isOn ? .on : .falling
  }

  package var isOn: Bool? { level?.isOn }

  /// What happens next if the line stays as it is, and when.
  package var next: (action: Action, at: Moment)? {
    guard let level, !isLeaving else { return nil }
    if level.isOn { return isResting || !wasOn ? (.wake, level.since + Self.steady) : nil }
    if !isResting { return (.rest, level.since + rules.debounce) }
    return offDue.map { (.powerOff, $0) }
  }

  /// When `settle` has something to do although no edge comes.
  package var due: Moment? { [next?.at, saveDue].compactMap { $0 }.min() }

  /// When the board is switched off, should the line stay low.
  package var offDue: Moment? {
    guard let level, !level.isOn else { return nil }
    let delay = rules.debounce + rules.offAfter
    return max(level.since + (wasOn ? delay : max(delay, Self.benchDelay)), notBefore ?? level.since)
  }

  // MARK: Saves

  private var saveDue: Moment? { owesSave ? lastSave.map { $0 + apart } : nil }

  private mutating func saveOrOwe(at moment: Moment) -> [Action] {
    if let lastSave, moment < lastSave + apart {
      owesSave = true
      return []
    }
    return save(at: moment)
  }

  private mutating func save(at moment: Moment) -> [Action] {
    let isSoon = lastSave.map { moment - $0 < max(Self.calm, apart * 2) } ?? false
    apart = isSoon ? min(apart * 2, Self.longestApart) : Self.savesApart
    lastSave = moment
    owesSave = false
    guard apart >= Self.isSwinging, !hasToldOfBouncing else { return [.save] }
    hasToldOfBouncing = true
    return [.save, .bounces]
  }
}
