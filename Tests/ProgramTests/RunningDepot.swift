import Ciphers
import Glibc
import Rights
import Runtime
import TestSupport
import Testing

/// A depot with some music, and the program that answers for it.
final class RunningDepot {
  let home: Home
  var path: FilePath { home.folder / "depot" }
  private var process: ChildProcess?
  private(set) var url = ""
  private var output: FilePath { home.folder / "depot.out" }
  var log: FilePath { home.folder / "depot.log" }

  /// `tracks` are paths; what stands before the first slash is the album.
  init(in home: Home, tracks: [String] = ["One/1.flac", "One/2.flac", "Two/1.flac"], _ options: String...) async throws
  {
    self.home = home
    let made = try await Finished([Built.depot, "new", "\(path)"], in: home)
    #expect(made.code == 0, "\(made)")
    try await importing(tracks)
    try await start(options)
  }

  /// One that was started otherwise.
  init(in home: Home, at url: String) throws { (self.home, self.url) = (home, url) }

  /// The bytes are those of the path, and of `version`. `smaller`: the qualities of further versions, whose paths end with them.
  func importing(_ tracks: [String], version: Int = 1, smaller: [String] = []) async throws {
    let music = home.folder / "music"
    var entries: [JSON] = []
    for track in tracks {
      let album = String(track.prefix { $0 != "/" })
      var variants: [(String, JSON)] = []
      for quality in smaller {
        variants.append((quality, .object(JSON.Object(try file("\(track).\(quality)", version, in: music)))))
      }
      let members =
        try file(track, version, in: music) + [
          ("title", JSON("Song of \(track)")), ("artist", "Béla"), ("album", JSON(album)), ("art", "cover.png"),
          ("variants", .object(JSON.Object(variants))),
        ]
      entries.append(.object(JSON.Object(members)))
    }
    try AtomicFile.replace(music / "cover.png", with: [1, 2, 3])
    let index: JSON = ["format": "layby-index", "version": 1, "name": "test", "items": .list(entries), "lists": []]
    try AtomicFile.replace(music / "layby-index.json", with: index.bytes)
    try await verb("import", "\(music)")
  }

  private func file(_ path: String, _ version: Int, in music: FilePath) throws -> [(String, JSON)] {
    let bytes = Array("\(path) \(version) ".utf8) + [UInt8](repeating: 7, count: 200_000)
    try Folder.make((music / path).folder)
    try AtomicFile.replace(music / path, with: bytes)
    return [("path", JSON(path)), ("size", JSON(bytes.count)), ("sha256", JSON(try Self.digits(bytes)))]
  }

  private static func digits(_ bytes: [UInt8]) throws -> String {
    var sum = try SHA256()
    sum.add(bytes)
    return try sum.value().description
  }

  /// A verb of the keeper, which has to go well.
  @discardableResult
  func verb(_ verb: String, _ words: String...) async throws -> String {
    let done = try await Finished([Built.depot, verb, "\(path)"] + words, in: home)
    guard done.code == 0 else { throw Fault(.malformed, "T-640", "depot \(verb): \(done.errors)") }
    return done.output
  }

  func addAccount(_ name: String, _ password: String) async throws {
    try home.write(password + "\n", to: home.folder / "password")
    try await verb("account", "add", name, "--password-from", "\(home.folder / "password")")
  }

  // MARK: Its life

  /// `through` stands before the program, and becomes it.
  func start(through wrapper: [String] = [], _ options: [String] = []) async throws {
    _ = output.withCString { unlink($0) }
    let words = wrapper + [Built.depot, "serve", "\(path)", "--port", "0", "--name", "Test <depot>"] + options
    let process = try ChildProcess(words, output: output, errors: log)
    self.process = process
    let end = Moment.now + patience
    while Moment.now < end {
      let said = Self.text(output)
      if let line = said.split(separator: "\n").first(where: { $0.hasPrefix("listens at ") }), said.hasSuffix("\n") {
        url = String(line.dropFirst("listens at ".count))
        return
      }
      guard await Poll.readable([process.ended], within: .milliseconds(50)).isEmpty else { break }
    }
    throw Fault(.missing, "T-641", "the depot did not start: \(Self.text(log))")
  }

  /// At once, as a power cut does it.
  func kill() { process?.end() }

  func stop() async throws {
    process?.signal(SIGTERM)
    let code = await process?.exitCode()
    #expect(code == 0, "\(Self.text(log))")
  }

  var said: String { Self.text(log) }

  static func text(_ path: FilePath) -> String {
    // It may not have written anything yet.
    String(decoding: (try? AtomicFile.read(path, limit: 1 << 26)) ?? [], as: UTF8.self)
  }

  // MARK: Asking

  struct Answer {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSON {
      get throws { try JSON(parsing: body, limits: .init(depth: 20, size: 1 << 24, values: 1_000_000)) }
    }
  }

