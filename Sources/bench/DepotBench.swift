import Ciphers
import Glibc
import HTTP
import Offline
import Rights
import Runtime
import Services

/// The real depot with 10,000 albums of one track, and a device that has all their licences renewed.
struct DepotBench {
  static let name = "depot"
  static let about = "10,000 licences renewed by 50 at a depot; what it gives a second, how long it takes, its memory"

  /// Of the player, beside which the other programs lie.
  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let albums = 10_000
  private static let password = "of no use to anybody"

  func run() throws(Fault) -> [Row] {
    let folder = FilePath(layby).absolute.folder
    var made = try BenchDepot(folder / "depot", in: try scratch.folder("depot"))
    try made.fill(albums: Self.albums, Self.password)
    let process = try made.serve()
    let depot = made
    guard let place = FolderAddress(depot.address + "/") else {
      throw Fault(.malformed, "B-310", "the depot listens at \(depot.address)")
    }
    let home = try scratch.folder("device")
    let rights = try DeviceRights(in: home, board: [], roots: ["bench": try depot.root]) { .now }
    let loop = try EventLoop("offline", mayBlock: true)
    try loop.start()
    let fetching = WireFetching(try Transfers(), date: { Int64(time(nil)) })
    let client = DepotClient("bench", at: place, BenchCredentials(rights: rights), fetching, on: loop)
    let rounds = rounds
    let rows = try withExtendedLifetime((scratch, process)) { () throws(Fault) in
      try Awaited.rows { () async throws(Fault) in
        do throws(MediaFailure) {
          return try await client.perform { client async throws(MediaFailure) in
            try await Self.measure(client, rights, depot, rounds, on: loop)
          }
        } catch { throw error.fault }
      }
    }
    try process.stop()
    return rows + [try keeper(folder / "layby-keys")]
  }

  private static func measure(
    _ client: DepotClient, _ rights: DeviceRights, _ depot: BenchDepot, _ rounds: Int, on loop: EventLoop
  ) async throws(MediaFailure) -> [Row] {
    let code = try await client.signIn()
    try asked { () throws(Fault) in try depot.letIn(code, password) }
    while await client.state() != .signedIn {
      guard await loop.sleep(for: .milliseconds(100)) else { break }
    }
    // The first gives the licences, as somebody gets them who signs in; the others renew them.
    var (takes, seconds, given, grown) = ([Double](), [Double](), 0, 0.0)
    var spent = 0.0
    for round in 0...rounds {
      let before = try asked { () throws(Fault) in
        (own: try ProcessReading(pid: getpid()).memory().anonymous, depot: try depot.reading.processorSeconds())
      }
      let began = Moment.now
      var due = try await client.licences().map(\.id)[...]
      guard due.count == albums else {
        throw MediaFailure(.malformed, Fault(.malformed, "B-311", "the depot has \(due.count) licences, not \(albums)"))
      }
      while !due.isEmpty {
        let batch = Array(due.prefix(DepotClient.batch))
        due = due.dropFirst(batch.count)
        let asked = Moment.now
        let bytes = try await client.licences(batch)
        if round > 0 { takes.append((Moment.now - asked).inSeconds * 1_000) }
        let taken = try Self.asked { () throws(Fault) in try rights.take(bytes, from: "bench") }
        if round > 0 { given += taken.licences }
      }
      guard round > 0 else { continue }
      seconds.append((Moment.now - began).inSeconds)
      let after = try asked { () throws(Fault) in
        (own: try ProcessReading(pid: getpid()).memory().anonymous, depot: try depot.reading.processorSeconds())
      }
      spent += after.depot - before.depot
      grown = max(grown, Double(after.own - before.own) / 1e6)
    }
    let pages = try await self.pages(client, depot)
    let memory = try asked { () throws(Fault) in try depot.reading.memory() }
    let sorted = takes.sorted()
    return [
      row("10,000 renewed by 50, verified and stored", Spread(seconds), .seconds, .below(20)),
      row("10,000 renewed, the device's memory grows", Spread(grown), .megabytes, .below(4)),
      row("50 licences, from the question to the answer", Spread(sorted), .milliseconds),
      row("50 licences, 99 of 100", Spread(sorted[sorted.count * 99 / 100]), .milliseconds),
      row("licences that one core gives", Spread(Double(given) / max(spent, 0.001)), .perSecond),
    ] + pages + [
      row("the depot's memory (PSS)", Spread(Double(memory.proportional) / 1e6), .megabytes)
    ]
  }

