import DiskFaults
import FaultServer
import Runtime

@testable import Offline

/// What sources, networks, disks and power supplies do.
extension MatrixFaults {
  private static let early: [Stage] = [.fresh, .begun, .restarted]

  private static func elsewhere(_ kind: MatrixFault.Elsewhere, _ name: String, _ taken: Taken) -> MatrixFault {
    MatrixFault(name, .elsewhere(kind), at: early, taken)
  }

  static let networks: [MatrixFault] = [
    elsewhere(.noName, "a name that nobody knows", .retries(.network(.noName))).forever(.waits(.server)),
    elsewhere(.nobody, "nobody listens", .retries(.network(.refused))).forever(.waits(.server)),
    elsewhere(.unreachable, "no way leads there", .retries(.network(.unreachable))),
    elsewhere(.deaf, "a handshake that nobody answers", .retries(.network(.timedOut))),
    elsewhere(.pin, "another key than is pinned", .waits(.untrusted)).forever(.waits(.untrusted)),
    elsewhere(.untrusted, "a server that nobody vouches for", .waits(.untrusted)),
    elsewhere(.expired, "a certificate that has run out", .retries(.tls(.expired))).forever(.waits(.server)),
    elsewhere(.expiredClockUnset, "a certificate that has run out by a clock that is not set", .waits(.clock)),
    elsewhere(.oldTLS, "TLS as it was", .retries(.tls(.other))),
    elsewhere(.insecure, "a redirect out of TLS", .retries(.redirect(.insecure))),
  ]

  private static func index(_ name: String, _ acts: Act..., taken: Taken) -> MatrixFault {
    MatrixFault("the index: " + name, .index(acts), at: early, taken)
  }

