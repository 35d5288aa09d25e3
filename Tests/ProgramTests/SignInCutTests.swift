import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// The player dies at a save, each time at the next one. That a save is all there or not at all is shown elsewhere
  /// (`ReplacingTests`); here it is what the depot and the device make of each other's last word. `LAYBY_LONG=1` dies at
  /// every save.
  @Suite(
    "A power cut while signing in", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct SignInCutTests {
    private static let isLong = getenv("LAYBY_LONG") != nil

    private static func opened(in home: Home, dyingAt step: String? = nil) async throws -> RunningPlayer {
      let environment = step.map { ["LAYBY_DIE_AT=\($0)"] } ?? []
      let player = try await RunningPlayer(in: home, environment: environment)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    /// True when it died; what it died of is asked for by its absence.
    private static func lives(
      in home: Home, dyingAt step: String, _ body: (RunningPlayer) async throws -> Void
    ) async throws -> Bool {
      do {
        let player = try await opened(in: home, dyingAt: step)
        try await body(player)
        player.process.end()
        _ = await player.process.exitCode()
        return true
      } catch { return false }
    }

    private static func state(_ player: RunningPlayer) async throws -> String {
      try await player.ask("sign-in", "state")["depots"]?.items?.first?["state"]?.string ?? ""
    }

    @Test("at each step of the exchange of tokens: the device is signed in still, and the depot goes on with it")
    func refreshing() async throws {
      let home = try Home()
      let service = try await SignedInTests.Service(in: home, pieces: 1)
      let first = try await SignedInTests.opened(service)
      try await SignedInTests.signIn(first, service)
      try await first.stop()
      var deaths = 0
      for step in ["replace.written", "replace.synced", "replace.renamed"] {
        for count in Self.isLong ? Array(1...12) : [2, 3, 4] {
          let lived = try await Self.lives(in: home, dyingAt: "\(step):\(count)") { player in
            try await player.ask("rights", "renew")
          }
          if !lived { deaths += 1 }
        }
      }
      #expect(deaths > 3, "it died \(deaths) times; this shows nothing")
      let last = try await Self.opened(in: home)
      #expect(try await Self.state(last) == "signed in")
      let renewed = try await last.ask("rights", "renew")
      #expect(renewed["renewed"]?.items?.first?["message"] == nil, "\(renewed)")
      #expect(renewed["licences"]?.items?.first?["verdict"] == "plays", "\(renewed)")
      try await last.stop()
    }

    @Test("at each step of signing in: it is signed in or not, and another code signs in")
    func signingIn() async throws {
      for count in Self.isLong ? Array(1...12) : [4, 6] {
        let home = try Home()
        let service = try await SignedInTests.Service(in: home, pieces: 1)
        try home.write(service.settings, to: home.owner)
        _ = try await Self.lives(in: home, dyingAt: "replace.renamed:\(count)") { player in
          try await SignedInTests.signIn(player, service)
          try await player.ask("rights", "renew")
        }
        let again = try await Self.opened(in: home)
        if try await Self.state(again) != "signed in" { try await SignedInTests.signIn(again, service) }
        try await again.ask("rights", "renew")
        try await again.until("licences are here, cut at save \(count)") {
          try await again.ask("rights")["licences"]?.items?.first?["verdict"] == "plays"
        }
        try await again.stop()
      }
    }
  }
}
