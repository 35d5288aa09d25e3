import Audio
import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Playback

/// Somebody uses the player for hours of virtual time, at random, while files break, the device goes and comes, and
/// another sound speaks; what must always hold is looked at after every step.
private final class Hours {
  private var player: Player
  private var decoder = DecoderModel()
  private var random: SeededGenerator
  private let seed: UInt64
  private(set) var clock = Moment(nanoseconds: 0)
  private(set) var complaints: [String] = []
  private(set) var done: [String: Int] = [:]
  private var step = 0
  private var volume: Volume { player.volume }

  // What the sound does.
  private var gain: Double?
  private var sounding: (entry: EntryID, place: Duration)?
  private var generation: UInt32 = 0
  private var deviceIsLost = false
  private var everStarted: Set<EntryID> = []
  private var soundedFor: [EntryID: Duration] = [:]
  private var faultsInARow = 0
  /// Another sound has paused it, and nothing has happened since that ends that.
  private var waitsForOthers = false

  // What a store would have.
  private var base: [EntryID] = []
  private var order: [EntryID]?
  private var history: [History.PlayedEntry] = []
  private var bookmarks: [FilePath: Duration] = [:]
  private var former: FormerQueue?
  private var place:
    (entry: EntryID?, wish: Player.PlaybackState, percent: Int, isMuted: Bool, repeats: PlayQueue.Repeat)

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    player = Player(queue: PlayQueue(seed: seed), volume: Volume(percent: 40, maximum: 85))
    place = (nil, .stopped, 40, false, .off)
    player.rules.bookmarksAfter = .seconds(250)
    obey(player.resume(nil, at: .beginning, wish: .stopped))
  }

  private func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds && complaints.count < 5 {
      complaints.append("seed \(seed), step \(step), \(clock.nanoseconds / 1_000_000_000) s: \(what())")
    }
  }

  private func length(of id: EntryID) -> Duration {
    .seconds(5 + Int64((player.queue.chance.lot(of: id, round: 0) >> 8) % 300))
  }

  private var heard: Spot {
    if player.isHeard, let sounding, sounding.entry == player.current, generation == player.generation {
      return Spot(frame: sounding.place.milliseconds, rate: 1_000)
    }
    return Spot(frame: player.startAt.frame(atRate: 1_000), rate: 1_000)
  }

  // MARK: What happens

  private func pass(_ time: Duration) {
    clock = clock + time
    if decoder.isPlaying, !deviceIsLost, let now = sounding, player.isHeard, player.wish == .playing {
      sounding?.place += time
      soundedFor[now.entry, default: .zero] += time
    }
    let wasAwake = player.sleep.isOn
    obey(player.pass(to: clock, date: clock.nanoseconds / 1_000_000_000, heard: heard))
    if wasAwake && !player.sleep.isOn { waitsForOthers = false }
  }

  private func command() {
    let ids = player.queue.order.all
    let any = ids.randomElement(using: &random) ?? EntryID(number: 7)
    let paths = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      FilePath("/\(Int.random(in: 0..<30, using: &random))")
    }
    let number = Int.random(in: -5...60, using: &random)
    let commands: [(String, Player.Command)] = [
      ("play", .play), ("play", .play), ("play", .play), ("pause", .pause), ("toggle", .toggle), ("stop", .stop),
      ("next", .next), ("next", .next), ("previous", .previous), ("previous", .previous), ("skip", .skip(by: number)),
      ("skip", .skip(by: -number)), ("jump", .jump(to: any)), ("seek", .seek(to: .seconds(number))),
      ("volume", .setVolume(number * 3)), ("turn", .turn(by: number / 4 - 5)),
      ("turn", .turnFromAfar(by: number)), ("give way", .giveWay(to: "voice \(number % 3)", .duck)),
      ("give way", .giveWay(to: "call \(number % 2)", .pause)), ("go on", .giveWay(to: "voice \(number % 3)", nil)),
      ("go on", .giveWay(to: "call 0", nil)), ("go on", .giveWay(to: "call 1", nil)), ("mute", .mute(number > 30)),
      ("toggle mute", .toggleMute), ("add", .add(paths)), ("add", .add(paths)), ("play next", .playNext(paths)),
      ("remove", .remove(any)), ("remove", .remove(any)), ("put back", .putBack(player.takenOut?.id ?? any)),
      ("move", .move(any, to: number)),
      ("repeat", .repeats(PlayQueue.Repeat.allCases.randomElement(using: &random) ?? .off)),
      ("shuffle", .shuffle(number % 2 == 0)), ("sleep", .sleep(.time(.seconds(max(number, 0) * 10)))),
      ("sleep", .sleep(number % 2 == 0 ? .chapter : .track)), ("sleep", .sleep(.queue)), ("sleep", .sleep(nil)),
      ("forget", .forget(paths[0])),
      ("clear", number == 0 ? .clear : .play),
      (
        "replace",
        .replace(
          Replacement(
            paths, order: number % 3 == 0 ? .shuffled : .asBefore, first: number % 2 == 0 ? number % 4 : nil,
            at: number % 5 == 0 ? .seconds(number) : nil, plays: number % 7 != 0))
      ),
    ]
    guard var (name, command) = commands.randomElement(using: &random) else { return }
    // Who speaks is soon done, or nothing would ever go on.
    if let speaker = player.way.names.first, Bool.random(using: &random) {
      (name, command) = ("go on", .giveWay(to: speaker, nil))
    }
    done[name, default: 0] += 1
    faultsInARow = 0
    let before = player.volume.gain
    let wish = player.wish
    let actions = player.perform(command, heard: heard)
    obey(actions)
    judge(command, wish)
    // A program's wish makes nothing louder at once; a hand's does by a handful.
    if player.volume.gain > before + 1e-9, !wakes(command) {
      let part = min(85, cbrt(before) * 100 + Double(Volume.handful)) / 100
      if case .turn = command {
        expect(player.volume.gain <= part * part * part + 1e-9, "\(command) made it much louder at once")
      } else {
        expect(false, "\(command) made it louder at once: \(before) to \(player.volume.gain)")
      }
    }
    acknowledge(name)
  }

  /// Another sound's end starts only what its beginning has paused.
  private func judge(_ command: Player.Command, _ before: Player.PlaybackState) {
    switch command {
    case .giveWay(_, .some): if before == .playing && player.wish == .paused { waitsForOthers = true }
    case .giveWay(_, nil):
      if player.wish != before {
        expect(waitsForOthers && player.wish == .playing, "\(command) made it \(player.wish), which was \(before)")
        done["resumed", default: 0] += 1
        waitsForOthers = false
      }
    case .play, .pause, .toggle, .stop, .jump, .clear, .replace: waitsForOthers = false
    default: if player.wish != .paused { waitsForOthers = false }
    }
    expect(player.wish != .paused || !waitsForOthers || !player.way.names.isEmpty, "nobody speaks, and it waits")
  }

  /// Somebody who wants to be awake hears it as it was.
  private func wakes(_ command: Player.Command) -> Bool {
    switch command {
    case .sleep, .next, .skip, .clear, .remove: true
    default: false
    }
  }

  private func news() {
    guard var news = decoder.takeNews() else { return }
    switch news {
    case .opened(let id, let generation, _):
      news = .opened(
        id, generation: generation, Player.Item(length: length(of: id), isSpoken: id.number % 11 == 0))
    case .failed(_, _, player.generation):
      faultsInARow += 1
      done["failed", default: 0] += 1
    case .heard(let id, player.generation):
      faultsInARow = 0
      expect(everStarted.contains(id), "\(id) is heard, and was given to nobody")
      let starts = sounding?.entry != id || generation != player.generation || !player.isHeard
      sounding = (
        id, starts && !player.isHeard ? Spot(frame: player.startAt.frame(atRate: 1_000), rate: 1_000).elapsed : .zero
      )
      generation = player.generation
      done["heard", default: 0] += 1
    case .drained(player.generation): done["drained", default: 0] += 1
    default: break
    }
    let wasAwake = player.sleep.isOn
    obey(player.hear(news, heard: heard))
    if player.wish != .paused || wasAwake && !player.sleep.isOn { waitsForOthers = false }
  }

  private func device() {
    deviceIsLost.toggle()
    done["device", default: 0] += 1
    obey(player.hear(deviceIsLost ? .deviceLost(Fault(.missing, "T-9", "pulled")) : .deviceBack, heard: heard))
  }

  private func obey(_ actions: [Player.Action]) {
    for action in actions {
      switch action {
      case .start(let entry, _, let new):
        expect(new > generation || new == player.generation, "generation \(new) is started after \(generation)")
        expect(player.queue.contains(entry.id), "\(entry.id) is started, and is not in the queue")
        everStarted.insert(entry.id)
        sounding = nil
      case .follow(.some(let entry)):
        expect(player.queue.contains(entry.id), "\(entry.id) follows, and is not in the queue")
        expect(player.bookmarks.start(of: entry.path) == nil, "\(entry.id) follows from its beginning")
        everStarted.insert(entry.id)
      case .halt: sounding = nil
      case .gain(let new):
        expect(new <= volume.ceiling + 1e-12 && new <= Volume(percent: 85).gain, "the gain is \(new)")
        gain = new
      case .save(let change): save(change)
      case .savePlace:
        place = (player.current, player.wish, volume.percent, volume.isMuted, player.queue.repeats)
      default: break
      }
      decoder.obey(action)
    }
  }

  // MARK: What is saved

  private func save(_ change: Player.Change) {
    switch change {
    case .queue(let change): save(change)
    case .heard(let heard):
      expect(everStarted.contains(heard.entry), "\(heard.entry) was heard, and never started")
      let sounded = soundedFor[heard.entry] ?? .zero
      expect(heard.lasted <= sounded + .milliseconds(1), "heard for \(heard.lasted), and sounded \(sounded)")
      soundedFor[heard.entry] = .zero
      history = Array((history + [heard]).suffix(History.limit))
    case .bookmark(let path, let place):
      expect(place >= .zero, "a place before the beginning")
      bookmarks[path] = place
    case .noBookmark(let path): bookmarks[path] = nil
    case .former(let new): former = new
    case .origin: break
    }
  }

  private func save(_ change: PlayQueue.Change) {
    func put(_ id: EntryID, behind other: EntryID?, in list: inout [EntryID]) {
      list.removeAll { $0 == id }
      list.insert(id, at: other.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
    }
    switch change {
    case .appended(let entries):
      base += entries.map(\.id)
      for entry in entries { decide(entry.id) }
    case .inserted(let entries, var before):
      for entry in entries {
        put(entry.id, behind: before, in: &base)
        decide(entry.id)
        before = entry.id
      }
    case .moved(let id, let before): put(id, behind: before, in: &base)
    case .removed(let id):
      base.removeAll { $0 == id }
      order?.removeAll { $0 == id }
    case .cleared: (base, order) = ([], order.map { _ in [] })
    case .shuffled(let ids): order = ids
    case .placed(let id, let before):
      var list = order ?? []
      put(id, behind: before, in: &list)
      order = list
    case .unshuffled: order = nil
    case .readdressed: break
    }
  }

  private func decide(_ id: EntryID) {
    let good = Int.random(in: 0..<10, using: &random) < 7
    decoder.kinds[id] = good ? .good : DecoderModel.File.allCases.randomElement(using: &random)
  }

  /// A command has returned: all of it must be with the store by now.
  private func acknowledge(_ name: String) {
    expect(base == player.queue.base.all, "after \(name) the queue is saved otherwise")
    expect(order == (player.queue.isShuffled ? player.queue.order.all : nil), "after \(name) the order is")
    expect(history == player.history.heard, "after \(name) the history is")
    expect(former == player.former, "after \(name) the former queue is")
    let marks = player.bookmarks.marks
    expect(
      marks.allSatisfy { bookmarks[$0.path] == $0.place } && marks.count == bookmarks.count, "after \(name) bookmarks")
    expect(
      place.entry == player.current && place.wish == player.wish && place.percent == volume.percent
        && place.isMuted == volume.isMuted && place.repeats == player.queue.repeats,
      "after \(name) the place is saved otherwise: \(place), and is \(String(describing: player.current)) \(player.wish)"
    )
  }

  // MARK: What always holds

  private func check() {
    if let current = player.current {
      expect(player.queue.contains(current), "current \(current) is not in the queue")
    } else {
      expect(player.queue.isEmpty && player.wish == .stopped, "nothing is current of \(player.queue.count)")
    }
    let (base, order) = (player.queue.base, player.queue.order)
    expect(base.count == order.count && Set(base.all) == Set(order.all), "the orders have not the same entries")
    if player.wish == .playing {
      expect(player.cue != nil && decoder.isPlaying, "it plays, and nothing sounds")
      expect(!decoder.isQuiet, "it plays, and nothing will come: \(String(describing: player.cue))")
    } else if player.wish == .paused {
      expect(!decoder.isPlaying, "it pauses, and sounds")
    }
    expect(volume.gain <= volume.ceiling && volume.percent <= 85, "too loud")
    expect(player.wish != .playing || gain == volume.gain, "the sound has \(gain ?? -1), not \(volume.gain)")
    let limit = player.queue.count + 4 * player.rules.unplayableLimit + 8
    expect(faultsInARow <= limit, "\(faultsInARow) faults in a row with \(player.queue.count) entries")
    expect(player.history.heard.count <= History.limit && player.bookmarks.marks.count <= Bookmarks.limit, "unbounded")
    expect(player.items.count < 40, "\(player.items.count) items are kept")
    if let wait = player.nextPass(heard: heard) { expect(wait > .zero, "time is to be told at once, for ever") }
  }

  func run(steps: Int) {
    for number in 0..<steps where complaints.isEmpty {
      step = number
      if player.queue.count < 3 { obey(player.perform(.add([FilePath("/a"), FilePath("/b")]), heard: heard)) }
      switch Int.random(in: 0..<40, using: &random) {
      case 0...1: command()
      case 2: if Int.random(in: 0..<20, using: &random) == 0 { device() }
      case 3...14: decoder.decode(&random)
      case 15...24: if !deviceIsLost { decoder.listen() }
      case 25...36: news()
      case 37: pass(.seconds(Int.random(in: 0...90, using: &random)))
      default: pass(.milliseconds(Int.random(in: 0...300, using: &random)))
      }
      check()
    }
  }
}

