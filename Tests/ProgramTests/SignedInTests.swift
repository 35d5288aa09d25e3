import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "An account of a depot", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct SignedInTests {
    /// A depot that answers, with one account and one album.
    final class Service {
      let home: Home
      let root: String
      private(set) var process: ChildProcess
      private(set) var address: String
      var path: FilePath { home.folder / "depot" }
      static let password = "correct horse"

      /// `withSmaller`: of each track a version of high quality, too.
      init(in home: Home, pieces: Int, withSmaller: Bool = false) async throws {
        self.home = home
        let (music, path) = (home.folder / "music", home.folder / "depot")
        try Folder.make(music)
        for number in 1...pieces {
          let made = try await home.flac("made \(number)", seconds: 6)
          try await tool(
            "metaflac", "--set-tag=TITLE=Track \(number)", "--set-tag=ARTIST=The Faraways", "--set-tag=ALBUM=Elsewhere",
            "--set-tag=TRACKNUMBER=\(number)", "\(made)", in: home)
          let moved = made.withCString { from in (music / "\(number).flac").withCString { rename(from, $0) } }
          #expect(moved == 0)
        }
        _ = try await Finished([Built.layby, "index", "\(music)"], in: home)
        if withSmaller { try await Self.addSmaller(to: music, in: home) }
        root = String(try await Finished([Built.depot, "new", "\(path)"], in: home).output.dropLast())
        let sealed = try await Finished([Built.depot, "import", "\(path)", "\(music)"], in: home)
        #expect(sealed.code == 0, "\(sealed)")
        try home.write(Self.password + "\n", to: home.folder / "password")
        let account = try await Finished(
          [Built.depot, "account", "\(path)", "add", "ada", "--password-from", "\(home.folder / "password")"], in: home)
        #expect(account.code == 0, "\(account)")
        (process, address) = try await Self.started(path, in: home, port: 0)
        try await say("subscription", "ada", "active")
      }

      /// Nobody but the index tells which version a file is, so another sound does.
      private static func addSmaller(to music: FilePath, in home: Home) async throws {
        let index = music / "layby-index.json"
        var text = String(decoding: try AtomicFile.read(index, limit: 1 << 20), as: UTF8.self)
        let items = try #require(try JSON(parsing: Array(text.utf8))["items"]?.items)
        for item in items {
          let path = try #require(item["path"]?.string)
          let made = try await home.flac("small \(path)", seconds: 3)
          let moved = made.withCString { from in (music / "small-\(path)").withCString { rename(from, $0) } }
          #expect(moved == 0)
          let bytes = try AtomicFile.read(music / "small-\(path)", limit: 1 << 24)
          let sum = try await Finished(["/usr/bin/sha256sum", "\(music / "small-\(path)")"], in: home).output.prefix(64)
          let variant =
            "\"variants\":{\"high\":{\"path\":\"small-\(path)\",\"size\":\(bytes.count),\"sha256\":\"\(sum)\"}}"
          text = text.replacing("\"path\":\"\(path)\"", with: "\"path\":\"\(path)\",\(variant)")
        }
        try home.write(text, to: index)
      }

      private static func started(
        _ path: FilePath, in home: Home, port: Int, _ options: [String] = []
      ) async throws -> (ChildProcess, String) {
        let output = home.folder / "depot.out"
        _ = output.withCString { unlink($0) }
        let process = try ChildProcess(
          [Built.depot, "serve", "\(path)", "--port", "\(port)"] + options, output: output,
          errors: home.folder / "depot.err")
        let waits = "until grep -q 'listens at' \(output); do sleep 0.05; done"
        let waited = try await Finished(["/bin/sh", "-c", waits], in: home)
        try #require(waited.code == 0 && !process.hasEnded, "the depot has ended")
        let text = String(decoding: try AtomicFile.read(output, limit: 1 << 20), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("listens at ") })
        return (process, String(line.dropFirst("listens at ".count)) + "/")
      }

      @discardableResult
      func say(_ words: String...) async throws -> String {
        let done = try await Finished([Built.depot, words[0], "\(path)"] + words.dropFirst(), in: home)
        #expect(done.code == 0, "\(words): \(done)")
        return done.output
      }

      func goAway() async {
        process.end()
        _ = await process.exitCode()
      }

      /// At the same address as before.
      func comeBack(_ options: String...) async throws {
        let port = address.dropLast().split(separator: ":").last.flatMap { Int($0) } ?? 0
        (process, address) = try await Self.started(path, in: home, port: port, options)
      }

      var settings: String {
        "[sound]\nstart_volume = 100\n[offline]\nsettling = 0s\n[source club]\nkind = depot\nurl = \(address)\n"
          + "trust = \(root)\n"
      }

      /// As a person does on a telephone.
      func letIn(_ code: JSON?, as account: String = "ada", password: String = Service.password) async throws -> String
      {
        let page = try #require(code?["whole_address"]?.string)
        return try await letIn(atPage: page, ["code": code?["code"]?.string ?? ""], as: account, password: password)
      }

      /// Fills the page's form in, and goes where that leads.
      func letIn(
        atPage page: String, _ fields: KeyValuePairs<String, String> = [:], as account: String = "ada",
        password: String = Service.password
      ) async throws -> String {
        let cookies = "\(home.folder / "cookies")"
        let form = try await Finished(["/usr/bin/curl", "-s", "-c", cookies, "-b", cookies, page], in: home).output
        var filled = form.matches(of: /type="hidden" name="([^"]+)" value="([^"]*)"/).map { match in
          (String(match.1), String(match.2).replacing("&amp;", with: "&"))
        }
        #expect(!filled.isEmpty, "\(form)")
        filled += [("account", account), ("password", password)] + fields.map { ($0.key, $0.value) }
        var words = ["/usr/bin/curl", "-s", "-L", "-c", cookies, "-b", cookies]
        for (name, value) in filled { words += ["--data-urlencode", "\(name)=\(value)"] }
        words += ["-H", "Origin: \(address.dropLast())", String(page.prefix { $0 != "?" })]
        return try await Finished(words, in: home).output
      }

      deinit { process.end() }
    }

    static func opened(_ service: Service) async throws -> RunningPlayer {
      try service.home.write(service.settings, to: service.home.owner)
      let player = try await RunningPlayer(in: service.home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    static func signIn(_ player: RunningPlayer, _ service: Service) async throws {
      let begun = try await player.ask("sign-in")
      let said = try await service.letIn(begun["sign_in"])
      try await player.until("it is signed in: \(said)") {
        try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed in"
      }
    }

    @Test("a code that somebody types signs in; then it comes sealed, plays, and goes on after a start without a code")
    func signsIn() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 2)
      let player = try await Self.opened(service)
      #expect(try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed out")
      // Without an account nothing is listed, and it is said why.
      let nothing = try await player.answer("offline", ["want", "album", "Elsewhere"])
      #expect(nothing["ok"] == false, "\(nothing)")
      let begun = try await player.ask("sign-in")
      let wrong = try await service.letIn(begun["sign_in"], password: "wrong")
      #expect(!wrong.isEmpty)
      #expect(try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "waiting")
      try await Self.signIn(player, service)
      try await player.until("licences are here") {
        try await player.ask("rights")["licences"]?.items?.first?["verdict"] == "plays"
      }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
      try await player.ask("queue", "play", "tracks")
      try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      try await player.stop()
      // No token, code or password stands in what the program wrote.
      try Self.expectNoSecrets(in: home)

      let again = try await RunningPlayer(in: home)
      try await again.until("it can be asked what is kept") { try await again.answer("offline")["ok"] == true }
      #expect(try await again.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed in")
      let renewed = try await again.ask("rights", "renew")
      #expect(renewed["renewed"]?.items?.first?["new"] == 1, "\(renewed)")
      let out = try await again.ask("sign-out")
      #expect(out["signed_out"] == "club", "\(out)")
      #expect(try await again.ask("rights")["licences"]?.items?.isEmpty == true)
      try await again.ask("queue", "play", "tracks")
      try await again.logs(["E-160"])
      try await again.stop()
    }

    private static func expectNoSecrets(in home: Home) throws {
      let session = try AtomicFile.read(home.state / "rights/sessions/club", limit: 1 << 16)
      #expect(!String(decoding: session, as: UTF8.self).contains("refresh"))
      var found = stat()
      let mode = (home.state / "rights/sessions/club").withCString { lstat($0, &found) }
      #expect(mode == 0 && found.st_mode & 0o077 == 0)
    }

    @Test("a browser of the same machine signs in, and comes back with a code that only this device can use")
    func browser() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      let output = home.folder / "sign-in.out"
      let verb = try ChildProcess(
        [Built.layby, "sign-in", "--browser", "--run", "\(home.run)"], output: output, errors: home.log)
      let waits = "until grep -q code_challenge \(output); do sleep 0.05; done; grep code_challenge \(output)"
      let page = try await Finished(["/bin/sh", "-c", waits], in: home).output.split(separator: "\n").joined()
      let back = try #require(page.firstMatch(of: /127\.0\.0\.1%3A([0-9]+)%2Fback/)?.1)
      // Who guesses gets nothing, and ends nothing.
      let guess = "http://127.0.0.1:\(back)/back?code=x&state=y"
      let turned = try await Finished(
        ["/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", guess], in: home)
      #expect(turned.output == "404")
      let said = try await service.letIn(atPage: page)
      #expect(said.contains("Thank you"), "\(said)")
      #expect(await verb.exitCode() == 0)
      #expect(try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed in")
      try await player.until("licences are here") {
        try await player.ask("rights")["licences"]?.items?.first?["verdict"] == "plays"
      }
      try await player.stop()
    }

    @Test("an account for less quality gets that; what is here and better is refused, gives way, and comes again")
    func quality() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1, withSmaller: true)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      try await player.ask("offline", "want", "album", "Elsewhere")
      /// Which version it is, its size tells.
      func expect(_ name: String, _ what: String) async throws {
        let bytes = try AtomicFile.read(service.path / "public" / name, limit: 1 << 24).count
        try await player.until(what) {
          let line = try await player.ask("offline", "state", "album", "Elsewhere")["items"]?.items?.first
          let tracks = try await player.ask("library")["tracks"]?.whole
          return line?["state"] == "kept" && line?["size"]?.whole == Int64(bytes) && tracks == 1
        }
      }
      func plays() async throws {
        try await player.ask("queue", "play", "tracks")
        try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      }
      try await expect("1.flac", "the best is here")
      try await plays()
      try await service.say("account", "quality", "ada", "high")
      let limited = try await player.ask("rights", "renew")["licences"]?.items?.first
      #expect(limited?["quality"] == "high" && limited?["tracks"] == 1, "\(String(describing: limited))")
      try await player.ask("queue", "play", "tracks")
      try await player.logs(["E-174"])
      try await player.ask("offline", "refresh")
      try await expect("small-1.flac", "what it may have has taken its place")
      try await plays()
      try await service.say("account", "quality", "ada", "all")
      #expect(try await player.ask("rights", "renew")["licences"]?.items?.first?["quality"] == nil)
      try await player.ask("offline", "refresh")
      try await expect("1.flac", "the best is back")
      try await plays()
      try await player.stop()
    }

    @Test("a lapsed subscription plays; an ended one has its music removed and says so; paid again it comes back")
    func subscription() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 1 }
      try await service.say("subscription", "ada", "lapsed", "--grace-days", "5")
      let lapsed = try await player.ask("rights", "renew")
      #expect(lapsed["licences"]?.items?.first?["verdict"] == "unpaid", "\(lapsed)")
      #expect(lapsed["statements"]?.items?.first?["subscription"] == "lapsed", "\(lapsed)")
      try await player.ask("queue", "play", "tracks")
      try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      try await service.say("subscription", "ada", "cancelled")
      try await player.ask("rights", "renew")
      try await player.until("its music is removed") { try await player.ask("library")["tracks"]?.whole == 0 }
      try await player.logs(["E-166"])
      try await service.say("subscription", "ada", "active")
      try await player.ask("rights", "renew")
      try await player.until("it comes back") { try await player.ask("library")["tracks"]?.whole == 1 }
      try await player.stop()
    }

    @Test("a depot that gives licences to sound devices alone is told what this one is, and refuses it with the reason")
    func integrity() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      try await player.until("licences are here") {
        try await player.ask("rights")["licences"]?.items?.first?["verdict"] == "plays"
      }
      await service.goAway()
      try await service.comeBack("--needs-integrity")
      let refused = try await player.ask("rights", "renew")
      let why = refused["renewed"]?.items?.first?["message"]?.string ?? ""
      #expect(why.contains("licences are for devices"), "\(refused)")
      // What is here plays on.
      #expect(refused["licences"]?.items?.first?["verdict"] == "plays", "\(refused)")
      try await player.stop()
    }

    @Test("a depot switches a feature at once, for a share of devices, and takes it back; a start remembers it")
    func flags() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      func word(_ player: RunningPlayer, _ flag: String) async throws -> JSON? {
        try await player.ask("health")["flags"]?.items?.first { $0["flag"]?.string == flag }?["why"]
      }
      try await service.say("flag", "look-after", "off")
      try await service.say("flag", "http2", "on", "--share", "0")
      try await player.ask("rights", "renew")
      #expect(try await word(player, "look-after") == "off, by the service")
      #expect(try await word(player, "http2") == "off until layby.conf says on")
      try await player.stop()
      // Where the depot cannot be asked, what it said last counts.
      await service.goAway()
      let again = try await RunningPlayer(in: home)
      try await again.until("it can be asked what is kept") { try await again.answer("offline")["ok"] == true }
      #expect(try await word(again, "look-after") == "off, by the service")
      try await service.comeBack()
      try await service.say("flag", "look-after", "remove")
      try await again.ask("rights", "renew")
      #expect(try await word(again, "look-after") == "on")
      // Without an account nobody else's word counts.
      try await service.say("flag", "http2", "on")
      try await again.ask("rights", "renew")
      #expect(try await word(again, "http2") == "on, by the service")
      try await again.ask("sign-out")
      try await again.until("its word is forgotten") {
        try await word(again, "http2") == "off until layby.conf says on"
      }
      try await again.stop()
    }

    @Test("signed out while the depot is away, the device's place is given back when it can be reached")
    func signsOutLater() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      #expect(try await service.say("account", "list").contains("1 device"))
      await service.goAway()
      #expect(try await player.ask("sign-out")["signed_out"] == "club")
      #expect(try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed out")
      #expect(try await player.ask("rights")["licences"]?.items?.isEmpty == true)
      try await player.stop()
      // A start in between forgets neither.
      let again = try await RunningPlayer(in: home)
      try await again.until("it can be asked what is kept") { try await again.answer("offline")["ok"] == true }
      #expect(try await again.ask("sign-in", "state")["depots"]?.items?.first?["state"] == "signed out")
      try await service.comeBack()
      try await again.ask("rights", "renew")
      let listed = try await service.say("account", "list")
      #expect(listed.contains("0 devices"), "\(listed)")
      try await Self.signIn(again, service)
      try await again.stop()
    }

    @Test("an album that the depot takes back is removed, and the reason is told")
    func revoked() async throws {
      let home = try Home()
      let service = try await Service(in: home, pieces: 1)
      let player = try await Self.opened(service)
      try await Self.signIn(player, service)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 1 }
      try await service.say("revoke", "1.flac", "--why", "withdrawn by its label")
      try await player.ask("rights", "renew")
      try await player.until("its music is removed") { try await player.ask("library")["tracks"]?.whole == 0 }
      try await player.logs(["E-167", "withdrawn by its label"])
      try await player.stop()
    }
  }
}
