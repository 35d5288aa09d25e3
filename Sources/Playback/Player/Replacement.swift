import Runtime

/// What is to be played in place of the queue, in one command. The new queue, its order, where it begins, where it was
/// chosen and what becomes of the old queue are saved in one transaction: a power cut leaves the old queue with its
/// place, or the new one with its own. The old queue is kept as the former queue, unless it is a single song.
package struct Replacement: Equatable, Sendable {
  /// In which order it is played: as whoever chose it says, or else as the last one was.
  package enum PlayOrder: Equatable, Sendable {
    case asBefore, inOrder, shuffled
    /// Shuffled, and in this order of `files`, each by its index.
    case shuffledAs([Int])
  }

  package var files: [FilePath]
  package var order: PlayOrder
  /// Which of `files` is played first, from 0; nil is the first of the order that is played.
  package var first: Int?
  /// Where in that file it begins; nil is where a long one was left, and the beginning of every other.
  package var place: Duration?
  /// Where the files were chosen; nil for those that were put there by hand.
  package var origin: Origin?
  /// Plays at once; otherwise the new queue is stopped.
  package var plays: Bool
  /// `files` are the former queue, and what is replaced is the former one from then on, whatever it is.
  package var isExchange: Bool

  package init(
    _ files: [FilePath], order: PlayOrder = .asBefore, first: Int? = nil, at place: Duration? = nil,
    from origin: Origin? = nil, plays: Bool = true, isExchange: Bool = false
  ) {
    self.files = files
    self.order = order
    self.first = first
    self.place = place
    self.origin = origin
    self.plays = plays
    self.isExchange = isExchange
  }

  /// The former queue as it was left: its order, the entry and the place in it. What it replaces can be had back in the
  /// same way.
  package init(back former: FormerQueue, from origin: Origin? = nil) {
    self.init(
      former.files, order: former.order.map { .shuffledAs($0.map { Int($0) }) } ?? .inOrder, first: former.index,
      at: former.place, from: origin, isExchange: true)
  }
}