@Suite("Hours of random use")
struct HourTests {
  /// `LAYBY_LONG=1` walks for an hour of this machine's time; `LAYBY_SEED=17` repeats one walk.
  @Test("keep what must always hold, and whatever was acknowledged is saved")
  func hours() {
    let only = getenv("LAYBY_SEED").flatMap { UInt64(String(cString: $0)) }
    let isLong = getenv("LAYBY_LONG") != nil
    let end = Moment.now + .seconds(3_600)
    var done: [String: Int] = [:]
    var virtual = Duration.zero
    for seed in only.map({ $0...$0 }) ?? 1...(isLong ? .max : 50) {
      let walk = Hours(seed: seed)
      walk.run(steps: isLong ? 10_000 : 2_000)
      done.merge(walk.done) { $0 + $1 }
      virtual += walk.clock - Moment(nanoseconds: 0)
      for complaint in walk.complaints { Issue.record(Comment(rawValue: complaint)) }
      if !walk.complaints.isEmpty || isLong && Moment.now > end { break }
    }
    print("\(virtual.components.seconds / 3_600) hours of use: \(done.sorted { $0.key < $1.key })")
    if only == nil { #expect(virtual > .seconds(3_600) && (done["heard"] ?? 0) > 100 && (done["drained"] ?? 0) > 5) }
    if only == nil { #expect((done["resumed"] ?? 0) > 10) }
  }
}
