import Runtime

/// Who is connected to the control socket, and who has to go when there are too many. A value: it knows no socket.
///
/// A new client is always let in. Where that is one too many, the process with the most connections loses the one that
/// it has used least lately; so a program that forgets to close its own locks out nobody but itself.
struct ConnectionRoster {
  struct Client: Equatable {
    var process: Int32
    /// When it said something last, or took an event.
    var lastUsed: Moment
    /// Bytes of a line whose end has not come.
    var unfinished = 0
  }

  private(set) var clients: [Int: Client] = [:]
  let most: Int
  /// The most bytes of unfinished lines, of all clients together. One line may be as long as a request.
  let mostUnfinished: Int
  /// Connections with an unfinished line shorter than this are never cut off for the memory that it takes.
  static let smallLine = 65_536

  init(most: Int, mostUnfinished: Int) { (self.most, self.mostUnfinished) = (most, mostUnfinished) }

  /// Adds a new client. Returns the one that is disconnected in its favour; nil when there was room.
  mutating func enter(_ id: Int, of process: Int32, at now: Moment) -> Int? {
    clients[id] = Client(process: process, lastUsed: now)
    guard clients.count > most else { return nil }
    var counts: [Int32: Int] = [:]
    for client in clients.values { counts[client.process, default: 0] += 1 }
    let largest = counts.values.max() ?? 0
    let victim = clients.filter { $0.key != id && counts[$0.value.process] == largest }.min(by: Self.isOlder)
    guard let victim else { return nil }
    clients[victim.key] = nil
    return victim.key
  }

  mutating func leave(_ id: Int) { clients[id] = nil }

  /// The client has sent something, and `unfinished` bytes of its line wait for the line's end. Returns the client that
  /// is disconnected because unfinished lines take too much memory; nil when they do not.
  mutating func use(_ id: Int, unfinished: Int, at now: Moment) -> Int? {
    guard clients[id] != nil else { return nil }
    clients[id]?.lastUsed = now
    clients[id]?.unfinished = unfinished
    guard unfinished > Self.smallLine, clients.values.reduce(0, { $0 + $1.unfinished }) > mostUnfinished else {
      return nil
    }
    let victim = clients.filter { $0.key != id && $0.value.unfinished > Self.smallLine }.min(by: Self.isOlder)
    guard let victim else { return nil }
    clients[victim.key] = nil
    return victim.key
  }

  private static func isOlder(_ one: (key: Int, value: Client), _ two: (key: Int, value: Client)) -> Bool {
    (one.value.lastUsed, one.key) < (two.value.lastUsed, two.key)
  }
}