  /// By curl, with its own words.
  func ask(_ words: [String], _ address: String) async throws -> Answer {
    let (head, body) = (home.folder / "curl.head", home.folder / "curl.body")
    for file in [head, body] { _ = file.withCString { unlink($0) } }
    let whole = address.hasPrefix("http") ? address : url + address
    let done = try await Finished(
      ["curl", "--silent", "--show-error", "--globoff", "--max-time", "25", "-D", "\(head)", "-o", "\(body)"] + words
        + [whole], in: home)
    #expect(done.code == 0, "\(whole): \(done.errors)")
    var answer = Answer()
    // After a 100 there is another head.
    let lines = Self.text(head).split(whereSeparator: { $0.isNewline })
    for line in lines {
      if line.hasPrefix("HTTP/") {
        answer.status = Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
        answer.headers = []
      } else if let colon = line.firstIndex(of: ":") {
        answer.headers.append(
          (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
      }
    }
    if Home.exists(body) { answer.body = try AtomicFile.read(body, limit: 1 << 26) }
    return answer
  }

  /// The page for people, filled in as a browser does it.
  func fillIn(
    _ page: String, _ fields: [(String, String)], keepsCookies: Bool = true
  ) async throws -> Answer {
    let jar = home.folder / "cookies"
    _ = jar.withCString { unlink($0) }
    let shown = try await ask(["-c", "\(jar)"], page)
    #expect(shown.status == 200, "\(shown.text)")
    var words = keepsCookies ? ["-b", "\(jar)"] : []
    for (name, value) in Self.hidden(shown.text) + fields { words += ["--data-urlencode", "\(name)=\(value)"] }
    return try await ask(words, "/sign-in")
  }

  private static func hidden(_ html: String) -> [(String, String)] {
    html.components(between: "<input type=\"hidden\" name=\"", and: ">").map { field in
      let parts = field.split(separator: "\"", omittingEmptySubsequences: false)
      return (
        String(parts[0]), parts[2].split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
      )
    }
  }
}

extension String {
  fileprivate func components(between begin: String, and end: String) -> [Substring] {
    var (found, rest) = ([Substring](), self[...])
    while let first = rest.firstRange(of: begin), let last = rest[first.upperBound...].firstRange(of: end) {
      found.append(rest[first.upperBound..<last.lowerBound])
      rest = rest[last.upperBound...]
    }
    return found
  }
}

/// A device that asks a depot.
final class DepotDevice {
  let depot: RunningDepot
  let name: String
  let card: JSON
  private let key: SigningKey
  var nonce: String?
  var access: String?
  var refresh: String?

  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  init(of depot: RunningDepot) throws {
    self.depot = depot
    let key = try SigningKey.made()
    let agrees = try AgreementKey.made().publicKey
    var sum = try SHA256()
    sum.add(Array("layby device 1".utf8) + key.publicKey.bytes + agrees)
    name = Base64.encodeURL(try sum.value().bytes)
    card = [
      "layby_device": 1, "device": JSON(name), "signs": JSON(Base64.encodeURL(key.publicKey.bytes)),
      "agrees": JSON(Base64.encodeURL(agrees)),
    ]
    self.key = key
  }

  func proof(_ method: String, _ address: String, token: String?) throws -> String {
    let plain = String(address.prefix { $0 != "?" })
    return try RequestProof.sign(
      method, depot.url + plain, token: token, nonce: nonce, at: Int64(time(nil)), with: key)
  }

  /// Goes on with a newer nonce by itself.
  func ask(
    _ method: String, _ address: String, form: [(String, String)]? = nil, json: JSON? = nil, _ more: [String] = []
  ) async throws -> RunningDepot.Answer {
    for _ in 1...2 {
      var words = ["-H", "DPoP: \(try proof(method, address, token: access))"]
      words += method == "HEAD" ? ["--head"] : ["-X", method]
      if let access { words += ["-H", "Authorization: DPoP \(access)"] }
      for (name, value) in form ?? [] { words += ["--data-urlencode", "\(name)=\(value)"] }
      if let json { words += ["-H", "Content-Type: application/json", "--data-binary", json.description] }
      let answer = try await depot.ask(words + more, address)
      nonce = answer.header("DPoP-Nonce") ?? nonce
      if answer.status == 401, answer.text.has("use_dpop_nonce") { continue }
      return answer
    }
    throw Fault(.denied, "T-642", "no nonce was taken")
  }

  func get(_ address: String) async throws -> JSON {
    let answer = try await ask("GET", address)
    #expect(answer.status == 200, "\(address): \(answer.text)")
    return try answer.json
  }

  func token(_ form: [(String, String)]) async throws -> RunningDepot.Answer {
    let former = access
    access = nil
    let answer = try await ask("POST", "/v1/sign-in/token", form: [("client_id", "layby")] + form)
    guard answer.status == 200 else {
      access = former
      return answer
    }
    (access, refresh) = (try answer.json["access_token"]?.string, try answer.json["refresh_token"]?.string)
    return answer
  }

  func begin() async throws -> JSON {
    access = nil
    let answer = try await ask(
      "POST", "/v1/sign-in/device", form: [("client_id", "layby"), ("device", card.description)])
    #expect(answer.status == 200, "\(answer.text)")
    return try answer.json
  }

  @discardableResult
  func signIn(_ account: String, _ password: String) async throws -> RunningDepot.Answer {
    let codes = try await begin()
    let page = try await depot.fillIn(
      "\(codes["verification_uri_complete"]?.string ?? "")",
      [("code", codes["user_code"]?.string ?? ""), ("account", account), ("password", password)])
    #expect(page.status == 200, "\(page.text)")
    return try await token([
      ("grant_type", Self.deviceGrant), ("device_code", codes["device_code"]?.string ?? ""),
    ])
  }

  /// What stands in a signed document.
  static func body(_ signed: JSON?) throws -> JSON {
    let parts = (signed?.string ?? "").split(separator: ".")
    let bytes = parts.count == 3 ? Base64.decodeURL(String(parts[1])) : nil
    return try JSON(parsing: bytes ?? [])
  }
}
