import Ciphers
import Glibc
import Runtime
import Seals
import Synchronization

/// What this device may play of sealed music: who it is, the licences it has, and the clock by which they end. Licences
/// that cannot be renewed stay, and so do those that have ended. Asked on any thread; `take` and `keepClock` write to the
/// disk.
///
/// In its folder: `device`, the secret that the device's keys come from; `clock.json`; `licences/SOURCE.json`.
package final class DeviceRights: TrackKeys, Sendable {
  /// A licence and what it allows now.
  package struct Line: Sendable {
    package let source: String
    package let licence: Licence
    package let verdict: Verdict
  }

  struct Held {
    let source: String
    /// The list of keys that vouches for it, as it came with it.
    let keys: String
    let text: String
    let licence: Licence
  }

  struct HeldStatement {
    let keys: String
    let text: String
    let statement: Statement
  }

  /// When a track of a licence was first played, for those that count from then on.
  struct FirstPlay: Equatable {
    let source: String
    let licence: String
    let at: Int64
  }

  struct Known: Equatable {
    var clock = HonestClock()
    var plays: [FirstPlay] = []
  }

  private struct State {
    var held: [Held] = []
    /// By source; at most one each.
    var statements: [String: HeldStatement] = [:]
    var known = Known()
    var kept = Known()
    var isLoaded = false
    /// There are licences, and nothing is known of the time that was; so it takes a time server.
    var hasLostTime = false
  }

  /// All of one moment.
  private struct Look {
    let time: HonestClock.Time
    let state: State

    func statement(of source: String) -> Statement? { state.statements[source]?.statement }
  }

  private let folder: FilePath
  private let identity: DeviceIdentity
  /// What the device's keys are bound to beside its file.
  package let boundTo: [FilePath]
  private let roots: [String: SigningKey.PublicKey]
  private let clocks: @Sendable () -> HonestClock.Reading
  private let state = Mutex(State())
  private let log = Log("rights")

  /// `board`: files in which the board says its own numbers; those that are not there are left out when the device is
  /// new. `roots`: the root keys of sources, by their names.
  package init(
    in folder: FilePath, board: [FilePath], roots: [String: SigningKey.PublicKey],
    clocks: @escaping @Sendable () -> HonestClock.Reading
  ) throws(Fault) {
    try Folder.make(folder)
    try Folder.make(folder / "licences")
    let file = try DeviceFile(in: folder, board: board)
    identity = try DeviceIdentity(file.secret, board: file.numbers)
    boundTo = file.board
    (self.folder, self.roots, self.clocks) = (folder, roots, clocks)
  }

  /// What a service needs to know of this device.
  package var card: JSON { identity.card }
  package var name: String { identity.name }
  package var sources: [String] { roots.keys.sorted() }

  // MARK: The clock

  package var time: HonestClock.Time { look().time }

  private func look() -> Look {
    let reading = clocks()
    return state.withLock { state in
      load(&state)
      let time = state.known.clock.read(reading)
      if time.witness == .network || time.witness == .service { state.hasLostTime = false }
      return Look(time: time, state: state)
    }
  }

  /// Writes what is known of the time to the disk, if that has changed.
  package func keepClock() throws(Fault) {
    let look = look()
    guard look.state.known != look.state.kept, !look.state.hasLostTime else { return }
    try AtomicFile.replace(clockFile, with: try look.state.known.json(by: identity.clockKey).bytes)
    state.withLock { $0.kept = look.state.known }
  }

  private var clockFile: FilePath { folder / "clock.json" }

  /// A question to a service for the time. Its answer counts for this question only, and soon.
  package struct TimeQuestion: Sendable {
    package let nonce: [UInt8]
    fileprivate let asked: HonestClock.Reading
  }

  package var timeQuestion: TimeQuestion { TimeQuestion(nonce: randomBytes(24), asked: clocks()) }

  /// An answer that took more seconds than this is refused: a delay would set the clock back by as much.
  private static let soon: Int64 = 60

  /// `keys`: the list of keys of the source, as it gives it.
  package func take(
    time text: String, _ keys: String, for question: TimeQuestion, from source: String
  ) throws(Fault) {
    guard let root = roots[source] else { throw Self.untrusted(source) }
    let time = try SignedTime.read(text, for: question.nonce, by: try ServiceKeys(keys, root: root))
    let reading = clocks()
    guard reading.boot == question.asked.boot, reading.uptime - question.asked.uptime <= Self.soon else {
      throw Fault(.passing, "E-128", "a signed time came too late to be of use; it is asked for again")
    }
    _ = look()
    state.withLock { state in
      state.known.clock.learn(time, at: reading)
      state.hasLostTime = false
    }
    try keepClock()
  }

  // MARK: Licences

  package func lines() -> [Line] {
    let look = look()
    return look.state.held.map { one in
      Line(source: one.source, licence: one.licence, verdict: verdict(of: one, look))
    }
  }

  private func verdict(of one: Held, _ look: Look) -> Verdict {
    let first = look.state.known.plays.first { $0.isOf(one) }?.at
    let now = look.state.hasLostTime ? nil : look.time.now
    return Verdict(
      one.licence, in: .init(name, at: now, look.statement(of: one.source), firstPlayed: first))
  }

  /// What each source has said of this device's account, by its name.
  package func statements() -> [(source: String, statement: Statement)] {
    look().state.statements.map { ($0.key, $0.value.statement) }.sorted { $0.0 < $1.0 }
  }

  /// The keys whose tracks are to be removed from this device, and why. What only waits is not among them, and neither is
  /// what another licence still plays.
  package func forfeits() -> [(key: KeyID, why: Fault)] {
    let look = look()
    var gone: [KeyID: Fault] = [:]
    var playing: Set<KeyID> = []
    for one in look.state.held {
      let verdict = verdict(of: one, look)
      for id in one.licence.keys {
        if let why = takenBack(id, one, look) {
          gone[id] = why
        } else if !verdict.isForfeit {
          playing.insert(id)
        } else if let why = verdict.refusal(of: one.licence.title, issued: one.licence.issued) {
          gone[id] = gone[id] ?? why
        }
      }
    }
    return gone.filter { !playing.contains($0.key) }.map { ($0.key, $0.value) }
  }

  /// Whether a single track was taken back by the service of this licence.
  private func takenBack(_ id: KeyID, _ one: Held, _ look: Look) -> Fault? {
    guard let why = look.statement(of: one.source)?.revocation(of: id) else { return nil }
    return Verdict.takenBack(why: why).refusal(of: "a track of \(one.licence.title)", issued: one.licence.issued)
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

  /// Takes over what a source gives, and says what is new. Each document is verified first, and stored before it counts.
  /// One that is older than what is here, or for another device, is passed over; one that cannot be read is no reason to
  /// leave the others.
  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Taken {
    guard let root = roots[source] else { throw Self.untrusted(source) }
    let bundle = try LicenceBundle(parsing: bytes)
    let keys = try ServiceKeys(bundle.keys, root: root)
    let (fresh, refusal) = read(bundle, keys, root, from: source)
    let look = look()
    var taken = Taken()
    var statement = look.state.statements[source]
    if let found = try self.statement(bundle, keys), found.statement.number > statement?.statement.number ?? 0 {
      (statement, taken.isStatementNew) = (found, true)
    }
    if fresh.isEmpty, !taken.isStatementNew, let refusal { throw refusal }
    var all = look.state.held.filter { $0.source == source }
    for one in fresh {
      let id = ExactText(one.licence.id)
      guard let known = all.firstIndex(where: { ExactText($0.licence.id) == id }) else {
        all.append(one)
        taken.licences += 1
        continue
      }
      guard one.licence.serial > all[known].licence.serial else { continue }
      all[known] = one
      taken.licences += 1
    }
    let kept = try Self.fitting(all, at: look.time.now)
    try keepClock()
    try AtomicFile.replace(file(of: source), with: Self.file(of: kept.filter { !$0.licence.isStreaming }, statement))
    state.withLock { state in
      state.held = state.held.filter { $0.source != source } + kept
      state.statements[source] = statement
      state.known.plays.removeAll { play in play.source == source && !kept.contains { play.isOf($0) } }
    }
    return taken
  }

  /// Somebody has signed this device out of a source: its licences go, and what it has said of the account. The music stays
  /// where it is, and plays again when somebody signs in.
  package func forget(_ source: String) throws(Fault) {
    _ = look()
    try AtomicFile.replace(file(of: source), with: Self.file(of: [], nil))
    state.withLock { state in
      state.held.removeAll { $0.source == source }
      state.statements[source] = nil
      state.known.plays.removeAll { $0.source == source }
    }
  }

  /// Those that are for this device and open here; and why another was passed over.
  private func read(
    _ bundle: LicenceBundle, _ keys: ServiceKeys, _ root: SigningKey.PublicKey, from source: String
  ) -> (fresh: [Held], refusal: Fault?) {
    var fresh: [Held] = []
    var refusal: Fault?
    for text in bundle.licences {
      do throws(Fault) {
        let one = Held(
          source: source, keys: bundle.keys, text: text, licence: try Self.verified(text, keys))
        guard ExactText(one.licence.device) == ExactText(name) else { continue }
        if let id = one.licence.keys.first { _ = try one.licence.contentKey(id, by: identity.agreement, root: root) }
        fresh.append(one)
      } catch {
        log.warning("a licence is passed over", ["source": source, "reason": error.message])
        refusal = refusal ?? error
      }
    }
    return (fresh, refusal)
  }

  /// Nil for one of another device, and where there is none.
  private func statement(_ bundle: LicenceBundle, _ keys: ServiceKeys) throws(Fault) -> HeldStatement? {
    guard let text = bundle.statement else { return nil }
    let statement = try Statement(try SignedDocument(text, as: .statement) { keys.key($0, for: .statements) }.body)
    guard ExactText(statement.device) == ExactText(name) else { return nil }
    return HeldStatement(keys: bundle.keys, text: text, statement: statement)
  }

  /// As many as can be read again: what has ended gives way.
  private static func fitting(_ all: [Held], at now: Int64) throws(Fault) -> [Held] {
    func fits(_ held: [Held]) -> Bool {
      held.count <= LicenceBundle.most && held.reduce(0) { $0 + $1.text.utf8.count + 8 } <= LicenceBundle.longest
    }
    if fits(all) { return all }
    let living = all.filter { one in one.licence.ends.map { $0 > now } ?? true }
    guard fits(living) else { throw Fault(.full, "E-157", "there are more licences than a device keeps") }
    return living
  }

  /// By the lists of keys that vouch for them.
  private static func file(of held: [Held], _ statement: HeldStatement?) -> [UInt8] {
    var bundles: [LicenceBundle] = []
    func place(of keys: String) -> Int {
      if let known = bundles.firstIndex(where: { ExactText($0.keys) == ExactText(keys) }) { return known }
      bundles.append(LicenceBundle(keys: keys, licences: []))
      return bundles.count - 1
    }
    for one in held { bundles[place(of: one.keys)].licences.append(one.text) }
    if let statement { bundles[place(of: statement.keys)].statement = statement.text }
    return JSON.list(bundles.map(\.json)).bytes + Array("\n".utf8)
  }

  private func file(of source: String) -> FilePath { folder / "licences" / "\(source).json" }

  /// Once. What is damaged is left where it is, and fetched anew.
  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    for (source, root) in roots { load(source, root, into: &state) }
    do throws(Fault) {
      if let bytes = try PlainFile.read(clockFile, limit: Known.longest, code: "E-151") {
        state.known = try Known(parsing: bytes, by: identity.clockKey)
        state.kept = state.known
        return
      }
    } catch { log.warning("what was known of the time is lost", ["reason": error.message]) }
    state.hasLostTime = !state.held.isEmpty
    // When they were first played is lost too: nobody gains by that.
    state.known.plays = state.held.filter { $0.licence.playDays != nil }.map { one in
      FirstPlay(source: one.source, licence: one.licence.id, at: one.licence.issued)
    }
  }

  private func load(_ source: String, _ root: SigningKey.PublicKey, into state: inout State) {
    do throws(Fault) {
      guard let bytes = try PlainFile.read(file(of: source), limit: 2 * LicenceBundle.longest, code: "E-151") else {
        return
      }
      for bundle in try LicenceBundle.all(parsing: bytes) {
        let keys = try ServiceKeys(bundle.keys, root: root)
        if let found = try statement(bundle, keys) { state.statements[source] = found }
        for text in bundle.licences {
          do throws(Fault) {
            let licence = try Self.verified(text, keys)
            state.held.append(Held(source: source, keys: bundle.keys, text: text, licence: licence))
          } catch { log.warning("a licence is passed over", ["source": source, "reason": error.message]) }
        }
      }
    } catch { log.warning("licences cannot be read", ["source": source, "reason": error.message]) }
  }

  private static func verified(_ text: String, _ keys: ServiceKeys) throws(Fault) -> Licence {
    try Licence(try SignedDocument(text, as: .licence) { keys.key($0, for: .licences) }.body)
  }

  private static func untrusted(_ source: String) -> Fault {
    Fault(.missing, "E-152", "[source \(source)] has no trust line, so it gives no licences")
  }

  // MARK: Keys

  package func key(_ id: KeyID, of name: String) throws(Fault) -> Secret {
    let look = look()
    var refusal: Fault?
    for one in look.state.held where one.licence.keys.contains(id) {
      guard let root = roots[one.source] else { continue }
      let verdict = verdict(of: one, look)
      guard verdict.mayPlay else {
        refusal = refusal ?? verdict.refusal(of: one.licence.title, issued: one.licence.issued)
        continue
      }
      if let why = takenBack(id, one, look) {
        refusal = refusal ?? why
        continue
      }
      // What lies in memory is verified again for each playing.
      do throws(Fault) {
        let licence = try Self.verified(one.text, try ServiceKeys(one.keys, root: root))
        guard let key = try licence.contentKey(id, by: identity.agreement, root: root) else { continue }
        if licence.playDays != nil { begin(one, at: look.time.now) }
        return key
      } catch { refusal = refusal ?? error }
    }
    throw refusal
      ?? Fault(
        .denied, "E-160", "there is no licence for this music on this device: \(name); layby rights renew fetches one")
  }

  /// From its first playing on its days count. `keepClock` writes that down.
  private func begin(_ one: Held, at now: Int64) {
    state.withLock { state in
      guard !state.known.plays.contains(where: { $0.isOf(one) }) else { return }
      state.known.plays.append(FirstPlay(source: one.source, licence: one.licence.id, at: now))
    }
  }

  // MARK: Signing in

  /// Shows that a request is this device's.
  package func proof(
    _ method: String, _ address: String, token: String?, nonce: String?
  ) throws(Fault) -> String {
    try RequestProof.sign(
      method, address, token: token, nonce: nonce, at: look().time.now, with: identity.signing)
  }

  /// What was kept of the sign-in to a source; nil when there is none, or nothing that this device wrote.
  package func session(of source: String) throws(Fault) -> [UInt8]? {
    guard let sealed = try PlainFile.read(sessionFile(of: source), limit: SealedNote.longest, code: "E-151") else {
      return nil
    }
    return try SealedNote.open(sealed, for: source, by: identity.sessionKey)
  }

  /// Nil: this device is signed out. When it returns, a power cut does not forget it.
  package func keep(session: [UInt8]?, of source: String) throws(Fault) {
    let file = sessionFile(of: source)
    try Folder.make(folder / "sessions")
    guard let session else {
      guard file.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw Fault.system("E-171", doing: "remove \(file)")
      }
      return try AtomicFile.syncFolder(folder / "sessions")
    }
    try AtomicFile.replace(file, with: try SealedNote.seal(session, for: source, by: identity.sessionKey))
  }

  private func sessionFile(of source: String) -> FilePath { folder / "sessions" / "\(source)" }
}

