import Audio
import Glibc
import Hardware
import Panel
import Playback
import Runtime

/// The program from its lines to its device, in a process that is this program once more. A hand on the main thread
/// makes edges, and what came of them is told in a line of JSON.
///
///     bench --hands FOLDER DETENTS
enum InputRig {
  static let word = "--hands"
  /// What is measured, of each detent or press.
  enum Figure: String, CaseIterable {
    case order, turned, played, saved, processor

    var words: String {
      switch self {
      case .order: "a detent, to the order to the sound"
      case .turned: "a detent, to the first changed frame"
      case .played: "the play button, 5 ms debounced, to the first frame"
      case .saved: "the ignition's first falling edge, to the session on the disk"
      case .processor: "a detent, the main loop's processor time"
      }
    }

    var unit: Unit { self == .processor ? .microseconds : .milliseconds }

    var goal: Goal {
      switch self {
      case .order: .below(2)
      case .turned, .played: .below(30)
      case .saved: .below(100)
      case .processor: .none
      }
    }
  }

  private static let patience: Duration = .seconds(5)

  static func run(_ words: [String]) -> Int32 {
    guard words.count == 2, let detents = Int(words[1]), detents > 0 else { return EX_USAGE }
    // Nobody waits for longer.
    alarm(300)
    do throws(Fault) {
      print(try measure(FilePath(words[0]), detents))
      fflush(nil)
      _exit(0)
    } catch {
      print(error)
      fflush(nil)
      _exit(1)
    }
  }

  private static func measure(_ home: FilePath, _ detents: Int) throws(Fault) -> JSON {
    let hand = try RigHand()
    let ear = try RigEar()
    let notes = try RigNotes()
    try MainLoop.loop.start()
    let store = try EventLoop("store", mayBlock: true)
    try store.start()
    begin(home, hand, ear, notes, on: store)
    guard notes.waitUntilReady(within: patience) else {
      throw Fault(.passing, "B-272", "the rig was not ready: \(notes.trouble)")
    }
    var figures: [Figure: [Double]] = [:]
    try wait(.milliseconds(500))
    // The first of each loads what is loaded once.
    for number in 0...max(detents / 10, 1) {
      let played = try press(hand, ear)
      if number > 0 { figures[.played, default: []].append(played) }
    }
    for number in 0...max(detents / 10, 1) {
      let saved = try park(hand, notes)
      if number > 0 { figures[.saved, default: []].append(saved) }
    }
    _ = try turn(hand, ear, notes, by: 1)
    let before = try notes.processorTime()
    for number in 0..<detents {
      let (order, turned) = try turn(hand, ear, notes, by: number % 20 < 10 ? -1 : 1)
      figures[.order, default: []].append(order)
      figures[.turned, default: []].append(turned)
    }
    figures[.processor] = [Double(try notes.processorTime() - before) / 1_000 / Double(detents)]
    func list(_ figure: Figure) -> JSON { .list((figures[figure] ?? []).map { JSON($0) }) }
    return [
      "order": list(.order), "turned": list(.turned), "played": list(.played), "saved": list(.saved),
      "processor": list(.processor),
    ]
  }

  /// Pauses, and plays: the milliseconds from the edge of the second press to the first sound.
  private static func press(_ hand: RigHand, _ ear: RigEar) throws(Fault) -> Double {
    for isLast in [false, true] {
      try wait(.milliseconds(250))
      ear.listen()
      let edge = hand.edge(.play, closed: true)
      try wait(.milliseconds(60))
      hand.edge(.play, closed: false)
      if isLast { return milliseconds(try ear.moment(within: patience) - edge) }
    }
    return 0
  }

  /// Somebody drives, and takes out the key: the milliseconds from the edge until the session is durable.
  private static func park(_ hand: RigHand, _ notes: RigNotes) throws(Fault) -> Double {
    hand.edge(.ignition, closed: true)
    try wait(.milliseconds(50))
    let edge = hand.edge(.ignition, closed: false)
    return milliseconds(try notes.waitUntilSaved(within: patience) - edge)
  }

  /// One detent at 2 ms an edge: the milliseconds from its last edge.
  private static func turn(
    _ hand: RigHand, _ ear: RigEar, _ notes: RigNotes, by way: Int
  ) throws(Fault) -> (order: Double, turned: Double) {
    let (first, second): (RigHand.Line, RigHand.Line) = way > 0 ? (.first, .second) : (.second, .first)
    var edge = Moment.now
    for (number, line) in [first, second, first, second].enumerated() {
      if number > 0 { try wait(.milliseconds(2)) }
      if number == 3 { ear.listen() }
      edge = hand.edge(line, closed: number < 2)
    }
    let turned = milliseconds(try ear.moment(within: patience) - edge)
    let order = milliseconds(notes.ordered - edge)
    try wait(.milliseconds(20))
    return (order, turned)
  }

  private static func wait(_ duration: Duration) throws(Fault) { try Patience.wait(until: .now + duration) }

  private static func milliseconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1_000_000 }

  // MARK: On the main loop

  private static func begin(
    _ home: FilePath, _ hand: RigHand, _ ear: RigEar, _ notes: RigNotes, on store: EventLoop
  ) {
    MainLoop.start {
      do throws(Fault) { try await play(home, hand, ear, notes, on: store) } catch { notes.fail(error) }
    }
  }

  @MainLoop
  private static func play(
    _ home: FilePath, _ hand: RigHand, _ ear: RigEar, _ notes: RigNotes, on store: EventLoop
  ) async throws(Fault) {
    let session = SessionStore(in: home, on: store)
    _ = try await session.open(afterUncleanStop: false, today: "")
    let sound = NotingSound(try SoundPath(output: NotingOutput(ear)), notes)
    var saved = SavedSession()
    _ = saved.queue.append([home / "music.wav"])
    let transport = Transport(
      saved, rules: .init(), volume: Volume(percent: 50), sound: sound, store: session, notices: NoticeBoard())
    try await transport.prepare()
    MainLoop.start { do throws(Fault) { try await transport.run() } catch { notes.fail(error) } }
    try await transport.perform(.play)

    let controls = Controls(volumeStep: 2)
    let hands = GestureInput(bindings: { controls.bindings(.music) }) { gesture in
      MainLoop.start {
        guard case .command(let command)? = controls.meaning(of: gesture, elapsed: transport.status.place.elapsed)
        else { return }
        do throws(Fault) { try await transport.perform(command) } catch { notes.fail(error) }
      }
    }
    let car = RigCar(transport, notes)
    let lines = LinesPart(
      plan: RigHand.plan, from: hand, folder: home, tell: { notes.fail($0) },
      deliver: { input, moment in
        if case .ignition(let isOn) = input { car.take(isOn, at: moment) } else { hands.take(input, at: moment) }
      })
    MainLoop.start { do throws(Fault) { try await lines.run() } catch { notes.fail(error) } }
    notes.becomeReady()
  }
}
