import Canvas

/// A small sign at the top: that it does not play, how it goes on, when it falls asleep. What is off shows nothing, so
/// that there is no sign as a rule.
enum Mark: Equatable {
  /// What is not simply playing.
  case state(NowPlaying.State)
  case silent
  case repeats(one: Bool)
  case shuffle
  case sleep(minutes: Int?)
  case battery(NowPlaying.Battery)

  /// In the order in which they stand, and give way where there is no room.
  static func all(of now: NowPlaying) -> [Mark] { places.compactMap { at($0, of: now) } }

  static let places = 0..<7

  static func at(_ place: Int, of now: NowPlaying) -> Mark? {
    // A battery that is low is no matter of how much room there is.
    let battery = now.battery.map { (mark: Mark.battery($0), isLow: $0.isLow) }
    return switch (place, now.sleep) {
    case (0, _): now.state == .playing || now.count == 0 ? nil : .state(now.state)
    case (1, _): battery.flatMap { $0.isLow ? $0.mark : nil }
    case (2, _): now.volume == 0 && now.count > 0 ? .silent : nil
    case (3, _): now.repeatMode == .off ? nil : .repeats(one: now.repeatMode == .one)
    case (4, _): now.isShuffled ? .shuffle : nil
    case (5, .off): nil
    case (5, .unknown): .sleep(minutes: nil)
    case (5, .minutes(let minutes)): .sleep(minutes: minutes)
    default: battery.flatMap { $0.isLow ? nil : $0.mark }
    }
  }

  /// Beside the sign: two letters or three are all there is room for.
  var text: String {
    switch self {
    case .repeats(let one): one ? "1" : ""
    case .shuffle, .state, .silent: ""
    case .battery(let battery): battery.isLow ? "\(battery.level)" : ""
    case .sleep(nil): ""
    case .sleep(let minutes?): minutes < 100 ? "\(max(0, minutes))" : "\((minutes + 59) / 60)h"
    }
  }

  func draw(in rect: Rect, on canvas: Canvas, _ colour: Pixel, ground: Pixel) {
    switch self {
    case .repeats: Sign.repeats.draw(in: rect, on: canvas, colour)
    case .state(let state): Sign(state).draw(in: rect, on: canvas, colour)
    case .silent: Sign.silent.draw(in: rect, on: canvas, colour)
    case .shuffle: Sign.shuffle.draw(in: rect, on: canvas, colour)
    case .battery(let battery):
      Sign.drawBattery(
        level: battery.level, isPlugged: battery.isPlugged, in: rect, on: canvas, colour, ground: ground)
    case .sleep: Sign.moon.draw(in: rect, on: canvas, colour)
    }
  }
}
