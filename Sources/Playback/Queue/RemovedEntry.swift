/// An entry that was taken out of the queue, and where it stood, for whoever wants it back. It comes back under its own
/// id, so what is known of that id holds again: where it was chosen, and that it was heard.
struct RemovedEntry: Equatable, Sendable {
  var entry: PlayQueue.Entry
  /// Its place in the order in which the queue was put together, from 0.
  let place: Int
  /// Its place in the shuffled round that was played then; nil when the queue was not shuffled.
  let turn: Turn?

  struct Turn: Equatable, Sendable {
    let place: Int
    let round: UInt64
  }
}
