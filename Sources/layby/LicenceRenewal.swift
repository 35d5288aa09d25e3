import Application
import Offline
import Rights
import Runtime
import Services

/// Fetches licences: at the start, when a network appears, once a day where that costs nothing, sooner when some end within
/// two days, and when somebody asks. What was forfeited is removed afterwards, people are told of what ends soon, and depots
/// say which features are on. It lives on the main loop; after a power cut it begins anew, and what was stored counts.
@MainLoop
final class LicenceRenewal: LicenceFetching {
  private let licences: Licences
  private let givers: [any LicenceGiver]
  let depots: [DepotClient]
  private let withdrawals: Withdrawals
  private let warnings: LicenceWarnings
  private let flags: ServiceFlags
  private let loop: EventLoop
  private var next = Moment(nanoseconds: 0)
  /// When a round last ended well.
  private var last: Moment?
  private var integrity: DeviceIntegrity?
  private var failures = 0
  private var isAsking = false
  private let log = Log("rights")

  init(
    _ licences: Licences, _ givers: [any LicenceGiver], _ depots: [DepotClient], _ withdrawals: Withdrawals,
    _ warnings: LicenceWarnings, _ flags: ServiceFlags, on loop: EventLoop
  ) {
    (self.licences, self.givers, self.depots) = (licences, givers, depots)
    (self.withdrawals, self.warnings, self.flags, self.loop) = (withdrawals, warnings, flags, loop)
    licences.fetcher = self
    for depot in depots { follow(depot) }
  }

  private static let daily: Duration = .seconds(86_400)
  private static let whenEnding: Duration = .seconds(3_600)
  private static let afterFailure: Duration = .seconds(60)

  /// Whoever has just signed in gets licences at once; what a depot has said of features ends with the account.
  private func follow(_ depot: DepotClient) {
    let box = Mailbox<SignInState>(limit: 8)
    MainLoop.start {
      await depot.follow(box)
      while let state = await box.receive() {
        switch state {
        case .waiting: continue
        case .signedOut: await self.flags.forget(depot.id)
        case .signedIn:
          guard let rights = try? self.licences.rights else { continue }  // a notice has said why
          _ = await self.askAll(rights, isAsked: false)
        }
      }
    }
  }

  /// Called every minute. `isFree`: a line and power that cost nothing.
  func tick(isFree: Bool) async {
    guard let rights = try? licences.rights else { return }  // there is nothing to renew, which a notice has said
    let kept = await loop.perform { Result { () throws(Fault) in try rights.keepClock() } }
    if case .failure(let fault) = kept { log.warning("the time is not kept", ["reason": fault.message]) }
    let integrity = await loop.perform { DeviceIntegrity.now }
    let isOther = self.integrity.map { $0 != integrity } ?? false
    self.integrity = integrity
    // Depots hear at once that a debugger is there; each round tells them what they have not heard.
    if isOther { for depot in depots { await LicenceDepot.report(integrity, to: depot) } }
    let isUrgent = await self.isUrgent(rights)
    let mayAsk = RenewalRule.mayAsk(isUrgent: isUrgent, isFree: isFree, since: last.map { MainLoop.loop.now - $0 })
    guard MainLoop.loop.now >= next, mayAsk else { return await follow(rights) }
    _ = await askAll(rights, isAsked: false)
  }

  /// A line is there that was not there before. All boards of a fleet may have it back at the same moment, so each waits for
  /// a while of its own, at most `settling`; what ends soon does not, and neither does what is refused until then: the line may
  /// be there for some seconds only.
  func lineAppeared(settling: Duration) {
    guard let rights = try? licences.rights else { return }  // a notice has said why
    MainLoop.start {
      let (endsSoon, isAwaited) = (await self.isUrgent(rights), await self.isAwaited(rights))
      let longest = endsSoon || isAwaited ? 0 : max(settling.milliseconds, 0)
      let wait = Duration.milliseconds(Int64.random(in: 0...longest))
      guard await MainLoop.loop.sleep(for: wait) else { return }
      var isAnswered = await self.isAnswered(rights)
      // In its first moments a line knows no names yet, and it may be gone before the next round is due.
      for pause in Self.firstMoments where !isAnswered && (endsSoon || isAwaited) {
        guard await MainLoop.loop.sleep(for: pause) else { return }
        isAnswered = await self.isAnswered(rights)
      }
    }
  }

