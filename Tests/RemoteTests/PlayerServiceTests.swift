import Application
import Hardware
import Playback
import Runtime
import TestSupport
import Testing

@testable import Remote

@Suite("Player service")
struct PlayerServiceTests {
  /// A player that plays nothing, behind its verbs.
  @MainLoop
  private final class Desk {
    let notices = NoticeBoard()
    let questions = QuestionBoard()
    let transport: Transport
    let service: PlayerService
    let program = FakeProgram()

    init() throws {
      transport = Transport(
        SavedSession(), rules: .init(), volume: Volume(percent: 50), sound: try SilentSound(), store: nil,
        notices: notices)
      let preferences = Preferences(program, program, program)
      service = PlayerService(
        Application(
          playing: Playing(transport, nil, nil, nil, Keeping()), sound: SoundSettings(transport), keeping: Keeping(),
          preferences: preferences, health: Health(program, FakeProgram.facts, transport, sound: nil),
          inputs: InputLearning(program, preferences), licences: Licences(nil)),
        panel: panel, questions: questions)
    }

    let panel = FakePanel()

    func ask(_ verb: String, _ arguments: JSON...) async -> JSON {
      await service.answer(Request(verb: verb, arguments: arguments))
    }
  }

  private func onDesk(_ body: @escaping @MainLoop @Sendable (Desk) async throws -> Void) async throws {
    let failure = await TestMainLoop.alone {
      await onMainLoop { () -> (any Error)? in
        do { try await body(try Desk()) } catch { return error }
        return nil
      }
    }
    if let failure { throw failure }
  }

  @Test("every verb of the list is known to the socket, and no other is")
  func verbs() async throws {
    try await onDesk { desk in
      for verb in Verb.all where verb.name != "events" {
        let code = Response.fault(in: await desk.ask(verb.name))?.code
        // This desk has no library, and nothing to fetch from.
        #expect([nil, "X-130", "X-134", "X-189", "X-230", "X-258"].contains(code), "\(verb.name): \(code ?? "")")
      }
      #expect(Response.fault(in: await desk.ask("dance"))?.code == "X-131")
    }
  }

  @Test("questions are listed with their numbers and answers, and answered by them; a wrong number says so")
  func questions() async throws {
    try await onDesk { desk in
      let events = Mailbox<JSON>()
      desk.service.follow(events)
      let given = Mailbox<Int>()
      for text in ["Now?", "Then?"] {
        desk.questions.ask(OwnersQuestion("T-1", text, answers: ["No", "Yes"])) { given.send($0) }
      }
      let listed = await desk.ask("questions")["questions"]?.items ?? []
      #expect(listed.map { $0["text"]?.string } == ["Now?", "Then?"])
      #expect(listed.map { $0["number"]?.whole } == [1, 2] && listed[0]["chosen"] == 1)
      for arguments in [[], [2], [2, 3], [2, 0], ["2", "yes"], [2, 1, 1], [2, "\(Int.min)"]] as [[JSON]] {
        let answer = await desk.service.answer(Request(verb: "answer", arguments: arguments))
        #expect(Response.fault(in: answer)?.code == "X-130", "\(arguments)")
      }
      #expect(Response.fault(in: await desk.ask("answer", 7, 1))?.code == "X-135")
      #expect(Response.fault(in: await desk.ask("answer", "2", "2")) == nil && given.tryReceive() == 1)
      #expect(await desk.ask("questions")["questions"]?.items?.count == 1)
      #expect(events.tryReceive()?["event"] == "question" && events.tryReceive()?["question"]?["number"] == 2)
      #expect(events.tryReceive() == ["event": "answer", "number": 2, "answer": 2, "text": "Yes", "by": "socket"])
      events.close()
    }
  }

  @Test("the normaliser takes decibels beside its mode, keeps them, and refuses what it does not know")
  func normaliser() async throws {
    let table: [(arguments: [JSON], mode: String, decibels: Int, isRefused: Bool)] = [
      (["track", "-3"], "track", -3, false), (["album"], "album", -3, false), (["off"], "off", -3, false),
      (["automatic", 12], "automatic", 12, false), (["track", "13"], "automatic", 12, true),
      (["track", "1.5"], "automatic", 12, true), (["track", "1", "2"], "automatic", 12, true),
      (["loud"], "automatic", 12, true), ([], "automatic", 12, false), (["track", "0"], "track", 0, false),
    ]
    try await onDesk { desk in
      for row in table {
        let answer = await desk.service.answer(Request(verb: "normaliser", arguments: row.arguments))
        #expect((Response.fault(in: answer)?.code == "X-130") == row.isRefused, "\(row)")
        let sounding = desk.transport.sounding
        #expect(sounding.normaliser.rawValue == row.mode && sounding.preamp == row.decibels, "\(row)")
      }
    }
  }

