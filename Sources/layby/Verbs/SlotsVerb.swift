import Glibc
import Hardware
import Remote
import Runtime

/// `layby slots [...]`: what the counters of a card with two slots say, and what may be changed in them. The words behind
/// it beside `good` are those that RAUC calls its boot-loader handler with.
func showSlots(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, checkedFor: ProgramVerb.slots)
  let words = options.others
  let kernel = KernelSlot(options.path("--words") ?? FilePath("/proc/cmdline"))
  if words == ["get-current"] {
    guard let running = kernel.running else { throw noSlot }
    print(running.rawValue)
    return EX_OK
  }
  let path = try countersPath(options)
  func slot() throws(Fault) -> BootSlots.Slot {
    guard words.count > 1, let slot = BootSlots.Slot(rawValue: words[1]) else {
      throw Fault(.malformed, "X-250", "a slot is called a or b; expected: \(ProgramVerb.slots.wholeUsage)")
    }
    return slot
  }
  func change(_ change: (BootSlots) throws(Fault) -> BootSlots) throws(Fault) {
    _ = try SlotCounters(path, isWritten: true).change(change)
  }
  switch words.first {
  case nil:
    let slots = try SlotCounters(path, isWritten: false).read()
    print(
      options.has("--json") ? slots.json(running: kernel.running).description : slots.words(running: kernel.running))
  case "good":
    guard let running = kernel.running else { throw noSlot }
    try waitUntilGood(running, path, options)
    try change { slots throws(Fault) in slots.marked(good: running) }
    print("slot \(running.rawValue) is good")
  case "get-primary": print(try SlotCounters(path, isWritten: false).read().first.rawValue)
  case "set-primary":
    let slot = try slot()
    try change { slots throws(Fault) in
      guard let new = slots.choosing(slot) else {
        throw Fault(.missing, "X-251", "slot \(slot.rawValue) is empty: there is nothing to start")
      }
      return new
    }
  case "get-state": print(try SlotCounters(path, isWritten: false).read()[slot()].canStart ? "good" : "bad")
  case "set-state":
    let slot = try slot()
    let isGood = words.last == "good"
    // What runs would be left behind at the next start, and the other one may be half-written.
    guard isGood || slot != kernel.running else {
      throw Fault(.denied, "X-252", "slot \(slot.rawValue) runs: it is not called bad")
    }
    try change { slots throws(Fault) in isGood ? slots.marked(good: slot) : slots.marked(bad: slot) }
  default: throw Fault(.malformed, "X-250", "expected: \(ProgramVerb.slots.wholeUsage)")
  }
  return EX_OK
}

private func countersPath(_ options: Options) throws(Fault) -> FilePath {
  if let given = options.path("--device") { return given }
  return try SlotCounters.partition()
}

private func connection(_ open: ControlClient?, to run: FilePath) throws(Fault) -> ControlClient {
  if let open { return open }
  return try ControlClient(connectingTo: run / "control")
}

private let noSlot = Fault(.missing, "X-253", "the system that runs was not started from a slot")

/// Until the player has answered long enough; for ever, if it never does: the unit has an end of its own. Does not wait
/// for a slot that is good already.
private func waitUntilGood(_ running: BootSlots.Slot, _ path: FilePath, _ options: Options) throws(Fault) {
  guard let folder = options.path("--run") else { return }
  if try SlotCounters(path, isWritten: false).read()[running] == .good { return }
  var span = SlotTrial.span
  if let text = options["--for"] {
    guard let given = SettingType<Duration>.duration(.milliseconds(1) ... .seconds(3_600)).parse(text) else {
      throw Fault(.malformed, "X-254", "\"\(shownPlain(text))\" is no time for --for; expected one such as 30s")
    }
    span = given
  }
  let devices = options.path("--usb") ?? FilePath("/sys/bus/usb/devices")
  var trial = SlotTrial(span: span)
  var told: String?
  var client: ControlClient?
  while true {
    var parts: [SlotTrial.Part]?
    do throws(Fault) {
      let asked = try connection(client, to: folder)
      client = asked
      parts = try asked.ask(Request(verb: "health"), within: .seconds(5)).items("health").map { part in
        trialPart(part)
      }
    } catch {
      // One that has ended, or hangs, begins anew.
      client = nil
    }
    let isGood = trial.take(parts, hasIdleSoundCard: IdleSoundCards.areThere(in: devices), at: .now)
    if isGood { return }
    if let hindrance = trial.hindrance, hindrance != told {
      complain(Fault(.passing, "X-264", "not good yet: \(hindrance)"))
      told = hindrance
    }
    usleep(500_000)
  }
}

private func trialPart(_ part: JSON) -> SlotTrial.Part {
  // A panel that nothing shows has no such word; the sound always has one.
  let device: SlotTrial.Device = if let word = part["device"] { .init(word: word.string) } else { .none }
  return SlotTrial.Part(
    part.word("part"), isRunning: part.word("state") == "running", restarts: part.whole("restarts"), device: device,
    played: part["playing"] == true ? part.whole("played") : nil)
}

extension BootSlots {
  fileprivate func json(running: Slot?) -> JSON {
    [
      "ok": true, "first": JSON(first.rawValue), "running": running.map { JSON($0.rawValue) } ?? .null,
      "a": JSON(self[.a].text), "b": JSON(self[.b].text), "why": abandoned.map { JSON($0.text) } ?? .null,
    ]
  }

  fileprivate func words(running: Slot?) -> String {
    var lines = Slot.allCases.map { slot in
      let marks = [slot == first ? "is started" : nil, slot == running ? "runs now" : nil].compactMap(\.self)
      return "slot \(slot.rawValue)  " + ([self[slot].words] + marks).joined(separator: ", ")
    }
    if let abandoned {
      let reason =
        switch abandoned.reason {
        case .tries: "it did not start three times"
        case .load: "it could not be read"
        }
      lines.append("slot \(abandoned.slot.rawValue) was left: \(reason)")
    }
    return lines.joined(separator: "\n")
  }
}

extension BootSlots.State {
  fileprivate var words: String {
    switch self {
    case .good: "good"
    case .empty: "empty"
    case .tries(0): "does not start"
    case .tries(let left): "is tried, \(left) \(left == 1 ? "start" : "starts") left"
    }
  }
}
