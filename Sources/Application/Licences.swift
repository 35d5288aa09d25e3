import Rights
import Runtime
import Services

/// The licences of this device for sealed music, and the accounts that it is signed in to.
@MainLoop
package final class Licences {
  /// What came of asking a source for its licences.
  package struct Renewal: Sendable {
    package let source: String
    package let outcome: Result<DeviceRights.Taken, Fault>

    package init(_ source: String, _ outcome: Result<DeviceRights.Taken, Fault>) {
      (self.source, self.outcome) = (source, outcome)
    }
  }

  /// A source that wants somebody to sign in, and whether somebody has.
  package struct SignIn: Sendable {
    package let source: String
    package let state: SignInState
  }

  /// The device's rights, or why they cannot be had; nil when no source of the owner's file gives licences.
  private let device: Result<any RightsKeeper, Fault>?
  /// Asks sources for licences. It is nil until they can be asked.
  package weak var fetcher: (any LicenceFetching)?

  package init(_ device: Result<any RightsKeeper, Fault>?) { self.device = device }

  /// False where the owner's file trusts no source with them.
  package var areGiven: Bool { device != nil }

  package var rights: any RightsKeeper {
    get throws(Fault) {
      guard let device else {
        throw Fault(
          .missing, "X-230",
          "no source gives licences; a line trust in its [source NAME] of layby.conf names its root key")
      }
      return try device.get()
    }
  }

  private var asking: any LicenceFetching {
    get throws(Fault) {
      guard let fetcher else { throw Fault(.busy, "X-231", "licences cannot be fetched yet; sources are being opened") }
      return fetcher
    }
  }

  /// What this device may play, and by what clock.
  package struct Known: Sendable {
    package let lines: [DeviceRights.Line]
    package let accounts: [DeviceRights.Account]
    package let standing: KeeperStanding
    package let time: HonestClock.Time
  }

  package func known() async throws(Fault) -> Known {
    try await rights.asked { keeper throws(Fault) -> Known in
      // With one service it is the time that counts for its licences.
      let sources = keeper.sources
      return Known(
        lines: try keeper.lines(), accounts: try keeper.accounts(), standing: try keeper.standing,
        time: try keeper.time(of: sources.count == 1 ? sources[0] : nil))
    }
  }

  package func renew() async throws(Fault) -> [Renewal] {
    let rights = try rights
    return try await asking.askAll(rights, isAsked: true)
  }

  /// From now on this is another device: its services are to know it by its new card before they give it licences.
  package func rotate() async throws(Fault) {
    let rights = try rights
    try await asking.rotate(rights)
  }

  // MARK: Accounts

  package var depots: [DepotClient] { fetcher?.depots ?? [] }

  package func signIns() async -> [SignIn] {
    var all: [SignIn] = []
    for depot in depots { all.append(SignIn(source: depot.id, state: await depot.state())) }
    return all
  }

  /// The one that is named, or the only one.
  private func depot(_ name: String?) throws(Fault) -> DepotClient {
    _ = try rights
    let depots = try asking.depots
    if let name {
      guard let found = depots.first(where: { $0.id == name }) else {
        throw Fault(.missing, "X-233", "no source \(shownBriefly(name)) wants anybody to sign in")
      }
      return found
    }
    guard let only = depots.first else {
      throw Fault(
        .missing, "X-234", "no source wants anybody to sign in; kind = depot in its [source NAME] of layby.conf says so"
      )
    }
    guard depots.count == 1 else {
      throw Fault(
        .malformed, "X-235", "there are several to sign in to; name one of \(depots.map(\.id).joined(separator: ", "))")
    }
    return only
  }

  package func signIn(_ name: String?) async throws(Fault) -> (source: String, code: SignInCode) {
    let depot = try depot(name)
    do throws(MediaFailure) {
      let code = try await depot.perform { client async throws(MediaFailure) in try await client.signIn() }
      return (depot.id, code)
    } catch { throw error.fault }
  }

  /// The page at which a browser signs in.
  package func signInPage(of name: String?) throws(Fault) -> (source: String, address: String) {
    let depot = try depot(name)
    return (depot.id, depot.page)
  }

  /// With the code that a browser has come back to `back` with.
  package func signIn(_ name: String, code: String, verifier: String, back: String) async throws(Fault) {
    let depot = try depot(name)
    do throws(MediaFailure) {
      try await depot.perform { client async throws(MediaFailure) in
        try await client.signIn(code: code, verifier: verifier, back: back)
      }
    } catch { throw error.fault }
  }

  /// Nobody waits for the code any more.
  package func callOffSignIn(_ name: String?) async throws(Fault) { await (try depot(name)).callOff() }

  package func signOut(_ name: String?) async throws(Fault) -> String {
    let (depot, rights) = (try depot(name), try rights)
    do throws(MediaFailure) {
      try await depot.perform { client async throws(MediaFailure) in
        try await client.signOut()
        do throws(Fault) { try rights.forget(client.id) } catch { throw MediaFailure(.signIn, error) }
      }
    } catch { throw error.fault }
    return depot.id
  }
}

/// Asks the sources that give licences for them.
@MainLoop
package protocol LicenceFetching: AnyObject {
  /// `isAsked`: somebody wants all of them anew, also those that hold for long.
  func askAll(_ rights: any RightsKeeper, isAsked: Bool) async -> [Licences.Renewal]
  /// Has it done where a disk may be waited for.
  func rotate(_ rights: any RightsKeeper) async throws(Fault)
  /// Those that somebody signs in to.
  var depots: [DepotClient] { get }
}