extension DeviceRights.FirstPlay {
  func isOf(_ held: DeviceRights.Held) -> Bool {
    source == held.source && ExactText(licence) == ExactText(held.licence.id)
  }
}

/// The file with the secret of a device: 32 bytes, and then the paths that its keys are bound to, one a line.
private struct DeviceFile: ~Copyable {
  let secret: Secret
  let board: [FilePath]
  let numbers: [[UInt8]]

  private static let longest = 8_192

  init(in folder: FilePath, board candidates: [FilePath]) throws(Fault) {
    let path = folder / "device"
    var found = try PlainFile.read(path, limit: Self.longest, code: "E-153")
    if found == nil { found = try Self.made(path, candidates) }
    guard var bytes = found.take() else {
      throw Fault(.damaged, "E-154", "\(path) is no file; expected a device's secret")
    }
    defer { bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } } }
    guard bytes.count >= DeviceIdentity.secretLength else {
      throw Fault(.damaged, "E-154", "\(path) is too short to be a device's secret; without it no licence opens")
    }
    let board = bytes[DeviceIdentity.secretLength...].split(separator: UInt8(ascii: "\n")).compactMap {
      FilePath(bytes: $0)
    }
    // With its path: what another file says counts for nothing.
    var numbers: [[UInt8]] = []
    for path in board { numbers.append(path.bytes + [0] + (try Self.number(path))) }
    var first = Array(bytes[..<DeviceIdentity.secretLength])
    let secret = try Secret(taking: &first)
    (self.board, self.numbers) = (board, numbers)
    self.secret = secret
  }

  /// A new device. Nil when there is something by that name that is no file.
  private static func made(_ path: FilePath, _ candidates: [FilePath]) throws(Fault) -> [UInt8]? {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) != 0 else { return nil }
    // What cannot be read binds nothing.
    let board = candidates.filter { (try? number($0)) != nil }
    let secret = try Secret.random(DeviceIdentity.secretLength)
    let bytes = try secret.withBytes { Array($0) } + board.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
    try AtomicFile.replace(path, with: bytes)
    return bytes
  }

  private static func number(_ path: FilePath) throws(Fault) -> [UInt8] {
    let bytes = try AtomicFile.read(path, limit: 4_096)
    guard !bytes.isEmpty else {
      throw Fault(.missing, "E-155", "\(path) is empty; the device is bound to what it says")
    }
    return bytes
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