  @Test(
    "arguments that make no sense are refused in words, and end nothing",
    arguments: [
      "seek", "volume", "turn", "press", "repeat", "queue", "queue remove", "queue jump", "queue add", "playnext",
      "move", "remove", "shuffle", "sleep", "history", "next", "previous", "bookmarks", "mute", "queue list",
      "queue next",
    ])
  func nonsense(verb: String) async throws {
    try await onDesk { desk in
      let words = verb.split(separator: " ").map { String($0) }
      let first = words.dropFirst().map { JSON($0) }
      for text in [
        "", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "0", "-1", "1.5", "x", "\u{0}", "+",
        String(repeating: "9", count: 100_000),
      ] {
        if ["turn", "volume"].contains(verb) && ["0", "-1"].contains(text) { continue }
        // As many as there are.
        if ["history", "queue list", "queue next"].contains(verb) && text == "9223372036854775807" { continue }
        if verb == "seek" && ["0", "-1", "1.5"].contains(text) { continue }
        let request = Request(verb: words[0], arguments: first + [JSON(text)])
        #expect(Response.fault(in: await desk.service.answer(request))?.kind != nil, "\(verb) \(text.prefix(30))")
      }
      for value: JSON in [nil, true, 1.5, [], [:]] where verb != "queue" {
        let request = Request(verb: words[0], arguments: first + [value])
        #expect(Response.fault(in: await desk.service.answer(request)) != nil, "\(verb) \(value)")
      }
    }
  }

  @Test("names that are not UTF-8 are in the queue as they were sent, through the socket's own text")
  func names() async throws {
    try await onDesk { desk in
      var random = SeededGenerator(seed: 5)
      var sent: [FilePath] = []
      for _ in 0..<200 {
        let name = (0..<20).map { _ in UInt8.random(in: 1...255, using: &random) }
        sent.append(try #require(FilePath(bytes: [0x2F] + name)))
      }
      let line = Request(verb: "queue", arguments: ["add"] + sent.map { JSON(path: $0) }).line
      let added = await desk.service.answer(try Request(line: Array(line.dropLast())))
      #expect(Response.fault(in: added) == nil)
      let bytes = await desk.ask("queue", "list").bytes
      let list = try JSON(parsing: bytes, limits: JSON.Limits(depth: 32, size: 1 << 24))
      #expect(list["entries"]?.items?.compactMap { $0["path"]?.path } == sent)
    }
  }

  @Test("a path that is none is refused, and with it all of them")
  func paths() async throws {
    try await onDesk { desk in
      for bad: JSON in ["a.flac", "", "./a", 7, "/a\u{0}b"] {
        #expect(Response.fault(in: await desk.ask("queue", "add", "/good", bad))?.code == "X-130", "\(bad)")
      }
      #expect(desk.transport.queue.isEmpty)
    }
  }

  @Test("verbs do what they say")
  func deeds() async throws {
    try await onDesk { desk in
      _ = await desk.ask("queue", "add", "/a", "/b", "/c")
      #expect(await desk.ask("play")["status"]?["state"]?.string == "playing")
      #expect(await desk.ask("next")["status"]?["path"]?.string == "/b")
      #expect(await desk.ask("seek", "1:30")["status"]?["position_s"]?.double == 90)
      #expect(await desk.ask("seek", "-10")["status"]?["position_s"]?.double == 80)
      #expect(await desk.ask("seek", "-100")["status"]?["position_s"]?.double == 0)
      #expect(await desk.ask("volume", "70")["status"]?["volume"]?.whole == 70)
      #expect(await desk.ask("volume", "+5")["status"]?["volume"]?.whole == 75)
      #expect(await desk.ask("volume", "-10")["status"]?["volume"]?.whole == 65)
      #expect(await desk.ask("volume")["status"]?["volume"]?.whole == 65)
      #expect(await desk.ask("repeat", "all")["status"]?["repeat"]?.string == "all")
      #expect(await desk.ask("queue", "jump", "3")["status"]?["index"]?.whole == 2)
      #expect(await desk.ask("queue", "remove", "1")["status"]?["count"]?.whole == 2)
      #expect(await desk.ask("queue", "undo")["put_back"]?["path"]?.string == "/a")
      #expect(desk.transport.queue.entries.map(\.path) == ["/a", "/b", "/c"].map { FilePath($0) })
      #expect(Response.fault(in: await desk.ask("queue", "undo"))?.code == "X-207")
      #expect(await desk.ask("turn", "-3")["ok"]?.truth == true)
      #expect(desk.panel.turned == [-3])
      #expect(await desk.ask("screen")["png"]?.string == "AQID")
      #expect(Response.fault(in: await desk.ask("press", "bell"))?.code == "T-1")
      #expect(await desk.ask("queue", "clear")["status"]?["state"]?.string == "stopped")
    }
  }

  @Test("health tells of each part, of the disk and of every flag; status has the board's name")
  func health() async throws {
    try await onDesk { desk in
      let answer = await desk.ask("health")
      #expect(
        answer["health"] == [
          ["part": "panel", "state": "running", "restarts": 1],
          ["part": "network", "state": "degraded", "restarts": 5],
        ])
      desk.program.display = .works
      #expect(await desk.ask("health")["health"]?.items?.first?["device"] == "works")
      desk.program.display = .fails(Fault(.missing, "T-4", "no display is plugged in"))
      #expect(await desk.ask("health")["health"]?.items?.first?["device"] == "missing")
      #expect(answer["saving"]?["ok"] == false && answer["saving"]?["code"] == "T-2")
      #expect(answer["flags"]?.items?.compactMap { $0["flag"]?.string } == Flag.allCases.map(\.rawValue))
      #expect(answer["power"] == .null)
      let status = await desk.ask("status")
      #expect(status["board"] == "Kitchen" && status["network"] == .null)
    }
  }