  /// The catalogue from its beginning to its end, some times.
  private static func pages(_ client: DepotClient, _ depot: BenchDepot) async throws(MediaFailure) -> [Row] {
    let before = try asked { () throws(Fault) in try depot.reading.processorSeconds() }
    var (takes, items) = ([Double](), 0)
    for _ in 0..<4 {
      var after: String? = "0"
      while let from = after {
        let asked = Moment.now
        let answer = try await client.ask(.get, "v1/catalogue?limit=200&after=\(from)")
        takes.append((Moment.now - asked).inSeconds * 1_000)
        let page = try Self.asked { () throws(Fault) in
          try JSON(parsing: answer.bytes, limits: .init(depth: 6, size: 4 << 20, values: 100_000))
        }
        items += page["items"]?.items?.count ?? 0
        after = page["next"]?.string
      }
    }
    guard items == 4 * albums else {
      throw MediaFailure(.malformed, Fault(.malformed, "B-318", "the catalogue has \(items / 4) items, not \(albums)"))
    }
    let spent = try asked { () throws(Fault) in try depot.reading.processorSeconds() } - before
    let sorted = takes.sorted()
    return [
      row("a page of 200 of the catalogue", Spread(sorted), .milliseconds),
      row("a page of 200, 99 of 100", Spread(sorted[sorted.count * 99 / 100]), .milliseconds),
      row("such pages that one core gives", Spread(Double(takes.count) / max(spent, 0.001)), .perSecond),
    ]
  }

  private static func row(_ name: String, _ value: Spread?, _ unit: Unit, _ goal: Goal = .none) -> Row {
    Row(bench: Self.name, name: name, value: value, unit: unit, goal: goal)
  }

  private static func asked<Answer>(_ question: () throws(Fault) -> Answer) throws(MediaFailure) -> Answer {
    do throws(Fault) { return try question() } catch { throw MediaFailure(.malformed, error) }
  }

  /// layby-keys as it waits to be asked, which is all that it does on most days.
  private func keeper(_ program: FilePath) throws(Fault) -> Row {
    let folder = try scratch.folder("keeper")
    let socket = folder / "socket"
    let process = try Child(
      ["\(program)", "--folder", "\(folder / "keys")", "--socket", "\(socket)"], output: folder / "log")
    let end = Moment.now + .seconds(20)
    let client = try KeysClient(at: socket, roots: [:])
    while true {
      do throws(Fault) {
        _ = try client.standing
        break
      } catch {
        guard Moment.now < end, !process.hasEnded else { throw error }
        try Patience.wait(until: .now + .milliseconds(50))
      }
    }
    let memory = try ProcessReading(pid: process.pid).memory()
    try process.cut()
    return Self.row(
      "the keeper of keys, of it in no file", Spread(Double(memory.anonymous) / 1e6), .megabytes, .below(3))
  }
}

/// The rights of the bench's own device.
private struct BenchCredentials: DeviceCredentials {
  let rights: DeviceRights

  var card: JSON { get throws(Fault) { rights.card } }

  func proof(_ method: String, _ address: String, token: String?, nonce: String?) throws(Fault) -> String {
    try rights.proof(of: ProvenRequest(method, address, token: token, nonce: nonce))
  }

  func session(of source: String) throws(Fault) -> [UInt8]? { try rights.session(of: source) }

  func keep(session: [UInt8]?, of source: String) throws(Fault) { try rights.keep(session: session, of: source) }
}

/// The program depot, with a catalogue that was made up and an account.
private struct BenchDepot {
  private let program: FilePath
  private let folder: FilePath
  private let path: FilePath
  private var pid: pid_t = 0
  private(set) var address = ""

  init(_ program: FilePath, in folder: FilePath) throws(Fault) {
    (self.program, self.folder, path) = (program, folder, folder / "depot")
    guard "\(program)".withCString({ access($0, X_OK) }) == 0 else {
      throw Fault.system("B-312", doing: "run \(program)")
    }
    try say("new", "\(path)")
  }