  static let indexes: [MatrixFault] = [
    index("cut", .cut(at: 20), taken: .retries(.network(.reset))).forever(.waits(.server)),
    // In the middle there is a connection already, and another is tried in its place.
    MatrixFault(
      "the index: an end before a word", .index([.raw([])]), at: [.fresh, .restarted], .retries(.network(.reset))),
    index("401, then 200", .status(401), taken: .waits(.source)),
    index("403", .status(403), taken: .waits(.source)),
    index("404", .status(404), taken: .waits(.source)).forever(.waits(.source)),
    index("503", .status(503), taken: .waits(.source)).forever(.waits(.source)),
    index("a portal's page", .portal, taken: .waits(.portal)).forever(.waits(.portal)),
    index("no JSON", .answer(200, [], [1, 2, 3]), taken: .waits(.source)).forever(.waits(.source)),
    index("gzip, not asked for", .encoded(as: "gzip"), taken: .waits(.source)),
    index("no HTTP", .raw(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)), taken: .waits(.source)),
    index("a redirect in a circle", .redirect(to: "/m/layby-index.json"), taken: .retries(.redirect(.loop))),
    index("the item is gone", .answer(200, [], MatrixWorld.emptyIndex), taken: .fails(.notThere)),
    MatrixFault("the file was replaced", .replaced, at: [.begun, .resumed], .retries(.wrongHash))
      .bringing(at: [.begun, .resumed]),
  ]

  private static let broken = Runtime.Fault(.damaged, "T-10", "an error of input and output")
  private static let full = Runtime.Fault(.full, "T-11", "no space")
  private static let denied = Runtime.Fault(.denied, "T-12", "it may only be read")

  private static func disk(
    _ name: String, _ call: FaultyDisk.Call, _ effect: FaultyDisk.Effect, after: Int = 0,
    at standings: [Stage] = Stage.allCases, _ taken: Taken
  ) -> MatrixFault {
    MatrixFault("the disk: " + name, .disk(.init(call: call, effect: effect, skipping: after)), at: standings, taken)
  }

  static let disks: [MatrixFault] = [
    disk("EIO on opening", .open, .says(broken), .retries(.disk(.open))).forever(.waits(.disk)),
    disk("read-only on opening", .open, .says(denied), .retries(.disk(.open))),
    disk("no folder can be made", .makeFolder, .says(broken), .retries(.disk(.open))),
    disk("EIO on writing", .write, .says(broken), .retries(.disk(.write))).forever(.waits(.disk)),
    disk("full at the first byte", .write, .says(full), .waits(.space)).forever(.waits(.space)),
    disk(
      "EIO on cutting", .cut, .says(broken), at: Stage.allCases.filter { $0 != .unknown }, .retries(.disk(.open))),
    disk("full in the middle", .write, .says(full), after: 1, at: [.fresh, .begun, .restarted], .waits(.space)),
    disk("full before it begins", .space, .isFull, at: Stage.promised, .waits(.space)).forever(.waits(.space)),
    disk("full when room is made", .allocate, .says(full), at: Stage.promised, .waits(.space)),
    disk("EIO on fsync", .sync, .says(broken), .retries(.disk(.sync))).forever(.waits(.disk)),
    disk("full on fsync", .sync, .says(full), .waits(.space)),
    disk("EIO on rename", .place, .says(broken), .retries(.disk(.rename))).forever(.waits(.disk)),
    disk("full on rename", .place, .says(full), .waits(.space)),
    disk("EIO on fsync before the rename", .sync, .says(broken), after: 1, .retries(.disk(.rename))),
    disk("EIO on reading", .read, .says(broken), at: [.restarted], .retries(.disk(.read))),
  ]

  private static func row(_ name: String, _ state: DownloadRecord.State, _ effect: FaultyDisk.Effect) -> MatrixFault {
    let isDeath = if case .dies = effect { true } else { false }
    return MatrixFault(
      name + " while " + state.name + " is stored", .row(.init(state: state, effect: effect)), at: Stage.promised,
      isDeath ? .dies : .unstored)
  }

  private static let states: [DownloadRecord.State] = [
    .downloading(.resolving), .downloading(.fetching), .downloading(.verifying), .downloading(.publishing), .completed,
  ]

  static let rows: [MatrixFault] = states.map { row("no room", $0, .says(full)) }

  private static func cut(_ call: FaultyDisk.Call, _ afterwards: Bool, after: Int = 0) -> MatrixFault {
    let which = after == 0 ? "" : " that comes as number \(after + 1)"
    return disk(
      "the power goes \(afterwards ? "after" : "before") \(call.rawValue)\(which)", call, .dies(afterwards: afterwards),
      after: after, at: Stage.promised, .dies)
  }

  static let power: [MatrixFault] =
    [false, true].flatMap { afterwards -> [MatrixFault] in
      let calls: [FaultyDisk.Call] = [.makeFolder, .open, .length, .cut, .allocate, .write, .sync, .place]
      return calls.map { cut($0, afterwards) } + [cut(.sync, afterwards, after: 1)]
        + states.map { row("the power goes \(afterwards ? "after" : "before") it,", $0, .dies(afterwards: afterwards)) }
    }

  private static func start(_ name: String, _ call: FaultyDisk.Call, _ effect: FaultyDisk.Effect) -> MatrixFault {
    let isDeath = if case .dies = effect { true } else { false }
    let rule = FaultyDisk.Rule(call: call, effect: effect)
    return MatrixFault("at the start: " + name, .start(rule), at: [.restarted], isDeath ? .dies : .quietly)
  }

  static let starts: [MatrixFault] = [
    start("EIO on opening", .open, .says(broken)), start("EIO on looking", .length, .says(broken)),
    start("the power goes before open", .open, .dies(afterwards: false)),
    start("the power goes after open", .open, .dies(afterwards: true)),
    start("the power goes before length", .length, .dies(afterwards: false)),
    start("the power goes after length", .length, .dies(afterwards: true)),
  ]

  private static func damage(_ kind: MatrixFault.Damage, _ name: String, _ taken: Taken) -> MatrixFault {
    MatrixFault("the growing file is " + name, .damage(kind), at: [.restarted], taken)
  }

  static let damages: [MatrixFault] = [
    damage(.flipped, "not what it was", .retries(.disk(.read))), damage(.shorter, "shorter than it was", .quietly),
    damage(.longer, "longer than it was", .quietly), damage(.gone, "gone", .quietly),
    damage(.emptied, "empty", .quietly),
  ]

  static let all = lines + parts + statuses + pages + networks + indexes + disks + rows + power + starts + damages
}
