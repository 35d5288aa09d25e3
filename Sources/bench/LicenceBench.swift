import Ciphers
import Glibc
import Rights
import Runtime
import Seals

/// A device with 10,000 licences: what a list of them costs, and what a playing.
struct LicenceBench {
  static let name = "licences"
  static let about = "10,000 licences: the verdicts for a list, one that is verified to play, and their memory"

  let scratch: Scratch
  let rounds: Int

  private static let sources = 4
  private static let ofSource = 2_500
  private static let now: Int64 = 1_790_000_000

  func run() throws(Fault) -> [Row] {
    let folder = try scratch.folder("rights")
    var services: [LicenceMaker] = []
    for _ in 0..<Self.sources { services.append(try LicenceMaker()) }
    var roots: [String: SigningKey.PublicKey] = [:]
    for (number, service) in services.enumerated() { roots["shop\(number)"] = service.rootKey }
    let taken = try fill(folder, roots, services)
    let reading = ProcessReading(pid: getpid())
    let before = try reading.memory().anonymous
    let rights = try Self.opened(folder, roots)
    let began = Moment.now
    guard rights.lines().count == Self.sources * Self.ofSource, let track = LicenceMaker.track(0) else {
      throw Fault(.malformed, "B-304", "not all licences that were given are here")
    }
    let load = Moment.now - began
    let memory = Double(try reading.memory().anonymous - before) / 1e6
    let spreads = try Rounds.run(
      [
        Contender(name: "list") { () throws(Fault) in
          Self.milliseconds { _ = rights.lines() }
        },
        Contender(name: "play") { () throws(Fault) in
          let began = Moment.now
          _ = try rights.key(track, of: "a track")
          return Double((Moment.now - began).nanoseconds) / 1e6
        },
      ], rounds: rounds, unit: .milliseconds)
    return [
      Row(
        bench: Self.name, name: "10,000 verdicts for a list", value: spreads[0], unit: .milliseconds,
        goal: .below(20)),
      Row(
        bench: Self.name, name: "the key of a track, verified", value: spreads[1], unit: .milliseconds,
        goal: .below(1)),
      Row(
        bench: Self.name, name: "10,000 read and verified at the start",
        value: Spread(Double(load.nanoseconds) / 1e6), unit: .milliseconds),
      Row(
        bench: Self.name, name: "2,500 taken and stored", value: Spread(taken), unit: .milliseconds),
      Row(bench: Self.name, name: "10,000 in memory", value: Spread(memory), unit: .megabytes),
    ]
  }

  private static func milliseconds(_ body: () -> Void) -> Double {
    let began = Moment.now
    body()
    return Double((Moment.now - began).nanoseconds) / 1e6
  }

  private static func opened(_ folder: FilePath, _ roots: [String: SigningKey.PublicKey]) throws(Fault) -> DeviceRights
  {
    try DeviceRights(in: folder, board: [], roots: roots) {
      .init(system: now, uptime: 100, boot: "bench", isSynchronised: true, hasBattery: true)
    }
  }

  /// Milliseconds for the last source.
  private func fill(
    _ folder: FilePath, _ roots: [String: SigningKey.PublicKey], _ services: [LicenceMaker]
  ) throws(Fault) -> Double {
    let rights = try Self.opened(folder, roots)
    let card = try DeviceCard(rights.card)
    var took = 0.0
    for (number, service) in services.enumerated() {
      Patience.tell("making \(Self.ofSource) licences of source \(number + 1) of \(services.count)")
      let numbers = number * Self.ofSource..<(number + 1) * Self.ofSource
      let bundle = try service.bundle(numbers, for: card, at: Self.now)
      let began = Moment.now
      _ = try rights.take(bundle, from: "shop\(number)")
      took = Double((Moment.now - began).nanoseconds) / 1e6
    }
    return took
  }
}

/// A service that gives licences of one track each.
private final class LicenceMaker {
  private let root: SigningKey
  private let signing: SigningKey

  init() throws(Fault) {
    let root = try SigningKey.made()
    let signing = try SigningKey.made()
    self.root = root
    self.signing = signing
  }

  var rootKey: SigningKey.PublicKey { root.publicKey }

  static func track(_ number: Int) -> KeyID? {
    KeyID((0..<KeyID.length).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })
  }

  func bundle(_ numbers: Range<Int>, for card: DeviceCard, at now: Int64) throws(Fault) -> [UInt8] {
    let keys = try ServiceKeys.sign([.init(.licences, "bench", signing.publicKey)], root: root)
    var licences: [String] = []
    for number in numbers { licences.append(try licence(number, for: card, at: now)) }
    return LicenceBundle(keys: keys, licences: licences).fileBytes
  }

  private func licence(_ number: Int, for card: DeviceCard, at now: Int64) throws(Fault) -> String {
    let ends = now + 30 * 86_400
    let master = try Secret.random(CipherSuite.keyLength)
    let terms = KeyWrap.terms("album/\(number)", serial: 1, issued: now, ends: ends, root: root.publicKey)
    let wrapped = try KeyWrap.wrap(master: master, for: card.agrees, terms: terms)
    var keys: [JSON] = []
    if let track = Self.track(number) {
      let key = try KeyWrap.wrap(content: Secret.random(CipherSuite.keyLength), track, with: master)
      keys.append(["kid": JSON("\(track)"), "key": JSON(Base64.encodeURL(key))])
    }
    let body: JSON = [
      "id": JSON("album/\(number)"), "serial": 1, "device": JSON(card.name), "title": JSON("Album \(number)"),
      "iat": JSON(now), "exp": JSON(ends), "master": JSON(Base64.encodeURL(wrapped)), "keys": .list(keys),
    ]
    return try SignedDocument.sign(body, as: .licence, with: signing, "bench")
  }
}
