import Application
import Formats
import Library
import Offline
import Playback
import Runtime
import Services

/// The verbs about what is to be played. Numbers are those that are shown: places in the order that is played, from 1.
extension PlayerService {
  func queue(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch arguments.first?.string ?? "list" {
    case "list": return try await list(arguments, verb)
    case "next": return try await upNext(arguments, verb)
    case "add":
      let named = try paths(Array(arguments.dropFirst()), verb)
      return added(await playing.add(named.paths), refused: named.refused)
    case "remove": return await done(.remove(try entry(arguments.last, arguments.count == 2, verb, arguments)))
    case "undo": return try await putBack()
    case "jump": return await done(.jump(to: try entry(arguments.last, arguments.count == 2, verb, arguments)))
    case "clear": return await done(.clear)
    case "fill", "play":
      let list = arguments.dropFirst().compactMap(\.word)
      return try await put(list, replacing: arguments[0].string == "play", verb)
    case let other: throw verb.wrong("there is no \"queue \(other)\"")
    }
  }

  /// `queue undo`: with what was put back.
  private func putBack() async throws(Fault) -> JSON {
    guard let entry = playing.takenOut else {
      throw Fault(.missing, "X-207", "nothing was taken out of this queue that could be put back")
    }
    var unsaved: Fault?
    do throws(Fault) { try await playing.putBack(entry.id) } catch { unsaved = error }
    let shown = await shown(entry, number: nil, current: playing.status.entry?.id)
    return Response.done(answered(unsaved: unsaved) + [("put_back", shown)])
  }

  /// `queue fill LIST [ID]`, `queue play LIST [ID]`.
  private func put(_ words: [String], replacing: Bool, _ verb: Verb) async throws(Fault) -> JSON {
    guard application.playlists != nil else { throw .noLibrary }
    if let id = List.track(words) {
      return try await playing.addOrReplace(track: id, replacing: replacing).answer(playing.status)
    }
    let list = try List(words: words, of: verb)
    return try await playing.addOrReplace(list, named: words.joined(separator: " "), replacing: replacing).answer(
      playing.status)
  }

  func move(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let moved = try entry(arguments.first, arguments.count == 2, verb)
    guard let place = arguments.last?.number, place > 0 else { throw verb.wrong("expected the place to move to") }
    return await done(.move(moved, to: place - 1))
  }

  /// So many entries are one answer: ten thousand at once would hold the main loop up.
  package static let page = 1_000

  /// `list [FROM [COUNT]]`: a page of the queue from that number on, and how many there are.
  private func list(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let from = arguments.count < 2 ? 1 : arguments[1].number ?? 0
    let count = arguments.count < 3 ? Self.page : arguments[2].number ?? 0
    guard from > 0, count > 0, arguments.count <= 3 else { throw verb.wrong("expected the number to begin with") }
    let page = playing.queue.page(from: from - 1, count: min(count, Self.page))
    let current = playing.status.entry?.id
    var shown: [JSON] = []
    for (place, entry) in page.enumerated() {
      shown.append(await self.shown(entry, number: from + place, current: current))
    }
    return Response.done([
      ("total", JSON(playing.queue.count)), ("shuffle", JSON(playing.queue.isShuffled)), ("entries", .list(shown)),
    ])
  }

  /// `next [COUNT]`: what comes, round the end of the queue when all of it repeats.
  private func upNext(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let count = arguments.count < 2 ? 10 : arguments[1].number ?? 0
    guard count > 0, arguments.count <= 2 else { throw verb.wrong("expected how many") }
    var shown: [JSON] = []
    for entry in playing.upNext(min(count, Self.page)) {
      shown.append(await self.shown(entry, number: nil, current: nil))
    }
    return Response.done([("total", JSON(playing.queue.count)), ("entries", .list(shown))])
  }

  private func shown(_ entry: PlayQueue.Entry, number: Int?, current: EntryID?) async -> JSON {
    var members: [(String, JSON)] = number.map { [("number", JSON($0))] } ?? []
    members += [("id", JSON(entry.id.number)), ("path", JSON(path: entry.path))]
    members += await playing.names(of: entry)
    members.append(("current", JSON(entry.id == current)))
    return .object(JSON.Object(members))
  }

  /// `all` of the verb's arguments decide which of its forms a refusal tells.
  func entry(_ argument: JSON?, _ isAlone: Bool, _ verb: Verb, _ all: [JSON] = []) throws(Fault) -> EntryID {
    let count = playing.queue.count
    guard isAlone, let number = argument?.number, number > 0 else {
      throw verb.wrong("expected the number of an entry, 1 to \(count)", all)
    }
    guard let entry = playing.queue.entry(at: number - 1) else {
      let known = count == 0 ? "the queue is empty" : "its entries are 1 to \(count)"
      throw verb.wrong("the queue has no entry \(number); \(known)", all)
    }
    return entry.id
  }

  /// With how many the queue took: a full one takes fewer.
  func added(_ made: Playing.Added, refused: [Fault] = []) -> JSON {
    var members = answered(unsaved: made.unsaved) + [("added", JSON(made.count))]
    if made.leftOut > 0 { members.append(("left_out", JSON(made.leftOut))) }
    if !refused.isEmpty {
      members.append(("refused", .list(refused.map { ["code": JSON($0.code), "message": JSON($0.message)] })))
    }
    return Response.done(members)
  }

  /// A playlist may name a place of the web among files; what no source has there is left out of them, and told.
  func paths(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> (paths: [FilePath], refused: [Fault]) {
    let named = arguments.compactMap(\.path)
    guard !named.isEmpty, named.count == arguments.count else { throw verb.wrong("no path was given") }
    var paths: [FilePath] = []
    var refused: [Fault] = []
    for path in named {
      if let key = ItemKey(address: path) { try keeping.expectSource(of: key) }
      guard let address = WebAddress(path) else {
        paths.append(path)
        continue
      }
      do throws(Fault) { paths.append(try keeping.item(at: address).address) } catch { refused.append(error) }
    }
    if paths.isEmpty, let fault = refused.first { throw fault }
    guard paths.allSatisfy({ $0.ofFile.isAbsolute || ItemKey(address: $0) != nil }) else {
      throw verb.wrong("paths must begin with /, and what a source has with source:NAME/")
    }
    if let long = paths.first(where: { $0.bytes.count > FilePath.limit }) {
      throw verb.wrong("a path has \(long.bytes.count) bytes, and the kernel takes \(FilePath.limit)")
    }
    return (paths, refused)
  }
}
