import Runtime
import TestSupport
import VirtualBoard

/// What somebody was told of the player on the board, and so what must be there after a cut.
struct Session: Sendable {
  /// Paths in their order.
  var queue: [String] = []
  var volume: Int64 = 0
  var path = ""
  var position = 0.0
  var duration = 0.0
  var at = Moment.now

  static func ask(_ board: VirtualBoard) throws(Fault) -> Session {
    var session = Session()
    session.take(list: try board.layby("queue"))
    session.take(status: try board.status())
    return session
  }

  mutating func take(list answer: JSON) {
    queue = (answer["entries"]?.items ?? []).map { $0["path"]?.string ?? "" }
  }

  mutating func take(status: JSON?) {
    volume = status?["volume"]?.whole ?? -1
    path = status?["path"]?.string ?? ""
    position = status?["position_s"]?.double ?? 0
    duration = status?["duration_s"]?.double ?? 0
    at = .now
  }

  /// Something that can be done as things are; none of it moves the music.
  enum Command: Sendable, CustomStringConvertible {
    case add([String])
    case remove(Int)
    case volume(Int64)

    var words: [String] {
      switch self {
      case .add(let paths): ["queue", "add"] + paths
      case .remove(let number): ["queue", "remove", "\(number)"]
      case .volume(let percent): ["volume", "\(percent)"]
      }
    }

    /// As one line of the board's shell.
    var line: String { (["layby"] + words.map(VirtualBoard.quoted) + ["--json"]).joined(separator: " ") }
    var description: String { words.joined(separator: " ") }
  }

  func next(_ album: [String], _ dice: inout SeededGenerator) -> Command {
    switch Int.random(in: 0..<6, using: &dice) {
    case 0...2: .add((0..<Int.random(in: 1...3, using: &dice)).compactMap { _ in album.randomElement(using: &dice) })
    // The first ones are the album itself, in which it plays.
    case 3 where queue.count > album.count: .remove(Int.random(in: album.count + 1...queue.count, using: &dice))
    default: .volume(Int64.random(in: 0...100, using: &dice))
    }
  }

  mutating func change(_ command: Command) {
    switch command {
    case .add(let paths): queue += paths
    case .remove(let number): queue.remove(at: number - 1)
    case .volume(let percent): volume = percent
    }
  }

  /// Complaints about what was `found`, when `underWay` may have happened or not and `played` seconds may have passed
  /// since this was so.
  func complaints(about found: Session, underWay: Command?, played: Double) -> [String] {
    var after = self
    if let underWay { after.change(underWay) }
    var complaints: [String] = []
    let under = underWay.map { ", with \($0) under way" } ?? ""
    if found.queue != queue && found.queue != after.queue {
      complaints.append("the queue is \(found.queue), and was \(queue)\(under)")
    }
    if found.volume != volume && found.volume != after.volume {
      complaints.append("the volume is \(found.volume), and was \(volume)\(under)")
    }
    let album = queue.firstIndex(of: path).map { ($0 + 1 < queue.count) ? queue[$0 + 1] : "" }
    // Counted on from the track before when it went over its end.
    let place = found.path == path ? found.position : found.path == album ? found.position + duration : -.infinity
    if place < position - 5 || place > position + played + 1 {
      complaints.append(
        "it is at \(found.position) s of \(found.path), and was at \(position) s of \(path); \(played) s were played")
    }
    return complaints
  }
}

extension VirtualBoard {
  var album: [String] {
    get throws(Fault) {
      try says("ls /usr/share/layby/demo/*.flac").split(separator: "\n").map(String.init)
    }
  }

  /// How long the board has been switched on, by its own clock.
  func secondsUp() throws(Fault) -> Double { Double(try says("cut -d' ' -f1 /proc/uptime")) ?? 0 }

  /// How long the program on the board has run by now.
  func secondsOfLayby() throws(Fault) -> Double {
    let began = try says("systemctl show -P ExecMainStartTimestampMonotonic layby")
    guard let microseconds = Double(began) else { return 0 }
    return try secondsUp() - microseconds / 1_000_000
  }
}
