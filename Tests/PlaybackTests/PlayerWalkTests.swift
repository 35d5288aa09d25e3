import Formats
import Runtime
import TestSupport
import Testing

@testable import Playback

/// The player and a decoder on one random walk, with what must hold after every step.
private final class Walk {
  var player = Player()
  var decoder = DecoderModel()
  var random: SeededGenerator
  let seed: UInt64
  private var step = 0
  /// All that the decoder had done before the last command is known, so that the order can be judged.
  private var isCalm = false
  private var judged = 0
  private var faultsInARow = 0
  private(set) var pairsJudged = 0
  private(set) var faults: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    player.rules.unplayableLimit = 5
  }

  private func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds && faults.isEmpty { faults.append("seed \(seed), step \(step): \(what())") }
  }

  private func perform(_ actions: [Player.Action]) {
    for action in actions {
      if case .follow(.some(let entry)) = action {
        expect(player.queue.index(of: entry.id) != nil, "follows \(entry.id), which is not in the queue")
      }
      var new: [PlayQueue.Entry] = []
      if case .save(.queue(.appended(let entries))) = action { new = entries }
      if case .save(.queue(.inserted(let entries, _))) = action { new = entries }
      for entry in new {
        let good = Int.random(in: 0..<10, using: &random) < 6
        decoder.kinds[entry.id] = good ? .good : DecoderModel.File.allCases.randomElement(using: &random)
      }
      if case .notice(.fault) = action { faultsInARow += 1 }
      decoder.obey(action)
    }
  }

  private func command(_ only: Player.Command? = nil) {
    let ids = player.queue.entries.map(\.id) + [EntryID(number: 999_999)]
    let id = ids.randomElement(using: &random) ?? EntryID(number: 1)
    let paths = (0..<Int.random(in: 1...4, using: &random)).map { FilePath("/\($0)") }
    let commands: [Player.Command] = [
      .play, .play, .pause, .toggle, .stop, .next, .previous, .jump(to: id), .seek(to: .seconds(1)), .add(paths),
      .add(paths), .remove(id), .remove(player.current ?? id), .putBack(player.takenOut?.id ?? id), .clear,
      .repeats(.off), .repeats(.one), .repeats(.all),
      .turn(by: 3), .replace(Replacement(paths, first: 1)), .replace(Replacement(paths, plays: false)),
      .playAtOnce(paths),
    ]
    guard let command = only ?? commands.randomElement(using: &random) else { return }
    let spot = Spot(frame: Int64.random(in: 0...300_000, using: &random), rate: 44_100)
    let actions = player.perform(command, heard: spot)
    isCalm = false
    faultsInARow = 0
    perform(actions)
  }

  private func news() {
    guard let news = decoder.takeNews() else {
      isCalm = true
      if let last = decoder.heard.last, player.queue.index(of: last) != nil, player.wish == .playing {
        expect(player.current == last, "\(last) is heard, and \(player.current?.description ?? "none") is current")
      }
      return
    }
    if case .heard(_, player.generation) = news { faultsInARow = 0 }
    let before = player
    let actions = player.hear(news, heard: Spot(frame: 1_000, rate: 44_100))
    if news.generation != before.generation {
      expect(actions.isEmpty && player == before, "old news changed something: \(news)")
    }
    perform(actions)
  }

  /// By the queue alone: who may be heard after `id` when nobody interferes. A file that has broken in its middle may
  /// be passed over in the next round: its news cannot say which of two rounds it belongs to.
  private func expected(after id: EntryID) -> [EntryID] {
    if player.queue.repeats == .one, decoder.kinds[id] == .good { return [id] }
    var link = id
    var allowed: [EntryID] = []
    for _ in 0...player.queue.entries.count {
      guard let entry = player.queue.skip(from: link, by: 1) else { break }
      link = entry.id
      if decoder.kinds[link] == .breaksInside { allowed.append(link) }
      if decoder.kinds[link] == .good { return allowed + [link] }
    }
    return allowed
  }

  private func judgeOrder() {
    defer { judged = decoder.heard.count }
    guard decoder.heard.count > judged, isCalm, decoder.heard.count > 1 else { return }
    let (last, now) = (decoder.heard[decoder.heard.count - 2], decoder.heard[decoder.heard.count - 1])
    // While it repeats it is heard a second time or not, as the decoder was ahead.
    if player.queue.repeats == .one && decoder.kinds[last] == .breaksInside { return }
    // What broke and was removed had a moment of sound left.
    if player.queue.index(of: last) == nil && decoder.kinds[last] == .breaksInside { return }
    pairsJudged += 1
    expect(expected(after: last).contains(now), "after \(last) came \(now): \(player.queue.entries.map(\.id))")
  }

  private func check() {
    if let current = player.current {
      expect(player.queue.index(of: current) != nil, "current \(current) is not in the queue")
    } else {
      expect(player.queue.isEmpty, "nothing is current, and the queue has \(player.queue.entries.count)")
      expect(player.wish == .stopped, "nothing is current, and it is \(player.wish)")
    }
    if player.wish == .playing {
      expect(player.cue != nil, "it plays, and nothing is cued")
      expect(decoder.isPlaying, "it plays, and the sound pauses")
      expect(!decoder.isQuiet, "it plays, and nothing will come: \(String(describing: player.cue))")
    }
    if player.wish == .paused { expect(!decoder.isPlaying, "it pauses, and the sound plays") }
    // As many as have place in the ring, each behind a whole round of such as failed; and such as have no sound.
    let longest = 8 * (player.queue.entries.count + 1) + Player.silentLimit
    expect((player.cue?.chain.count ?? 0) < longest, "the chain grows: \(player.cue?.chain.count ?? 0)")
    let limit = player.queue.entries.count + 4 * player.rules.unplayableLimit + 8
    expect(faultsInARow <= limit, "\(faultsInARow) faults in a row, with \(player.queue.entries.count) entries")
  }

  func run(steps: Int, commandsOneIn: Int) {
    for number in 0..<steps where faults.isEmpty {
      step = number
      if player.wish != .playing, Int.random(in: 0..<20, using: &random) == 0 {
        if player.queue.entries.count < 4 { command(.add([FilePath("/a"), FilePath("/b"), FilePath("/c")])) }
        command(.play)
      }
      switch Int.random(in: 0..<commandsOneIn, using: &random) {
      case 0: command()
      case let choice where choice % 3 == 0: decoder.decode(&random)
      case let choice where choice % 3 == 1: decoder.listen()
      default: news()
      }
      judgeOrder()
      check()
    }
  }
}

extension Player.News {
  fileprivate var generation: UInt32? {
    switch self {
    case .opened(_, let generation, _), .failed(_, _, let generation), .heard(_, let generation),
      .drained(let generation):
      generation
    default: nil
    }
  }
}

@Suite("Player on a random walk")
struct PlayerWalkTests {
  @Test("whatever the order of commands and news, what is heard is what the queue says", arguments: [4, 12, 40, 150])
  func walk(commandsOneIn: Int) {
    var pairs = 0
    for seed in UInt64(1)...300 {
      let walk = Walk(seed: seed)
      walk.run(steps: 600, commandsOneIn: commandsOneIn)
      pairs += walk.pairsJudged
      for fault in walk.faults { Issue.record(Comment(rawValue: fault)) }
    }
    // A walk that never comes so far as to judge an order would prove nothing.
    #expect(pairs > 100)
  }
}
