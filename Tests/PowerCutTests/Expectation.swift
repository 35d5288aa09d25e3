import Remote
import Runtime

/// What somebody was told of the player, and so what must be there again after a cut.
struct Known: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var id: Int64
    var path: String
  }

  var queue: [Entry] = []
  var nextID: Int64 = 1
  var current: Int64?
  var position = 0.0
  var state = "stopped"
  /// Nil as long as nobody has said.
  var volume: Int64?
  var repeats = "off"
  /// When that was so.
  var at = Moment.now

  mutating func take(status: JSON?) {
    current = status?["entry"]?.whole
    position = status?["position_s"]?.double ?? 0
    state = status?["state"]?.string ?? ""
    volume = status?["volume"]?.whole
    repeats = status?["repeat"]?.string ?? ""
    at = .now
  }

  mutating func take(list answer: JSON) {
    queue = (answer["entries"]?.items ?? []).map {
      Entry(id: $0["id"]?.whole ?? 0, path: $0["path"]?.string ?? "")
    }
  }

  /// The queue as the command shall leave it.
  mutating func change(_ command: Walk.Command) {
    switch command {
    case .add(let paths):
      for path in paths {
        queue.append(Entry(id: nextID, path: path))
        nextID += 1
      }
    case .playNext(let paths):
      var place = queue.firstIndex { $0.id == current }.map { $0 + 1 } ?? 0
      for path in paths {
        queue.insert(Entry(id: nextID, path: path), at: place)
        nextID += 1
        place += 1
      }
    case .move(let number, let place): queue.insert(queue.remove(at: number - 1), at: place - 1)
    case .remove(let number): queue.remove(at: number - 1)
    case .clear: queue = []
    default: break
    }
  }
}

/// Holds what a restart found against what was known before the cut.
struct Verdict {
  var before: Known
  /// Sent, and not answered when the power went: it may have happened or not.
  let underWay: Walk.Command?
  let cutAt: Moment
  /// How long lives that began after the first cut, and were cut as well, can have played on.
  var livedAgain: Duration = .zero
  let seconds: [String: Double]
  /// Seconds of position that may be lost.
  var mostLost = 5.0
  /// It plays on while the last answer is on its way.
  static let gainedAtMost = 1.0

  func complaints(about found: Known) -> [String] {
    var complaints: [String] = []
    func expect(_ isRight: Bool, _ what: @autoclosure () -> String) { if !isRight { complaints.append(what()) } }

    var after = before
    if let underWay { after.change(underWay) }
    expect(
      found.queue == before.queue || found.queue == after.queue || isBehindAnother(found),
      "the queue is \(found.queue), and was \(before.queue) before \(String(describing: underWay))")
    expect(
      before.volume == nil || found.volume == before.volume || underWay?.volume == found.volume,
      "the volume is \(found.volume ?? -1), and was \(before.volume ?? -1)")
    expect(
      found.repeats == before.repeats || underWay?.repeats == found.repeats,
      "repeat is \(found.repeats), and was \(before.repeats)")
    expect(
      found.state == before.state || underWay?.states.contains(found.state) == true || queueMayHaveEnded(found),
      "it is \(found.state), and was \(before.state)")
    expect(
      isInPlace(found) || movedBy(underWay, found) || queueMayHaveEnded(found),
      "it is at \(found.position) s of entry \(found.current ?? 0), and was at \(before.position) s of entry "
        + "\(before.current ?? 0), \((cutAt - before.at).milliseconds) ms before the cut")
    return complaints
  }

  /// "Next" may mean another by the time it is heard, when the music has gone on meanwhile.
  private func isBehindAnother(_ found: Known) -> Bool {
    guard case .playNext(let paths) = underWay, before.state == "playing" else { return false }
    let (new, old) = (found.queue.filter { $0.id >= before.nextID }, found.queue.filter { $0.id < before.nextID })
    return old == before.queue && new.map(\.path) == paths
  }

  /// Seconds from the beginning of the queue, as it plays through.
  private func along(_ known: Known, in queue: [Known.Entry]) -> Double? {
    guard let index = queue.firstIndex(where: { $0.id == known.current }) else { return nil }
    return queue[..<index].reduce(known.position) { $0 + (seconds[$1.path] ?? 0) }
  }

  private var mostGained: Double {
    guard before.state == "playing" || underWay?.states.contains("playing") == true else { return 0.1 }
    return Double((cutAt - before.at).milliseconds) / 1_000 + mostGainedAfterwards
  }

  private var mostGainedAfterwards: Double { Double(livedAgain.milliseconds) / 1_000 + Self.gainedAtMost }

  private func isInPlace(_ found: Known) -> Bool {
    guard let was = along(before, in: before.queue) else { return found.current == before.current }
    guard let now = along(found, in: before.queue) else { return false }
    let span = -mostLost...mostGained
    if span.contains(now - was) { return true }
    // Going round, the end lies before the beginning.
    let current = before.queue.first { $0.id == before.current }
    let round =
      switch before.repeats {
      case "all": before.queue.reduce(0) { $0 + (seconds[$1.path] ?? 0) }
      case "one": current.flatMap { seconds[$0.path] } ?? 0
      default: 0.0
      }
    return round > 0 && (span.contains(now - was + round) || span.contains(now - was - round))
  }

  /// At the beginning of what comes first, stopped: that is how a queue ends.
  private func queueMayHaveEnded(_ found: Known) -> Bool {
    guard before.state == "playing", before.repeats == "off", let was = along(before, in: before.queue) else {
      return false
    }
    let whole = before.queue.reduce(0) { $0 + (seconds[$1.path] ?? 0) }
    return was + mostGained >= whole && found.state == "stopped" && found.current == before.queue.first?.id
      && found.position == 0
  }

  /// A command under way may have brought it to a new beginning, or to the place that was sought.
  private func movedBy(_ command: Walk.Command?, _ found: Known) -> Bool {
    switch command {
    case .seek(let place):
      found.current == before.current && (place...place + mostGainedAfterwards).contains(found.position + 0.01)
    case .next, .previous, .jump, .remove, .clear, .add, .playNext: found.position <= mostGainedAfterwards
    default: false
    }
  }
}
