import Runtime

/// The hotspot as the player sees it: a value that hears what the system tells of it and says what is to be done. It
/// lives as long as the program; the access point itself ends after ten minutes, whatever becomes of the player.
///
/// - off, failed: `start` asks for one
/// - starting: it begins, fails, or nothing is told of it for too long
/// - on: a network is chosen on its page, it is called off, or its time is over
/// - leaving: with a network that was chosen, which is joined when the radio is free
/// - joining: joined, or the hotspot comes back, once, with the reason on its page
package struct HotspotSession: Equatable, Sendable {
  /// One word of the unit's, and of which hotspot.
  package struct Told: Equatable, Sendable {
    package enum Word: String, Sendable { case starting, on, ended, radio, service, failed }

    package let word: Word
    package let id: String

    package init(_ word: Word, _ id: String) { (self.word, self.id) = (word, id) }

    package init?(_ bytes: [UInt8]) {
      let words = String(decoding: bytes.prefix { $0 != 0x0A }.prefix(40), as: UTF8.self).split(separator: " ")
      guard words.count == 2, let word = Word(rawValue: String(words[0])) else { return nil }
      self.init(word, String(words[1]))
    }
  }

  package enum Trouble: String, Sendable { case radio, service, failed }

  package enum Phase: Equatable, Sendable {
    case off
    case starting
    case on(until: Moment)
    case leaving
    case joining
    case failed(Trouble)
  }

  package enum Action: Equatable, Sendable {
    case write(HotspotWish)
    case end
    case join(StickSetup.Network)
  }

  /// As the unit has it.
  static let lasts: Duration = .seconds(600)
  /// Networks are looked for first, and then the radio changes.
  static let patience: Duration = .seconds(120)

  package private(set) var phase = Phase.off
  package private(set) var wish: HotspotWish?
  private var chosen: StickSetup.Network?
  private var since: Moment?

  package init() {}

  /// Somebody has to look after it.
  package var isUnderWay: Bool {
    switch phase {
    case .off, .failed: false
    case .starting, .on, .leaving, .joining: true
    }
  }

  /// The radio is the hotspot's.
  package var hasRadio: Bool {
    switch phase {
    case .off, .failed, .joining: false
    case .starting, .on, .leaving: true
    }
  }

  package mutating func start(_ wish: HotspotWish, at now: Moment) -> [Action] {
    guard !isUnderWay else { return [] }
    chosen = nil
    return write(wish, at: now)
  }

  private mutating func write(_ wish: HotspotWish, at now: Moment) -> [Action] {
    (self.wish, since, phase) = (wish, now, .starting)
    return [.write(wish)]
  }

  package mutating func stop(at now: Moment) -> [Action] {
    switch phase {
    case .starting, .on:
      (chosen, since, phase) = (nil, now, .leaving)
      return [.end]
    case .failed:
      phase = .off
      return []
    case .off, .leaving, .joining: return []
    }
  }

  /// `answer`: what was chosen on the page, if anything was.
  package mutating func hear(_ told: Told?, answer: StickSetup.Network?, at now: Moment) -> [Action] {
    let word = told.flatMap { $0.id == wish?.id ? $0.word : nil }
    let isLate = since.map { now - $0 > Self.patience } ?? true
    switch phase {
    case .starting:
      switch word {
      case .on: phase = .on(until: now + Self.lasts)
      case .ended: phase = .off
      case .radio: phase = .failed(.radio)
      case .service: phase = .failed(.service)
      case .failed: phase = .failed(.failed)
      case .starting, nil:
        guard isLate else { return [] }
        phase = .failed(.failed)
        return [.end]
      }
      return []
    case .on:
      guard word == .on else {
        phase = word == .failed ? .failed(.failed) : .off
        return []
      }
      guard let answer else { return [] }
      (chosen, since, phase) = (answer, now, .leaving)
      return [.end]
    case .leaving:
      guard word == nil || word == .ended || word == .failed || isLate else { return [] }
      guard let chosen else {
        phase = .off
        return []
      }
      phase = .joining
      return [.join(chosen)]
    case .off, .joining, .failed: return []
    }
  }

  package mutating func joined(_ outcome: SetupOutcome, at now: Moment) -> [Action] {
    guard phase == .joining, let wish else { return [] }
    phase = .off
    switch outcome {
    case .password, .unseen, .silent, .failed:
      // It comes back once: somebody who has gone away does not find a hotspot there for an hour.
      guard wish.failure == nil, let network = chosen?.ssid else { return [] }
      chosen = nil
      return write(wish.again(after: .init(network, outcome)), at: now)
    case .joining, .leaving, .done, .joined, .radio, .service, .refused: return []
    }
  }
}
