import Glibc
import Runtime

/// How long a finger waits for music: from the command, by the player's own protocol, to the first frame of the new
/// sound that a sound device is handed, which is open already. Both players have the same device; it sees that moment
/// itself. Cold: nothing of the file is in memory before.
struct LatencyBench {
  static let name = "latency"
  static let about = "play, next and seek to the first new frame at the device: FLAC, MP3 and Opus, warm and cold"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  enum Deed: String, CaseIterable { case play, next, seek }

  /// So long the old music plays before something else is wanted: buffers are full then.
  private static let before: Duration = .milliseconds(400)
  /// So long nobody plays before something is to play.
  private static let rest: Duration = .milliseconds(200)
  private static let patience: Duration = .seconds(10)

  func run() throws(Fault) -> [Row] {
    let folder = try programFolder()
    if let reason = SoundDevice.lacking(beside: folder) {
      return [Row(bench: Self.name, name: "not run, \(reason)", value: nil, unit: .milliseconds)]
    }
    var rows: [Row] = []
    for kind in SidedMusic.Kind.allCases {
      if Child.find(kind.encoder.program) == nil {
        let name = "\(kind.rawValue): not run, \(kind.encoder.program) is not installed"
        rows.append(Row(bench: Self.name, name: name, value: nil, unit: .milliseconds))
      } else {
        rows += try measure(kind, folder)
      }
    }
    return rows
  }

  private func measure(_ kind: SidedMusic.Kind, _ folder: FilePath) throws(Fault) -> [Row] {
    let music = try SidedMusic(kind, in: scratch.folder("\(kind)"))
    let ours = try LatencyPlayer.layby(layby, music, home: scratch.folder("layby-\(kind)"), libraryIn: folder)
    let theirs = try LatencyPlayer.mpd(music, home: scratch.folder("mpd-\(kind)"), libraryIn: folder)
    let players = [ours] + [theirs].compactMap { $0 }
    for player in players { try player.tell(.stop) }
    let cases = Deed.allCases.flatMap { deed in [(deed, false), (deed, true)] }
    let contenders = cases.flatMap { deed, isCold in
      players.map { player in
        Contender(name: "\(player.name) \(kind) \(deed)\(isCold ? " cold" : "")") { () throws(Fault) in
          try wait(for: deed, by: player, isCold: isCold)
        }
      }
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    for player in players { try player.end() }
    return cases.enumerated().flatMap { number, one -> [Row] in
      let at = number * players.count
      guard let value = spreads[at] else { return [] }
      let peer = theirs == nil ? nil : spreads[at + 1]
      let name = "\(kind.rawValue), \(one.0.rawValue), \(one.1 ? "cold" : "warm")"
      return [
        row(name, value, peer, one.1 ? .notMoreThanPeer : .belowAndNotMoreThanPeer(3)),
        row("\(name), the worst", Spread(value.high), peer.map { Spread($0.high) }, .none),
      ]
    }
  }

  private func row(_ name: String, _ value: Spread, _ peer: Spread?, _ goal: Goal) -> Row {
    Row(
      bench: Self.name, name: name, value: value, unit: .milliseconds,
      peer: peer.map { .measured("mpd", $0) } ?? .notInstalled("mpd"), goal: goal)
  }

  private func wait(for deed: Deed, by player: LatencyPlayer, isCold: Bool) throws(Fault) -> Double {
    if deed != .play {
      try begin(player)
      try Patience.wait(until: .now + Self.before)
    } else {
      try Patience.wait(until: .now + Self.rest)
    }
    try prepare(deed, player.music, isCold: isCold)
    player.device.forget()
    let asked = Moment.now
    try player.tell(deed == .play ? .play : deed == .next ? .next : .seek)
    let channel = deed == .play ? HandedLog.Channel.any : .right
    let came = try player.device.firstSound(in: channel, after: asked, within: Self.patience)
    try player.tell(.first)
    try player.tell(.stop)
    return Double((came - asked).nanoseconds) / 1_000_000
  }

  private func begin(_ player: LatencyPlayer) throws(Fault) {
    player.device.forget()
    let asked = Moment.now
    try player.tell(.first)
    _ = try player.device.firstSound(in: .left, after: asked, within: Self.patience)
  }

  /// The file that is to be read is in memory, or nothing is of what will be read of it.
  private func prepare(_ deed: Deed, _ music: SidedMusic, isCold: Bool) throws(Fault) {
    let file = deed == .next ? music.second : music.first
    if !isCold { return try PageCache.warm(file) }
    try PageCache.drop(file, checkedFrom: deed == .seek ? 0.6 : 0)
  }
}
