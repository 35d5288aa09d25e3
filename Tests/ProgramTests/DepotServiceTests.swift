import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A depot answers devices", .serialized)
  struct DepotServiceTests {
    private static func opened(
      tracks: [String] = ["One/1.flac", "One/2.flac", "Two/1.flac"]
    ) async throws -> (depot: RunningDepot, device: DepotDevice) {
      let depot = try await RunningDepot(in: try Home(), tracks: tracks, "--rate", "1000")
      try await depot.addAccount("mia", "correct horse")
      let device = try DepotDevice(of: depot)
      try await device.signIn("mia", "correct horse")
      return (depot, device)
    }

    @Test("gives the index with the account's lists, and says when it is as it was")
    func index() async throws {
      let (depot, device) = try await Self.opened()
      try await depot.verb("list", "mia", "Own", "Two/1.flac", "One/1.flac")
      try await depot.verb("list", "mia", "This week", "--every", "week", "--tracks", "2")
      let first = try await device.ask("GET", "/v1/index")
      let lists = try first.json["lists"]?.items ?? []
      #expect(try first.json["items"]?.items?.count == 3)
      #expect(lists.map { $0["name"]?.string } == ["Own", "This week"])
      #expect(lists.first?["items"] == ["Two/1.flac", "One/1.flac"] && lists.last?["items"]?.items?.count == 2)
      #expect(try await device.get("/v1/lists")["lists"] == [["name": "This week", "every": "week"]])
      let tag = first.header("ETag") ?? ""
      let same = try await device.ask("GET", "/v1/index", ["-H", "If-None-Match: \(tag)"])
      #expect(same.status == 304 && same.body.isEmpty && same.header("ETag") == tag)
      let head = try await device.ask("HEAD", "/v1/index")
      #expect(head.status == 200 && head.header("Content-Length") == "\(first.body.count)")
      try await depot.verb("list", "mia", "Own", "--remove")
      let other = try await device.ask("GET", "/v1/index", ["-H", "If-None-Match: \(tag)"])
      #expect(other.status == 200)
      #expect(try other.json["lists"]?.items?.count == 1)
      // Another account has none of them.
      try await depot.addAccount("ben", "another long one")
      let stranger = try DepotDevice(of: depot)
      try await stranger.signIn("ben", "another long one")
      #expect(try await stranger.get("/v1/index")["lists"] == [])
      // What it keeps for itself does not make all others fetch their index anew.
      let now = try await device.ask("GET", "/v1/index").header("ETag") ?? ""
      try await depot.verb("list", "ben", "Own", "One/1.flac")
      #expect(try await device.ask("GET", "/v1/index", ["-H", "If-None-Match: \(now)"]).status == 304)
    }

    @Test("gives sealed bytes, and parts of them, by an address that ends; nothing leads out of its folder")
    func media() async throws {
      let (depot, device) = try await Self.opened()
      func address(_ path: String) async throws -> RunningDepot.Answer {
        try await device.ask("POST", "/v1/media", json: ["path": JSON(path)])
      }
      let given = try await address("One/1.flac").json
      let url = given["url"]?.string ?? ""
      #expect(given["ends"]?.whole ?? 0 > Int64(time(nil)) + 3_000)
      let all = try await depot.ask([], url)
      let sealed = try AtomicFile.read(depot.path / "public/One/1.flac", limit: 1 << 24)
      #expect(all.status == 200 && all.body == sealed && all.header("Accept-Ranges") == "bytes")
      let tag = all.header("ETag") ?? ""
      let part = try await depot.ask(["-H", "Range: bytes=10-19"], url)
      #expect(part.status == 206 && part.body == Array(sealed[10..<20]))
      #expect(part.header("Content-Range") == "bytes 10-19/\(sealed.count)")
      #expect(try await depot.ask(["-H", "Range: bytes=10-19", "-H", "If-Range: \(tag)"], url).status == 206)
      #expect(try await depot.ask(["-H", "Range: bytes=10-19", "-H", "If-Range: \"other\""], url).body == sealed)
      let beyond = try await depot.ask(["-H", "Range: bytes=9999999-"], url)
      #expect(beyond.status == 416 && beyond.header("Content-Range") == "bytes */\(sealed.count)")
      #expect(try await depot.ask(["-H", "If-None-Match: \(tag)"], url).status == 304)
      let head = try await depot.ask(["--head"], url)
      #expect(head.status == 200 && head.header("Content-Length") == "\(sealed.count)")
      #expect(try await depot.ask([], try await address("cover.png").json["url"]?.string ?? "").body == [1, 2, 3])

      // Neither another path nor a later end, and nothing that is not in the index.
      let sum = url.split(separator: "=").last ?? ""
      let query = "?until=\(given["ends"]?.whole ?? 0)&sum=\(sum)"
      #expect(try await depot.ask([], "/media/One/2.flac\(query)").status == 403)
      #expect(try await depot.ask([], "/media/One/1.flac?until=99999999999&sum=\(sum)").status == 403)
      #expect(try await depot.ask(["--path-as-is"], "/media/../secret/keys.json\(query)").status == 403)
      for path in ["nothing.flac", "../secret/keys.json", "licences/x.json", "/etc/passwd", ""] {
        #expect(try await address(path).status == 404, "\(path)")
      }
      // A link in the place of the file, or of its folder.
      let file = depot.path / "public/One/1.flac"
      _ = file.withCString { unlink($0) }
      _ = file.withCString { symlink("/etc/passwd", $0) }
      #expect(try await depot.ask([], url).status == 404)
      _ = file.withCString { unlink($0) }
      let aside = depot.path / "aside"
      _ = (depot.path / "public/One").withCString { from in aside.withCString { rename(from, $0) } }
      try AtomicFile.replace(aside / "1.flac", with: [9])
      _ = (depot.path / "public/One").withCString { link in aside.withCString { symlink($0, link) } }
      #expect(try await depot.ask([], url).status == 404)
    }

    @Test("gives licences by the subscription, keeps their serials, and says what was taken back")
    func licences() async throws {
      let (depot, device) = try await Self.opened()
      func listed() async throws -> [JSON] { try await device.get("/v1/licences")["licences"]?.items ?? [] }
      func give(_ ids: [JSON]) async throws -> RunningDepot.Answer {
        try await device.ask("POST", "/v1/licences", json: ["ids": .list(ids)])
      }
      let ids = try await listed().compactMap { $0["id"] }
      #expect(ids.count == 2)
      let bundle = try await give(ids).json
      let one = try DepotDevice.body(bundle["licences"]?.items?.first)
      #expect(one["device"] == JSON(device.name) && one["keys"]?.items?.count == 2 && one["needs"] == nil, "\(one)")
      #expect(try DepotDevice.body(bundle["keys"])["keys"]?.items?.count == 3)
      // What it has is not due anew.
      #expect(try await listed().first?["serial"] == one["serial"])
      #expect(try await listed().first?["exp"] == one["exp"])
      let number = try DepotDevice.body(bundle["statement"])["number"]?.whole ?? 0

      // A track that is sealed anew has another key, so its licence is due.
      try await depot.importing(["One/1.flac", "One/2.flac", "Two/1.flac"], version: 2)
      // The depot looks at its files also while an import goes on, and then has the keys of some of it.
      var newer = JSON.null
      try await Self.until {
        newer = try DepotDevice.body(try await give([ids[0]]).json["licences"]?.items?.first)
        return newer["keys"]?.items?.count == 4
      }
      #expect(newer["serial"]?.whole ?? 0 > one["serial"]?.whole ?? 0)

      // A licence under a subscription needs it; without one there is none.
      try await depot.verb("subscription", "mia", "active")
      let paid = try await give([ids[0]]).json
      #expect(try DepotDevice.body(paid["licences"]?.items?.first)["needs"] == "subscription")
      try await depot.verb("subscription", "mia", "lapsed", "--grace-days", "3")
      let statement = try await device.get("/v1/statement")
      let said = try DepotDevice.body(statement["statement"])
      #expect(said["subscription"] == "lapsed" && said["grace_until"]?.whole ?? 0 > Int64(time(nil)))
      #expect(said["number"]?.whole ?? 0 > number)
      #expect(try await give([ids[0]]).status == 200)
      try await depot.verb("subscription", "mia", "cancelled")
      #expect(try await give([ids[0]]).status == 403)
      #expect(try await listed().isEmpty)
      #expect(try await device.ask("POST", "/v1/media", json: ["path": "One/1.flac"]).status == 403)
      #expect(try await device.get("/v1/account")["subscription"] == "cancelled")
      try await depot.verb("subscription", "mia", "none")

      // Taken back: an album, a track, the device.
      try await depot.verb("revoke", "Two", "--why", "withdrawn <by> its maker")
      let revoked = try DepotDevice.body(try await device.get("/v1/statement")["statement"])["revoked"]
      #expect(revoked?["licences"]?.items?.first?["id"] == ids[1])
      #expect(revoked?["licences"]?.items?.first?["why"] == 0)
      #expect(revoked?["reasons"] == ["withdrawn <by> its maker"])
      #expect(revoked?["tracks"]?.items?.count == 2)
      #expect(try await listed().map { $0["id"] } == [ids[0]])
      #expect(try await device.get("/v1/index")["items"]?.items?.count == 2)
      #expect(try await device.ask("POST", "/v1/media", json: ["path": "Two/1.flac"]).status == 404)
      try await depot.verb("revoke", "Two", "--undo")
      #expect(try await listed().count == 2)
      try await depot.verb("revoke", device.name, "--why", "stolen")
      #expect(try await give([ids[0]]).status == 403)
      let last = try DepotDevice.body(try await device.get("/v1/statement")["statement"])
      #expect(last["revoked"]?["device"] == "stolen")
    }

    /// The program looks at its files each second.
    private static func until(_ isSo: () async throws -> Bool) async throws {
      let end = Moment.now + patience
      while Moment.now < end {
        if try await isSo() { return }
      }
      Issue.record("it did not come to it")
    }

    @Test("lists what changed in the order in which it was committed, and begins anew for a token of another list")
    func changes() async throws {
      let (depot, device) = try await Self.opened()
      let begin = try await device.get("/v1/changes")["next"]?.string ?? ""
      try await depot.importing(["One/1.flac", "Three/1.flac"], version: 1)
      func changes(_ since: String, _ limit: Int = 100) async throws -> JSON {
        try await device.get("/v1/changes?since=\(since)&limit=\(limit)")
      }
      try await Self.until { try await changes(begin)["changes"]?.items?.count == 3 }
      let all = try await changes(begin)["changes"]?.items ?? []
      #expect(
        all.contains(["path": "Three/1.flac", "gone": false]) && all.contains(["path": "One/2.flac", "gone": true]))
      // A page at a time it is the same.
      var (paged, token, isMore) = ([JSON](), begin, true)
      while isMore {
        let page = try await changes(token, 1)
        paged += page["changes"]?.items ?? []
        (token, isMore) = (page["next"]?.string ?? "", page["more"] == true)
      }
      #expect(paged == all)
      #expect(try await changes(token)["changes"] == [])
      try await depot.verb("list", "mia", "Own", "One/1.flac")
      #expect(try await changes(token)["changes"] == [["list": "Own", "gone": false]])
      try await depot.addAccount("ben", "another long one")
      try await depot.verb("list", "ben", "His", "One/1.flac")
      #expect(try await changes(token)["changes"]?.items?.count == 1)
      let parts = token.split(separator: ".")
      for other in ["00.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).5", "\(parts[0]).9999.\(parts[2])"] {
        #expect(try await device.ask("GET", "/v1/changes?since=\(other)").status == 410, "\(other)")
      }
      #expect(try await device.ask("GET", "/v1/changes?since=nonsense").status == 400)
    }

    @Test("pages through all items, and finds them by the beginnings of words in any script")
    func catalogue() async throws {
      let (_, device) = try await Self.opened(tracks: (1...7).map { "One/\($0).flac" } + ["Две/1.flac"])
      var (paths, after) = ([String](), "0")
      repeat {
        let page = try await device.get("/v1/catalogue?limit=3&after=\(after)")
        paths += (page["items"]?.items ?? []).compactMap { $0["path"]?.string }
        after = page["next"]?.string ?? ""
      } while !after.isEmpty
      #expect(paths.count == 8 && Set(paths).count == 8)
      func found(_ question: String) async throws -> [String] {
        try await device.get("/v1/search?q=\(question)")["items"]?.items?.compactMap { $0["path"]?.string } ?? []
      }
      #expect(try await found("bela").count == 8)
      #expect(try await found("%D0%94%D0%B2") == ["Две/1.flac"])
      #expect(try await found("so+7") == ["One/7.flac"])
      for nothing in ["%22+OR+%22", "song*NOT", "title:song", "zzz"] {
        #expect(try await found(nothing).isEmpty, "\(nothing)")
      }
      #expect(try await device.ask("GET", "/v1/search?q=").status == 400)
      #expect(try await device.ask("GET", "/v1/catalogue?limit=0").status == 400)
    }

    @Test("flags and what a device says of itself")
    func flags() async throws {
      let (depot, device) = try await Self.opened()
      try await depot.verb("flag", "new_lists", "on")
      #expect(try await device.get("/v1/flags")["flags"] == ["new_lists": true])
      let ids = try await device.get("/v1/licences")["licences"]?.items?.compactMap { $0["id"] } ?? []
      try await depot.stop()
      try await depot.start(["--needs-integrity", "--rate", "1000"])
      func give() async throws -> Int {
        try await device.ask("POST", "/v1/licences", json: ["ids": .list(ids)]).status
      }
      #expect(try await give() == 403)
      func say(_ root: JSON, _ isTraced: Bool) async throws -> Int {
        try await device.ask("POST", "/v1/integrity", json: ["image": "1", "root": root, "traced": JSON(isTraced)])
          .status
      }
      #expect(try await say("verified", true) == 204)
      #expect(try await give() == 403)
      #expect(try await say("verified", false) == 204)
      #expect(try await give() == 200)
      #expect(try await say("good", false) == 400)
    }

    @Test("refuses what is too long, of another kind, for another name, or too often, and says so")
    func bounds() async throws {
      let (depot, device) = try await Self.opened()
      let long = depot.home.folder / "long"
      try AtomicFile.replace(long, with: [UInt8](repeating: 0x20, count: 70_000))
      for more in [[], ["-H", "Transfer-Encoding: chunked"]] {
        let words = ["-H", "Content-Type: application/json", "--data-binary", "@\(long)"] + more
        #expect(try await depot.ask(words, "/v1/media").status == 413, "\(more)")
      }
      #expect(
        try await device.ask("POST", "/v1/media", json: ["path": 1], ["-H", "Content-Type: text/plain"]).status == 415)
      #expect(try await device.ask("POST", "/v1/media", json: ["path": 1]).status == 400)
      #expect(
        try await device.ask("POST", "/v1/licences", json: ["ids": .list((0...50).map { JSON("\($0)") })]).status == 400
      )
      let method = try await depot.ask(["-X", "PUT"], "/v1/licences")
      #expect(method.status == 405 && method.header("Allow") == "GET, HEAD, POST")
      #expect(method.header("Content-Type") == "application/problem+json")
      #expect(try await depot.ask([], "/v1/nothing").status == 404)
      #expect(try await depot.ask([], "/v1/time?nonce=AAAA").status == 400)
      #expect(try await depot.ask([], "/v1/time?nonce=\(String(repeating: "A", count: 5_000))").status == 414)
      #expect(try await depot.ask(["-H", "Host: evil.example"], "/v1/service").status == 421)
      #expect(try await depot.ask(["-H", "X: \(String(repeating: "a", count: 60_000))"], "/v1/service").status >= 400)
      let time = try await depot.ask([], "/v1/time?nonce=AAAAAAAAAAAAAAAAAAAAAA").json["time"]
      #expect(try DepotDevice.body(time)["nonce"] == "AAAAAAAAAAAAAAAAAAAAAA")

      // Another process writes for too long; what cannot be kept is not said to be done.
      let lock = open("\(depot.path / "secret/service.lock")", O_RDWR | O_CLOEXEC)
      #expect(flock(lock, LOCK_EX) == 0)
      let busy = try await device.ask("GET", "/v1/statement")
      #expect(busy.status == 503 && busy.header("Retry-After") != nil)
      #expect(try await depot.ask([], "/healthz").status == 503)
      close(lock)
      #expect(try await device.ask("GET", "/v1/statement").status == 200)

      try await depot.stop()
      try await depot.start(["--rate", "1"])
      var last = RunningDepot.Answer()
      for _ in 1...12 where last.status != 429 { last = try await depot.ask([], "/v1/service") }
      #expect(last.status == 429 && Int(last.header("Retry-After") ?? "") ?? 0 > 0)
    }

    @Test("a disk that takes nothing more is answered with 503, and works again when there is room")
    func fullDisk() async throws {
      let (depot, device) = try await Self.opened()
      #expect(try await depot.ask([], "/healthz").json == ["ok": true])
      try await depot.stop()
      // No file may be longer than 64 KB from now on, so the database's log is full after a few answers.
      try await depot.start(through: ["bash", "-c", "ulimit -f 64; exec \"$@\"", "bash"], ["--rate", "1000"])
      var full = RunningDepot.Answer()
      repeat { full = try await device.ask("GET", "/v1/statement") } while full.status == 200
      #expect(full.status == 503 && full.header("Retry-After") != nil, "\(full.text)")
      // What is asked for health takes a little room too, until there is none.
      try await Self.until { try await depot.ask([], "/healthz").status == 503 }
      try await depot.stop()
      try await depot.start(["--rate", "1000"])
      #expect(try await device.ask("GET", "/v1/statement").status == 200)
    }

    @Test("a depot without accounts, and one of before, go on; what is taken back stands in devices' files")
    func files() async throws {
      let home = try Home()
      let depot = try await RunningDepot(in: home)
      try await depot.stop()
      // As an older program wrote it.
      let keys = depot.path / "secret/keys.json"
      var members = try JSON(parsing: AtomicFile.read(keys, limit: 1 << 16)).members ?? []
      members.removeAll { !["root", "licences", "licences_kid"].contains($0.key) }
      try AtomicFile.replace(keys, with: JSON.object(JSON.Object(members.map { ($0.key, $0.value) })).bytes)
      let root = try await depot.verb("root")
      for name in ["", "-wal", "-shm"] { _ = (depot.path / "secret/service.db\(name)").withCString { unlink($0) } }
      let device = try DepotDevice(of: depot)
      try home.write(device.card.description, to: home.folder / "card")
      func bundle() throws -> JSON {
        try JSON(parsing: AtomicFile.read(depot.path / "public/licences/\(device.name).json", limit: 1 << 20))
      }
      try await depot.verb("licence", "\(home.folder / "card")", "--subscription", "--play-days", "2")
      #expect(try bundle()["statement"] == nil)
      let licence = try DepotDevice.body(try bundle()["licences"]?.items?.first)
      #expect(licence["needs"] == "subscription" && licence["play_days"] == 2)
      try await depot.verb("revoke", "One/1.flac", "--why", "a mistake")
      let first = try DepotDevice.body(try bundle()["statement"])
      #expect(first["revoked"]?["tracks"]?.items?.first?["why"] == 0)
      #expect(first["revoked"]?["reasons"] == ["a mistake"])
      try await depot.verb("licence", "\(home.folder / "card")")
      let second = try DepotDevice.body(try bundle()["statement"])
      #expect(second["number"]?.whole ?? 0 > first["number"]?.whole ?? 0)
      try await depot.verb("revoke", device.name, "--why", "lost")
      #expect(try bundle()["licences"] == [])
      #expect(try await depot.verb("root") == root)
      // Nobody else reads what is known of people.
      for name in home.names(in: depot.path / "secret") {
        var found = stat()
        #expect(
          (depot.path / "secret" / name).withCString { stat($0, &found) } == 0 && found.st_mode & 0o077 == 0, "\(name)")
      }
    }

    @Test("an account's quality and what is taken back hold for all versions of a track, on every way to them")
    func versions() async throws {
      let (depot, device) = try await Self.opened()
      let tracks = ["One/1.flac", "One/2.flac", "Two/1.flac"]
      try await depot.importing(tracks, version: 2, smaller: ["high", "low"])
      func address(_ path: String) async throws -> Int {
        try await device.ask("POST", "/v1/media", json: ["path": JSON(path)]).status
      }
      func given() async throws -> [JSON] {
        let ids = try await device.get("/v1/licences")["licences"]?.items?.compactMap { $0["id"] } ?? []
        let answer = try await device.ask("POST", "/v1/licences", json: ["ids": .list(ids)]).json
        return try answer["licences"]?.items?.map { try DepotDevice.body($0) } ?? []
      }
      try await Self.until { try await address("Two/1.flac.low") == 200 }
      #expect(try await device.get("/v1/account")["quality"] == "lossless")
      #expect(try await given().allSatisfy { $0["quality"] == nil && $0["better"] == nil })

      try await depot.verb("account", "quality", "mia", "high")
      #expect(try await device.get("/v1/account")["quality"] == "high")
      #expect(try await device.get("/v1/index")["quality"] == "high")
      #expect(
        try await [address("One/1.flac"), address("One/1.flac.high"), address("One/1.flac.low")] == [403, 200, 200])
      let limited = try await given().first { $0["title"] == "Two" }
      // Of this track there are two keys of former and present bytes at the best quality.
      #expect(limited?["quality"] == "high" && limited?["keys"]?.items?.count == 2, "\(String(describing: limited))")
      #expect(limited?["better"]?.items?.count == 2, "\(String(describing: limited))")
      // The same by the file of a static depot.
      try depot.home.write(device.card.description, to: depot.home.folder / "card")
      try await depot.verb("licence", "\(depot.home.folder / "card")")
      let file = try JSON(
        parsing: AtomicFile.read(depot.path / "public/licences/\(device.name).json", limit: 1 << 20))
      for licence in try file["licences"]?.items?.map({ try DepotDevice.body($0) }) ?? [] {
        #expect(licence["quality"] == "high" && !(licence["better"]?.items ?? []).isEmpty)
      }
      // Where the database says what nobody knows, it is the least.
      try await depot.verb("account", "quality", "mia", "low")
      #expect(try await [address("One/1.flac.high"), address("One/1.flac.low")] == [403, 200])

      try await depot.verb("account", "quality", "mia", "all")
      try await depot.verb("revoke", "Two/1.flac", "--why", "withdrawn")
      #expect(
        try await [address("Two/1.flac"), address("Two/1.flac.high"), address("Two/1.flac.low")] == [404, 404, 404])
      #expect(try await given().map { $0["title"] } == ["One"])
      // Sealed anew it is taken back still.
      try await depot.importing(tracks, version: 3, smaller: ["high", "low"])
      try await Self.until { try await given().first?["keys"]?.items?.count == 14 }
      #expect(try await given().map { $0["title"] } == ["One"])
    }

    @Test("one command makes a depot with an album, an account and lists, and answers")
    func demo() async throws {
      let home = try Home()
      let output = home.folder / "demo.out"
      let process = try ChildProcess(
        [Built.depot, "--demo", "--state", "\(home.folder / "demo")", "--port", "0"], output: output, errors: home.log)
      let end = Moment.now + .seconds(120)
      while !RunningDepot.text(output).has("trust = "), Moment.now < end {
        guard await Poll.readable([process.ended], within: .milliseconds(100)).isEmpty else { break }
      }
      let said = RunningDepot.text(output)
      let url = said.components(between: "listens at ", and: "\n")
      let password = said.components(between: "with the password ", and: "\n")
      let depot = try RunningDepot(in: home, at: url)
      let device = try DepotDevice(of: depot)
      #expect(try await device.signIn("demo", password).status == 200, "\(said) \(RunningDepot.text(home.log))")
      let index = try await device.get("/v1/index")
      #expect(index["items"]?.items?.count == 3)
      #expect(try await device.get("/v1/lists")["lists"]?.items?.count == 2)
      // Its keeper and it see at once what the other has written, each time.
      let keeper = home.folder / "demo/depot"
      for (place, name) in ["Road", "Sea", "Night"].enumerated() {
        let words = [Built.depot, "list", "\(keeper)", "demo", name, "--every", "day"]
        #expect(try await Finished(words, in: home).code == 0)
        #expect(try await device.get("/v1/lists")["lists"]?.items?.count == 3 + place, "\(name)")
        #expect(try await DepotDevice(of: depot).signIn("demo", password).status == 200)
        let listed = try await Finished([Built.depot, "account", "\(keeper)", "list"], in: home).output
        #expect(listed.has("\(2 + place) devices"), "\(listed)")
      }
      // What it prints for layby.conf is all that a device needs to ask for a code.
      let section = said.split(separator: "\n").filter { $0.hasPrefix("    ") }.joined(separator: "\n")
      try home.write(section, to: home.owner)
      let player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      #expect(try await player.ask("sign-in")["sign_in"]?["code"]?.string?.isEmpty == false, "\(section)")
      process.end()
    }
  }
}

extension String {
  fileprivate func components(between begin: String, and end: String) -> String {
    guard let first = firstRange(of: begin) else { return "" }
    return String(self[first.upperBound...].prefix { String($0) != end })
  }
}
