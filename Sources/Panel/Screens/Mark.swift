import Canvas

/// A small sign at the top: that it does not play, what is not as usual, how it goes on, when it falls asleep. What is
/// off shows nothing, so that there is no sign as a rule.
enum Mark: Equatable {
  /// What is not simply playing.
  case state(NowPlaying.State)
  /// What music is fetched from does not answer, or nothing of it can be reached.
  case offline
  /// The music of a stick is taken in; how much of it, where that is known.
  case importing(percent: Int?)
  /// Something is wrong, and has been told.
  case warning
  case silent
  case repeats(one: Bool)
  case shuffle
  case sleep(minutes: Int?)
  /// Music that was asked for is on its way.
  case fetching
  case battery(NowPlaying.Battery)

  /// The most urgent first: so they stand, and those at the end give way where there is no room.
  static func all(of now: NowPlaying) -> [Mark] { places.compactMap { at($0, of: now) } }

  static let places = 0..<10
  /// What these say is wrong or stands still; the others say how it goes on.
  static let urgentPlaces = 0..<4

  static func at(_ place: Int, of now: NowPlaying) -> Mark? {
    let battery = now.battery.map { (mark: Mark.battery($0), isLow: $0.isLow) }
    // With nothing to play a state has the screen already.
    let state = now.count > 0 ? now.told : nil
    let told = state?.kind
    return switch (place, now.sleep) {
    case (0, _): battery.flatMap { $0.isLow ? $0.mark : nil }
    case (1, _): now.state == .playing || now.count == 0 ? nil : .state(now.state)
    case (2, _): now.count > 0 && now.condition == .offline || told == .serverAway ? .offline : nil
    case (3, _):
      state?.isWarning == true ? .warning : told == .importing ? .importing(percent: state?.percent) : nil
    case (4, _): now.volume == 0 && now.count > 0 ? .silent : nil
    case (5, _): now.repeatMode == .off ? nil : .repeats(one: now.repeatMode == .one)
    case (6, _): now.isShuffled ? .shuffle : nil
    case (7, .off): nil
    case (7, .unknown): .sleep(minutes: nil)
    case (7, .minutes(let minutes)): .sleep(minutes: minutes)
    case (8, _): now.isFetching ? .fetching : nil
    default: battery.flatMap { $0.isLow ? nil : $0.mark }
    }
  }

  static func isUrgent(_ now: NowPlaying) -> Bool { urgentPlaces.contains { at($0, of: now) != nil } }

  /// Beside the sign: two letters or three are all there is room for.
  var text: String {
    switch self {
    case .repeats(let one): one ? "1" : ""
    case .shuffle, .state, .silent, .offline, .warning, .importing(nil), .fetching: ""
    case .importing(let percent?): "\(percent) %"
    case .battery(let battery): battery.isLow ? "\(battery.level)" : ""
    case .sleep(nil): ""
    case .sleep(let minutes?): minutes < 100 ? "\(max(0, minutes))\u{2032}" : "\((minutes + 59) / 60)h"
    }
  }

  func draw(in rect: Rect, on canvas: Canvas, _ colour: Pixel, ground: Pixel) {
    switch self {
    case .repeats: Sign.repeats.draw(in: rect, on: canvas, colour)
    case .state(let state): Sign(state).draw(in: rect, on: canvas, colour)
    case .offline: Sign.offline.draw(in: rect, on: canvas, colour)
    case .warning: Sign.drawWarning(in: rect, on: canvas, colour, mark: ground)
    case .importing: Sign.importing.draw(in: rect, on: canvas, colour)
    case .fetching: Sign.coming.draw(in: rect, on: canvas, colour)
    case .silent: Sign.silent.draw(in: rect, on: canvas, colour)
    case .shuffle: Sign.shuffle.draw(in: rect, on: canvas, colour)
    case .battery(let battery):
      Sign.drawBattery(
        level: battery.level, isPlugged: battery.isPlugged, in: rect, on: canvas, colour, ground: ground)
    case .sleep: Sign.moon.draw(in: rect, on: canvas, colour)
    }
  }
}
