import Runtime

/// QEMU's control socket (QMP). Events are kept in order until somebody waits for them.
package final class QMP {
  private let channel: Channel
  /// Events that nobody has waited for yet.
  package private(set) var events: [JSON] = []
  private var lastID = 0

  package init(connectingTo path: FilePath, within limit: Duration) throws(Fault) {
    channel = try Channel(connectingTo: path, named: "QMP", within: limit)
    let until = Moment.now + limit
    guard try next(until: until)["QMP"] != nil else {
      throw Fault(.malformed, "V-120", "the emulator does not greet")
    }
    try ask("qmp_capabilities")
  }

  /// Performs a command and returns its result. Throws QEMU's message when it refuses.
  @discardableResult
  package func ask(
    _ command: String, _ arguments: JSON? = nil, within limit: Duration = .seconds(30)
  ) throws(Fault) -> JSON {
    lastID += 1
    var request: [(String, JSON)] = [("execute", JSON(command)), ("id", JSON(lastID))]
    if let arguments { request.append(("arguments", arguments)) }
    try channel.send(JSON.object(JSON.Object(request)).bytes + [0x0A])
    let until = Moment.now + limit
    while true {
      let message = try next(until: until)
      guard message["event"] == nil else {
        events.append(message)
        continue
      }
      guard message["id"] == JSON(lastID) else { continue }
      if let refusal = message["error"] {
        throw Fault(.unsupported, "V-121", "\(command): \(refusal["desc"]?.string ?? refusal.description)")
      }
      return message["return"] ?? .null
    }
  }

  /// Waits for the next event of this name for which `fits` is true. Other events stay in the list.
  @discardableResult
  package func event(
    _ name: String, within limit: Duration = .seconds(30), where fits: (JSON) -> Bool = { _ in true }
  ) throws(Fault) -> JSON {
    let until = Moment.now + limit
    while true {
      if let place = events.firstIndex(where: { $0["event"]?.string == name && fits($0) }) {
        return events.remove(at: place)
      }
      do throws(Fault) {
        let message = try next(until: until)
        if message["event"] != nil { events.append(message) }
      } catch {
        let seen = events.compactMap { $0["event"]?.string }.joined(separator: ", ")
        throw Fault(
          error.kind, "V-122", "no event \(name) within \(limit) (seen: \(seen.isEmpty ? "none" : seen)): \(error)")
      }
    }
  }

  /// Whether such an event has come. Does not wait.
  package func hasSeen(_ name: String) throws(Fault) -> Bool {
    while let line = try channel.lineNow() {
      let message = try JSON(parsing: line)
      if message["event"] != nil { events.append(message) }
    }
    return events.contains { $0["event"]?.string == name }
  }

  package func forgetEvents() { events = [] }

  private func next(until: Moment) throws(Fault) -> JSON { try JSON(parsing: try channel.line(until: until)) }
}