  @Test("how the board is going to be switched off is told in seconds")
  func power() {
    typealias Outlook = SwitchOffPart.Outlook
    let table: [(Outlook, JSON)] = [
      (
        Outlook(ignition: nil, holdsWrites: false, next: nil, left: nil),
        ["ignition": "none", "writes": "allowed", "then": .null, "in_s": .null]
      ),
      (
        Outlook(ignition: .resting, holdsWrites: true, next: .powerOff, left: .milliseconds(1_500)),
        ["ignition": "resting", "writes": "held", "then": "power-off", "in_s": 1.5]
      ),
      (
        Outlook(ignition: .leaving, holdsWrites: true, next: .powerOff, left: .zero),
        ["ignition": "leaving", "writes": "held", "then": "power-off", "in_s": 0]
      ),
    ]
    for (outlook, shown) in table {
      let power = Health.Power(state: PowerState(), supplies: [], outlook: outlook, panelLight: .dimmed, alarms: nil)
      for (key, value) in [("ignition", shown["ignition"]), ("writes", shown["writes"]), ("then", shown["then"])] {
        #expect(power.json[key] == value, "\(key) of \(outlook)")
      }
      #expect(power.json["in_s"] == shown["in_s"] && power.json["panel"] == "dimmed")
      #expect(power.json["plugged"] == true && power.json["supplies"] == [])
    }
  }

  @Test("shuffle, play next, move and remove go by the numbers that are shown")
  func order() async throws {
    try await onDesk { desk in
      func shown() async -> [String] {
        (await desk.ask("queue")["entries"]?.items ?? []).compactMap { $0["path"]?.string }
      }
      _ = await desk.ask("queue", "add", "/a", "/b", "/c", "/d")
      _ = await desk.ask("playnext", "/x", "/y")
      #expect(await shown() == ["/a", "/x", "/y", "/b", "/c", "/d"])
      _ = await desk.ask("move", "6", "2")
      #expect(await shown() == ["/a", "/d", "/x", "/y", "/b", "/c"])
      #expect(await desk.ask("shuffle", "on")["status"]?["shuffle"]?.truth == true)
      let shuffled = await shown()
      #expect(shuffled.first == "/a" && shuffled.count == 6)
      let page = await desk.ask("queue", "list", "3", "2")
      #expect(page["entries"]?.items?.compactMap { $0["number"]?.whole } == [3, 4])
      #expect(page["entries"]?.items?.compactMap { $0["path"]?.string } == Array(shuffled[2...3]))
      let next = await desk.ask("queue", "next", "3")["entries"]?.items?.compactMap { $0["path"]?.string }
      #expect(next == Array(shuffled[1...3]))
      _ = await desk.ask("remove", "2")
      #expect(await shown() == [shuffled[0]] + shuffled[2...])
      _ = await desk.ask("next", "2")
      #expect(await desk.ask("status")["status"]?["index"]?.whole == 2)
      _ = await desk.ask("previous", "1")
      #expect(await desk.ask("status")["status"]?["index"]?.whole == 0)
      #expect(await desk.ask("shuffle", "off")["status"]?["shuffle"]?.truth == false)
      #expect(await shown().first == "/a")
    }
  }

  @Test("mute and sleep are told with the status; history and bookmarks are lists")
  func rest() async throws {
    try await onDesk { desk in
      _ = await desk.ask("queue", "add", "/a")
      #expect(await desk.ask("mute")["status"]?["muted"]?.truth == true)
      #expect(await desk.ask("mute", "off")["status"]?["muted"]?.truth == false)
      let status = await desk.ask("sleep", "30m")["status"]
      #expect(status?["sleep"]?.string == "time" && status?["sleep_s"]?.double == 1_800)
      #expect(await desk.ask("sleep", "track")["status"]?["sleep"]?.string == "track")
      #expect(await desk.ask("sleep", "off")["status"]?["sleep"]?.isNull == true)
      #expect(await desk.ask("history")["history"]?.items?.isEmpty == true)
      #expect(await desk.ask("bookmarks")["bookmarks"]?.items?.isEmpty == true)
      #expect(await desk.ask("bookmarks", "forget", "/a")["ok"]?.truth == true)
    }
  }

  @Test("events of the player come as lines of JSON, until the listener goes")
  func events() async throws {
    try await onDesk { desk in
      let box = Mailbox<JSON>()
      desk.service.follow(box)
      _ = await desk.ask("queue", "add", "/a")
      let event = await box.receive()
      #expect(event?["event"]?.string == "queue" && event?["count"]?.whole == 1)
      box.close()
      _ = await desk.ask("play")
      #expect(box.tryReceive() == nil)
    }
  }
}
