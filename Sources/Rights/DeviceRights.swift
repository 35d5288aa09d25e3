import Ciphers
import Glibc
import Runtime
import Seals
import Synchronization

/// What this device may play of sealed music: who it is, the licences it has, and the clock by which they end. Licences
/// that cannot be renewed stay, and so do those that have ended, while there is room. Asked on any thread; what takes something over, and
/// `keepClock`, write to the disk.
///
/// In its folder: the files of `DeviceFiles`, with the secret that the device's keys come from; `clock.json`;
/// `licences/SOURCE.json`; `sessions/SOURCE`.
package final class DeviceRights: RightsKeeper, Sendable {
  /// A licence and what it allows now.
  package struct Line: Equatable, Sendable {
    package let source: String
    package let licence: LicenceFacts
    package let verdict: Verdict
  }

  /// What a source has said of this device's account.
  package struct Account: Equatable, Sendable {
    package let source: String
    package let issued: Int64
    package let subscription: Statement.Subscription?
    package let graceEnds: Int64?
    package let region: String?
  }

  /// A track that is to be removed.
  package struct Forfeit: Equatable, Sendable {
    package let key: KeyID
    package let why: Fault
  }

  /// How much of what a source gave was new.
  package struct Taken: Equatable, Sendable {
    package var licences = 0
    package var isStatementNew = false

    package init() {}

    package mutating func add(_ other: Taken) {
      licences += other.licences
      isStatementNew = isStatementNew || other.isStatementNew
    }
  }

  typealias Held = HeldLicences.Licensed

  /// A licence of one service for one device, whatever its source is called. Its serial only grows.
  struct LicenceName: Hashable {
    let root: SigningKey.PublicKey
    let id: ExactText
    let device: ExactText

    init(_ licence: Licence, of root: SigningKey.PublicKey) {
      (self.root, id, device) = (root, ExactText(licence.id), ExactText(licence.device))
    }
  }

  struct HeldStatement {
    let source: String
    let root: SigningKey.PublicKey
    let keys: String
    let text: String
    let statement: Statement
  }

  struct TimeQuestion {
    let nonce: [UInt8]
    let asked: HonestClock.Reading
  }

  struct State {
    var device: KnownDevice
    /// The device as it was before `rotate`; it is kept while there are licences for it and not for the new one.
    var former: KnownDevice?
    /// The root keys of sources, by their names.
    var roots: [String: SigningKey.PublicKey]
    var held = HeldLicences()
    var files: [String: LicenceFile] = [:]
    /// At most one for each service and device: the newest.
    var statements: [HeldStatement] = []
    /// The serials of licences whose sources are not named any more: they give nothing, and nothing older counts either.
    var leftBehind: [LicenceName: Int64] = [:]
    var known = Known()
    var kept = Known()
    var isLoaded = false
    var counting = Counting()
    var questions: [TimeQuestion] = []

    /// The one that a licence is for, or that it would have to be for.
    func device(of licence: Licence) -> KnownDevice {
      guard let former, ExactText(former.name) == ExactText(licence.device) else { return device }
      return former
    }

    /// The greatest serial of this licence that is here, under whatever name a source gave it.
    func serial(of name: LicenceName) -> Int64 {
      var serial = leftBehind[name] ?? 0
      for (source, root) in roots where root == name.root {
        guard let one = held[source, name.id.text], ExactText(one.licence.device) == name.device else { continue }
        serial = max(serial, one.licence.serial)
      }
      return serial
    }

    /// Beside a newer licence an older one counts for nothing.
    mutating func dropOlder() {
      let state = self
      held.removeAll { $0.licence.serial < state.serial(of: LicenceName($0.licence, of: $0.root)) }
    }

    func statement(of root: SigningKey.PublicKey, for device: String) -> Statement? {
      statements.first { $0.root == root && ExactText($0.statement.device) == ExactText(device) }?.statement
    }
  }

  /// All of one moment.
  struct Look {
    /// By what is known here.
    let time: HonestClock.Time
    /// By what services have signed.
    let times: [SigningKey.PublicKey: HonestClock.Time]
    let state: State

    /// Nil when nothing is known of the time.
    func now(for root: SigningKey.PublicKey) -> Int64? {
      times[root]?.now ?? (state.known.isLost ? nil : time.now)
    }
  }

  let folder: FilePath
  let files: DeviceFiles
  let clocks: @Sendable () -> HonestClock.Reading
  let state: Mutex<State>
  let log = Log("rights")

  /// `board`: files in which the board says its own numbers; those that are not there are left out when the device is
  /// new. `tpm`: what seals the device's secret, where there is one. `roots`: the root keys of sources, by their names.
  package init(
    in folder: FilePath, board: [FilePath], tpm: TPM? = nil, roots: [String: SigningKey.PublicKey],
    clocks: @escaping @Sendable () -> HonestClock.Reading
  ) throws(Fault) {
    try Folder.make(folder)
    for name in ["licences", "sessions"] { try Folder.make(folder / name) }
    let files = DeviceFiles(in: folder, board: board, tpm: tpm)
    let device = try files.device()
    state = Mutex(State(device: device, former: files.former(of: device), roots: roots))
    (self.folder, self.files, self.clocks) = (folder, files, clocks)
  }

  package var card: JSON { device.identity.card }
  package var name: String { device.name }
  package var waiting: EventLoop? { nil }
  package var sources: [String] { state.withLock { $0.roots.keys.sorted() } }
  package var standing: KeeperStanding {
    let device = device
    return KeeperStanding(isBroker: false, hasTPM: device.isSealed, boundTo: device.boundTo)
  }
  private var device: KnownDevice { state.withLock { $0.device } }

  func look() -> Look {
    let reading = clocks()
    return state.withLock { state in
      load(&state)
      let time = state.known.clock.read(reading)
      if state.known.isLost, time.witness == .network { state.known.find(at: time.now, state.held.all) }
      return Look(time: time, times: state.known.readServices(reading), state: state)
    }
  }

  package func time(of source: String?) -> HonestClock.Time {
    let look = look()
    return source.flatMap { look.state.roots[$0] }.flatMap { look.times[$0] } ?? look.time
  }

  // MARK: Verdicts

  package func lines() -> [Line] {
    let look = look()
    return look.state.held.all.map { one in
      Line(source: one.source, licence: LicenceFacts(one.licence), verdict: verdict(of: one, look))
    }
  }

  private func verdict(of one: Held, _ look: Look) -> Verdict {
    let name = look.state.device(of: one.licence).name
    let service = look.state.known.service(one.root)
    let statement = look.state.statement(of: one.root, for: name)
    var circumstances = Verdict.Circumstances(
      name, at: look.now(for: one.root), statement, firstPlayed: look.state.known.firstPlay(of: one))
    circumstances.isStatementLost = service.number(for: name) > statement?.number ?? 0
    circumstances.isRestored = look.state.known.isRestored && !service.isHeard
    return Verdict(one.licence, in: circumstances)
  }

  package func accounts() -> [Account] {
    let state = look().state
    return state.roots.sorted { $0.key < $1.key }.compactMap { source, root in
      guard let said = state.statement(of: root, for: state.device.name) else { return nil }
      return Account(
        source: source, issued: said.issued, subscription: said.subscription, graceEnds: said.graceEnds,
        region: said.region)
    }
  }

  package func forfeits() -> [Forfeit] {
    let look = look()
    var gone: [KeyID: Fault] = [:]
    var playing: Set<KeyID> = []
    for one in look.state.held.all {
      let verdict = verdict(of: one, look)
      let refusal = verdict.isForfeit ? verdict.refusal(of: one.licence.title, issued: one.licence.issued) : nil
      for id in one.licence.keys {
        if let why = takenBack(id, one, look) {
          gone[id] = why
        } else if !verdict.isForfeit {
          playing.insert(id)
        } else if let refusal {
          gone[id] = gone[id] ?? refusal
        }
      }
    }
    return gone.filter { !playing.contains($0.key) }.map { Forfeit(key: $0.key, why: $0.value) }
  }

  package func playable(_ keys: [KeyID]) -> Set<KeyID> {
    let look = look()
    var playing: Set<KeyID> = []
    for one in look.state.held.all where verdict(of: one, look).mayPlay {
      playing.formUnion(keys.filter { one.licence.keys.contains($0) && takenBack($0, one, look) == nil })
    }
    return playing
  }

  /// Whether a single track was taken back by the service of this licence.
  private func takenBack(_ id: KeyID, _ one: Held, _ look: Look) -> Fault? {
    let statement = look.state.statement(of: one.root, for: look.state.device(of: one.licence).name)
    guard let why = statement?.revocation(of: id) else { return nil }
    return Verdict.takenBack(why: why).refusal(of: "a track of \(one.licence.title)", issued: one.licence.issued)
  }

  // MARK: Keys

  package func key(_ id: KeyID, of name: String) throws(Fault) -> Secret {
    let look = look()
    var refusal: Fault?
    for one in look.state.held.all where one.licence.speaks(of: id) {
      let verdict = verdict(of: one, look)
      guard verdict.mayPlay else {
        refusal = refusal ?? verdict.refusal(of: one.licence.title, issued: one.licence.issued)
        continue
      }
      if let why = takenBack(id, one, look) ?? one.licence.refusal(ofQuality: id) {
        refusal = refusal ?? why
        continue
      }
      // What lies in memory is verified again for each playing.
      do throws(Fault) {
        let licence = try Self.verified(one.text, try ServiceKeys(one.keys.text, root: one.root))
        let owner = look.state.device(of: licence)
        guard let key = try licence.contentKey(id, by: owner.identity.agreement, root: one.root) else { continue }
        if licence.playDays != nil, let now = look.now(for: one.root) { begin(one, at: now) }
        return key
      } catch { refusal = refusal ?? error }
    }
    throw refusal
      ?? Fault(
        .denied, "E-160", "there is no licence for this music on this device: \(name); layby rights renew fetches one")
  }

  /// From its first playing on its days count. `keepClock` writes that down.
  private func begin(_ one: Held, at now: Int64) { state.withLock { $0.known.begin(one, at: now, $0.held) } }

  static func verified(_ text: String, _ keys: ServiceKeys) throws(Fault) -> Licence {
    try Licence(try SignedDocument(text, as: .licence) { keys.key($0, for: .licences) }.body)
  }

  // MARK: Signing in

  package func proof(of request: ProvenRequest) throws(Fault) -> String {
    let look = look()
    return try RequestProof.sign(
      request.method, request.address, token: request.token, nonce: request.nonce, at: look.time.now,
      with: look.state.device.identity.signing)
  }

  package func session(of source: String) throws(Fault) -> [UInt8]? {
    guard let sealed = try PlainFile.read(sessionFile(of: source), limit: SealedNote.longest, code: "E-151") else {
      return nil
    }
    return try SealedNote.open(sealed, for: source, by: device.identity.sessionKey)
  }

  package func keep(session: [UInt8]?, of source: String) throws(Fault) {
    let file = sessionFile(of: source)
    guard let session else {
      guard file.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw Fault.system("E-171", doing: "remove \(file)")
      }
      return try AtomicFile.syncFolder(folder / "sessions")
    }
    try makeRoom(for: file)
    try AtomicFile.replace(file, with: try SealedNote.seal(session, for: source, by: device.identity.sessionKey))
  }

  private func sessionFile(of source: String) -> FilePath { folder / "sessions" / "\(source)" }

  private static let mostFiles = 64

  /// Refused for one more source than a device keeps something of.
  func makeRoom(for file: FilePath) throws(Fault) {
    let names = try Folder.names(in: file.folder)
    guard names.count < Self.mostFiles || names.contains(file.name) else {
      throw Fault(.full, "E-172", "\(file.folder) has files of \(names.count) sources; a device keeps no more")
    }
  }
}

/// A day as it is written: `2026-11-28`. UTC.
package struct CalendarDay: CustomStringConvertible, Sendable {
  private let seconds: Int64

  package init(_ seconds: Int64) { self.seconds = seconds }

  package var description: String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }
}