  private static let firstMoments: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]

  private func isAnswered(_ rights: any RightsKeeper) async -> Bool {
    await askAll(rights, isAsked: false).allSatisfy { if case .success = $0.outcome { true } else { false } }
  }

  private func isUrgent(_ rights: any RightsKeeper) async -> Bool {
    do throws(Fault) {
      return try await rights.asked { keeper throws(Fault) in
        RenewalRule.isUrgent(try keeper.lines().map(\.licence), at: try keeper.time(of: nil).now)
      }
    } catch { return false }  // nobody knows; it is asked again as ever
  }

  /// Something is refused until its service has answered.
  private func isAwaited(_ rights: any RightsKeeper) async -> Bool {
    do throws(Fault) {
      return try await rights.asked { keeper throws(Fault) in try keeper.lines().contains { $0.verdict.awaitsService } }
    } catch { return false }  // nobody knows; it is asked again as ever
  }

  func rotate(_ rights: any RightsKeeper) async throws(Fault) {
    let result = await loop.perform { Result { () throws(Fault) in try rights.rotate() } }
    try result.get()
  }

  func askAll(_ rights: any RightsKeeper, isAsked: Bool) async -> [Licences.Renewal] {
    // Two rounds beside each other would ask for the same.
    while isAsking { guard await MainLoop.loop.sleep(for: .milliseconds(50)) else { return [] } }
    isAsking = true
    defer { isAsking = false }
    var renewals: [Licences.Renewal] = []
    for giver in givers {
      let outcome = await giver.give(rights, isAsked: isAsked, on: loop)
      if case .failure(let fault) = outcome {
        log.info("no new licences", ["source": giver.id, "reason": fault.message])
      }
      renewals.append(Licences.Renewal(giver.id, outcome))
    }
    let hasFailed = renewals.contains { if case .failure = $0.outcome { true } else { false } }
    failures = hasFailed ? min(failures + 1, 8) : 0
    let isEnding = await isUrgent(rights)
    let wait = hasFailed ? Self.afterFailure * (1 << failures) : isEnding ? Self.whenEnding : Self.daily
    if !hasFailed { last = MainLoop.loop.now }
    next = MainLoop.loop.now + wait
    let answered = renewals.filter { if case .success = $0.outcome { true } else { false } }.map(\.source)
    await flags.ask(depots.filter { answered.contains($0.id) })
    await follow(rights)
    return renewals
  }

  /// What the licences that are here by now mean for the music, and for people.
  private func follow(_ rights: any RightsKeeper) async {
    await withdrawals.follow(rights)
    await warnings.follow(rights)
  }
}

/// A source that gives licences.
protocol LicenceGiver: Sendable {
  var id: String { get }
  /// What is there by then counts, also when it fails half-way. `loop`: where what blocks is done.
  func give(_ rights: any RightsKeeper, isAsked: Bool, on loop: EventLoop) async -> Result<DeviceRights.Taken, Fault>
}

/// A folder of a web server, in which there is one file for each device.
struct LicenceFolder: LicenceGiver {
  let id: String
  let folder: FolderAddress
  let fetching: any FileFetching

  func give(_ rights: any RightsKeeper, isAsked: Bool, on loop: EventLoop) async -> Result<DeviceRights.Taken, Fault> {
    let name: String
    let asked = await loop.perform { Result { () throws(Fault) in try rights.name } }
    do throws(Fault) { name = try asked.get() } catch { return .failure(error) }
    let url = folder.text + "licences/\(name).json"
    let answer: FetchedFile
    do throws(MediaFailure) {
      answer = try await fetching.fetch(url, unless: nil, limit: LicenceBundle.longest)
    } catch { return .failure(error.fault) }
    guard answer.status == 200 else {
      let why = answer.status == 404 ? "it has no licences for this device" : "it answered \(answer.status)"
      return .failure(Fault(.missing, "X-232", "licences of \(id): \(why)"))
    }
    let id = id
    return await loop.perform { Result { () throws(Fault) in try rights.take(answer.bytes, from: id) } }
  }
}