  var reading: ProcessReading { ProcessReading(pid: pid) }

  var root: SigningKey.PublicKey {
    get throws(Fault) {
      let text = try say("root", "\(path)")
      let bytes = Base64.decode(text.filter { !$0.isWhitespace })
      guard let key = bytes.flatMap({ SigningKey.PublicKey(bytes: $0) }) else {
        throw Fault(.malformed, "B-313", "the depot's root key is \(text)")
      }
      return key
    }
  }

  func fill(albums: Int, _ password: String) throws(Fault) {
    Patience.tell("sealing \(albums) tracks")
    let music = folder / "music"
    try Folder.make(music)
    var index = DirectoryIndex(name: "Bench")
    for number in 0..<albums {
      let bytes = Array("track \(number) ".utf8) + [UInt8](repeating: 7, count: 2_000)
      let name = "\(number).flac"
      try AtomicFile.replace(music / name, with: bytes)
      let path: FolderPath
      do throws(FolderPath.Mistake) { path = try FolderPath(name) } catch {
        throw Fault(.malformed, "B-314", "\(name): \(error.rawValue)")
      }
      var sum = try SHA256()
      sum.add(bytes)
      let hash = try sum.value().bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      var item = DirectoryIndex.Item(.init(path: path, size: Int64(bytes.count), hash: hash))
      (item.title, item.artist, item.album, item.track) = ("Track", "Artist \(number / 10)", "Album \(number)", 1)
      index.items.append(item)
    }
    try AtomicFile.replace(music / DirectoryIndex.fileName, with: index.fileBytes)
    try say("import", "\(path)", "\(music)")
    try AtomicFile.replace(folder / "password", with: Array("\(password)\n".utf8))
    try say("account", "\(path)", "add", "bench", "--password-from", "\(folder / "password")")
    try say("subscription", "\(path)", "bench", "active")
  }

  /// It answers until this is let go of.
  mutating func serve() throws(Fault) -> Child {
    let said = folder / "said"
    let process = try Child(
      ["\(program)", "serve", "\(path)", "--port", "0", "--rate", "1000000"], output: said)
    pid = process.pid
    let end = Moment.now + .seconds(60)
    while Moment.now < end, !process.hasEnded {
      let text = String(decoding: try AtomicFile.read(said, limit: 1 << 20), as: UTF8.self)
      if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("listens at ") }) {
        address = String(line.dropFirst("listens at ".count))
        return process
      }
      try Patience.wait(until: .now + .milliseconds(50))
    }
    throw Fault(.missing, "B-315", "the depot does not answer; see \(said)")
  }

  /// As a person does on a telephone.
  func letIn(_ code: SignInCode, _ password: String) throws(Fault) {
    let page = try fetch([code.wholeAddress])
    let mark = "name=\"form\" value=\""
    guard let range = page.firstRange(of: mark) else {
      throw Fault(.malformed, "B-316", "the depot's page has no form")
    }
    let form = page[range.upperBound...].prefix { $0 != "\"" }
    var words = ["-H", "Origin: \(address)", code.address]
    for (name, value) in [
      ("form", String(form)), ("code", code.code), ("account", "bench"), ("password", password),
    ] { words += ["--data-urlencode", "\(name)=\(value)"] }
    _ = try fetch(words)
  }

  private func fetch(_ words: [String]) throws(Fault) -> String {
    let jar = "\(folder / "cookies")"
    return try finish(["curl", "--silent", "--fail", "--max-time", "20", "-b", jar, "-c", jar] + words)
  }

  @discardableResult
  private func say(_ words: String...) throws(Fault) -> String { try finish(["\(program)"] + words) }

  private func finish(_ words: [String]) throws(Fault) -> String {
    let output = folder / "output"
    _ = output.withCString { unlink($0) }
    let ending = try Child(words, output: output).wait(within: .seconds(600))
    let text = String(decoding: try AtomicFile.read(output, limit: 1 << 22), as: UTF8.self)
    guard ending.code == 0 else { throw Fault(.malformed, "B-317", "\(words[0]) \(words[1]): \(text)") }
    return text
  }
}
