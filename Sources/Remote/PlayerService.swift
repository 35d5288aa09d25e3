import Library
import Playback
import Runtime

/// Answers the verbs of the control socket by what the player does.
@Deck
package final class PlayerService: ControlService {
  private let transport: Transport
  /// Turns and presses go the way of real ones; pictures and health come from rooms this one does not know.
  package struct Means: Sendable {
    package var turn: @Deck @Sendable (Int) async throws(Fault) -> Void
    package var press: @Deck @Sendable (String) async throws(Fault) -> Void
    package var picture: @Deck @Sendable () throws(Fault) -> [UInt8]
    package var health: @Deck @Sendable () -> JSON

    package init(
      turn: @escaping @Deck @Sendable (Int) async throws(Fault) -> Void,
      press: @escaping @Deck @Sendable (String) async throws(Fault) -> Void,
      picture: @escaping @Deck @Sendable () throws(Fault) -> [UInt8], health: @escaping @Deck @Sendable () -> JSON
    ) {
      self.turn = turn
      self.press = press
      self.picture = picture
      self.health = health
    }
  }

  private let means: Means

  package init(_ transport: Transport, _ means: Means) {
    self.transport = transport
    self.means = means
  }

  package func answer(_ request: Request) async -> JSON {
    do throws(Fault) {
      return try await perform(request)
    } catch {
      return Answer.refused(error)
    }
  }

  package func follow(_ events: Mailbox<JSON>) {
    let box = Mailbox<PlayerEvent>(limit: 256)
    transport.follow(box)
    Deck.start {
      while !events.isClosed, let event = await box.receive() { events.send(event.json) }
      box.close()
    }
  }

  private func perform(_ request: Request) async throws(Fault) -> JSON {
    guard let verb = Verb.named(request.verb) else {
      throw Fault(.unsupported, "X-131", "there is no verb \"\(request.verb)\"; layby help lists them")
    }
    let arguments = request.arguments
    let text = arguments.first?.string
    switch verb.name {
    case "play": return try await done(.play)
    case "pause": return try await done(.pause)
    case "toggle": return try await done(.toggle)
    case "stop": return try await done(.stop)
    case "next": return try await done(.next)
    case "previous": return try await done(.previous)
    case "seek":
      guard let text, let target = SeekTarget(text) else { throw verb.wrong("\"\(text ?? "")\" is no time") }
      switch target {
      case .to(let place): return try await done(.seek(to: place))
      case .by(let way): return try await done(.seek(to: transport.status.place.elapsed + way))
      }
    case "volume":
      guard let text, let percent = Int(text), (0...100).contains(percent) else {
        throw verb.wrong("\"\(text ?? "")\" is no volume")
      }
      return try await done(.setVolume(percent))
    case "turn":
      guard let text, let steps = Int(text), (-1_000...1_000).contains(steps) else {
        throw verb.wrong("\"\(text ?? "")\" is no turn")
      }
      try await means.turn(steps)
      return Answer.done([("status", transport.status.json)])
    case "press":
      guard let text else { throw verb.wrong("no button was named") }
      try await means.press(text)
      return Answer.done([("status", transport.status.json)])
    case "repeat":
      guard let text, let mode = PlayQueue.Repeat(rawValue: text) else {
        throw verb.wrong("\"\(text ?? "")\" is no way to repeat")
      }
      return try await done(.repeats(mode))
    case "queue": return try await queue(arguments, verb)
    case "status": return Answer.done([("status", transport.status.json)])
    case "screen": return Answer.done([("png", JSON(Base64.encode(try means.picture())))])
    case "health": return Answer.done([("health", means.health())])
    case "log": return Answer.done([("lines", .list(LogBook.shared.lines.map { JSON($0) }))])
    default: throw Fault(.unsupported, "X-132", "\"\(verb.name)\" is not for this socket")
    }
  }

  private func done(_ command: Player.Command) async throws(Fault) -> JSON {
    try await transport.perform(command)
    return Answer.done([("status", transport.status.json)])
  }

  private func queue(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch arguments.first?.string ?? "list" {
    case "list":
      let current = transport.status.entry?.id
      return Answer.done([
        (
          "entries",
          .list(
            transport.queue.entries.enumerated().map { index, entry in
              [
                "number": JSON(index + 1), "id": JSON(entry.id.number), "path": JSON(path: entry.path),
                "current": JSON(entry.id == current),
              ]
            })
        )
      ])
    case "add":
      let paths = arguments.dropFirst().compactMap(\.path)
      guard !paths.isEmpty, paths.count == arguments.count - 1 else { throw verb.wrong("no path was given") }
      guard paths.allSatisfy(\.isAbsolute) else { throw verb.wrong("paths must begin with /") }
      return try await done(.add(paths))
    case "remove": return try await done(.remove(try entry(arguments, verb)))
    case "jump": return try await done(.jump(to: try entry(arguments, verb)))
    case "clear": return try await done(.clear)
    case let other: throw verb.wrong("there is no \"queue \(other)\"")
    }
  }

  private func entry(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> EntryID {
    let entries = transport.queue.entries
    guard arguments.count == 2, let text = arguments[1].string, let number = Int(text),
      number > 0, number <= entries.count
    else { throw verb.wrong("expected the number of an entry, 1 to \(entries.count)") }
    return entries[number - 1].id
  }
}