/// A depot that answers: the time, what is due in batches, and what it says of the account. What was given is stored batch
/// by batch, what ends first before all else, so a line that lasts for seconds is enough for what is urgent.
struct LicenceDepot: LicenceGiver {
  let client: DepotClient
  var id: String { client.id }

  func give(_ rights: any RightsKeeper, isAsked: Bool, on loop: EventLoop) async -> Result<DeviceRights.Taken, Fault> {
    let id = id
    do throws(MediaFailure) {
      return .success(
        try await client.perform { client async throws(MediaFailure) in
          try await Self.round(client, id, rights, isAsked: isAsked)
        })
    } catch { return .failure(error.fault) }
  }

  private static func round(
    _ client: DepotClient, _ id: String, _ rights: any RightsKeeper, isAsked: Bool
  ) async throws(MediaFailure) -> DeviceRights.Taken {
    await client.finishSignOut()
    if try asked({ () throws(Fault) in try rights.time(of: id) }).witness != .network {
      await askTime(client, id, rights)
    }
    // Before it is asked for licences, which it may give to a sound device only. One that cannot take it may still give.
    await report(.now, to: client)
    let offers = try await client.licences().map { RenewalRule.ListedLicence($0.id, serial: $0.serial) }
    let lines = try asked { () throws(Fault) in try rights.lines() }
    let now = try asked { () throws(Fault) in try rights.time(of: id).now }
    let here = lines.filter { $0.source == id }.map(\.licence)
    var due = RenewalRule.due(offers, here, at: now, isAsked: isAsked)[...]
    var taken = DeviceRights.Taken()
    if due.isEmpty {
      taken = try take(try await client.statement(), id, rights)
    }
    while !due.isEmpty {
      let batch = Array(due.prefix(DepotClient.batch))
      due = due.dropFirst(batch.count)
      taken.add(try take(try await client.licences(batch), id, rights))
    }
    return taken
  }

  /// Without an answer it is told again by the next round.
  static func report(_ integrity: DeviceIntegrity, to client: DepotClient) async {
    do throws(MediaFailure) {
      try await client.perform { client async throws(MediaFailure) in try await client.report(integrity) }
    } catch {
      Log("rights").info(
        "the depot does not hear what this device is", ["source": client.id, "reason": error.fault.message])
    }
  }

  private static func take(
    _ bytes: [UInt8], _ id: String, _ rights: any RightsKeeper
  ) throws(MediaFailure) -> DeviceRights.Taken {
    try asked { () throws(Fault) in try rights.take(bytes, from: id) }
  }

  private static func asked<Answer>(_ question: () throws(Fault) -> Answer) throws(MediaFailure) -> Answer {
    do throws(Fault) { return try question() } catch { throw MediaFailure(.malformed, error) }
  }

  /// Without it licences still hold, by what is known of the time.
  private static func askTime(_ client: DepotClient, _ id: String, _ rights: any RightsKeeper) async {
    do throws(MediaFailure) {
      let question = try asked { () throws(Fault) in try rights.timeQuestion() }
      let answer = try await client.time(question)
      try asked { () throws(Fault) in try rights.take(time: answer.time, answer.keys, for: question, from: id) }
    } catch { Log("rights").info("no signed time", ["source": id, "reason": error.fault.message]) }
  }
}

/// The device's rights, as a client of a depot needs them.
struct RightsCredentials: DeviceCredentials {
  let rights: any RightsKeeper

  var card: JSON { get throws(Fault) { try rights.card } }

  func proof(_ method: String, _ address: String, token: String?, nonce: String?) throws(Fault) -> String {
    try rights.proof(of: ProvenRequest(method, address, token: token, nonce: nonce))
  }

  func session(of source: String) throws(Fault) -> [UInt8]? { try rights.session(of: source) }

  func keep(session: [UInt8]?, of source: String) throws(Fault) { try rights.keep(session: session, of: source) }
}
