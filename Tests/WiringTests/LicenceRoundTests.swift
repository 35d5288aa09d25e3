import Ciphers
import Offline
import Rights
import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import layby

/// Rounds against a depot that has nothing but the account's standing.
@Suite("A round of licences")
struct LicenceRoundTests {
  private static let base = "https://depot.example/"
  private let folder = TempFolder()

  @Test(
    "a depot that cannot take what a device says of itself is asked for licences all the same",
    arguments: [204, 404, 429, 500])
  func report(status: Int) async throws {
    let root = try SigningKey.made()
    let keys = try ServiceKeys.sign([.init(.licences, "2026", try SigningKey.made().publicKey)], root: root)
    let rights = try DeviceRights(in: folder.path / "rights", board: [], roots: ["depot": root.publicKey]) {
      .init(system: 1_800_000_000, uptime: 100, boot: "1", isSynchronised: true, hasBattery: true)
    }
    try rights.keep(session: (["refresh": "first"] as JSON).bytes, of: "depot")
    let depot = MadeUpDepot(Self.base, keys, integrity: status)
    let loop = try EventLoop("net", mayBlock: true)
    try loop.start()
    defer { loop.stop() }
    let client = DepotClient(
      "depot", at: try #require(FolderAddress(Self.base)), RightsCredentials(rights: rights), depot, on: loop)
    let outcome = await LicenceDepot(client: client).give(rights, isAsked: false, on: loop)
    if case .failure(let fault) = outcome { Issue.record("\(fault)") }
    #expect(depot.asked == ["sign-in/token", "integrity", "licences", "statement"])
    // What was not taken is said again.
    _ = await LicenceDepot(client: client).give(rights, isAsked: false, on: loop)
    #expect(depot.asked.count { $0 == "integrity" } == (status == 204 || status == 404 ? 1 : 2))
  }
}

private final class MadeUpDepot: ServiceAsking, Sendable {
  private let base: String
  private let keys: String
  private let integrity: Int
  private let log = Mutex<[String]>([])

  init(_ base: String, _ keys: String, integrity: Int) {
    (self.base, self.keys, self.integrity) = (base, keys, integrity)
  }

  var asked: [String] { log.withLock { $0 } }

  func ask(_ request: ServiceRequest) async throws(MediaFailure) -> ServiceAnswer {
    let name = String(request.url.dropFirst(base.utf8.count + 3))
    log.withLock { $0.append(name) }
    let tokens: JSON = ["token_type": "DPoP", "access_token": "a", "refresh_token": "second", "expires_in": 300]
    switch name {
    case "sign-in/token": return ServiceAnswer(status: 200, bytes: tokens.bytes)
    case "integrity": return ServiceAnswer(status: integrity)
    case "licences": return ServiceAnswer(status: 200, bytes: (["licences": []] as JSON).bytes)
    case "statement":
      return ServiceAnswer(status: 200, bytes: LicenceBundle(keys: keys, licences: []).fileBytes)
    default: return ServiceAnswer(status: 404)
    }
  }
}
