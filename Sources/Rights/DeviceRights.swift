import Ciphers
import Glibc
import Runtime
import Seals
import Synchronization

/// What this device may play of sealed music: who it is, the licences it has, and the clock by which they end. Licences
/// that cannot be renewed stay, and so do those that have ended. Asked on any thread; `take` and `keepClock` write to the
/// disk.
///
/// In its folder: the files of `DeviceFiles`, with the secret that the device's keys come from; `clock.json`;
/// `licences/SOURCE.json`.
package final class DeviceRights: RightsKeeper, Sendable {
  /// A licence and what it allows now.
  package struct Line: Equatable, Sendable {
    package let source: String
    package let licence: LicenceFacts
    package let verdict: Verdict
  }

  private struct Held {
    let source: String
    /// The list of keys that vouches for it, as it came with it.
    let keys: String
    let text: String
    let licence: Licence
  }

  private struct State {
    var device: KnownDevice
    /// Who this was before it was made anew, for as long as there are licences for that alone.
    var former: KnownDevice?
    var held: [Held] = []
    var clock = HonestClock()
    var kept = HonestClock()
    var isLoaded = false
    /// There are licences, and nothing is known of the time that was; so it takes a time server.
    var hasLostTime = false
    /// The TPM has counted on since this folder was written: it is a copy, and waits for a source.
    var isPutBack = false
    var counting = Counting()

    /// The one that a licence is for, or that it would have to be for.
    func device(of licence: Licence) -> KnownDevice {
      guard let former, ExactText(former.name) == ExactText(licence.device) else { return device }
      return former
    }
  }

  private let folder: FilePath
  private let files: DeviceFiles
  private let roots: [String: SigningKey.PublicKey]
  private let clocks: @Sendable () -> HonestClock.Reading
  private let state: Mutex<State>
  private let log = Log("rights")

  /// `board`: files in which the board says its own numbers; those that are not there are left out when the device is
  /// new. `tpm`: what seals the device's secret, where there is one. `roots`: the root keys of sources, by their names.
  package init(
    in folder: FilePath, board: [FilePath], tpm: TPM? = nil, roots: [String: SigningKey.PublicKey],
    clocks: @escaping @Sendable () -> HonestClock.Reading
  ) throws(Fault) {
    try Folder.make(folder)
    try Folder.make(folder / "licences")
    let files = DeviceFiles(in: folder, board: board, tpm: tpm)
    let device = try files.device()
    state = Mutex(State(device: device, former: files.former(of: device)))
    (self.folder, self.files, self.roots, self.clocks) = (folder, files, roots, clocks)
  }

  /// Removes all that makes this device what it is: what it could open, nothing opens any more.
  package static func destroy(in folder: FilePath, tpm: TPM?) throws(Fault) {
    try DeviceFiles(in: folder, board: [], tpm: tpm).destroy()
    for name in try Folder.names(in: folder / "licences") {
      _ = (folder / "licences" / name.description).withCString { unlink($0) }
    }
    _ = (folder / "clock.json").withCString { unlink($0) }
    try AtomicFile.syncFolder(folder)
  }

  /// The same device with other sources; what is known of the time is kept first.
  package func trusting(_ roots: [String: SigningKey.PublicKey]) throws(Fault) -> DeviceRights {
    try keepClock()
    return DeviceRights(self, roots)
  }

  private init(_ other: DeviceRights, _ roots: [String: SigningKey.PublicKey]) {
    let (device, former, counting) = other.state.withLock { ($0.device, $0.former, $0.counting) }
    state = Mutex(State(device: device, former: former, counting: counting))
    (folder, files, self.roots, clocks) = (other.folder, other.files, roots, other.clocks)
  }

  /// What a service needs to know of this device.
  package var card: JSON { device.identity.card }
  package var name: String { device.name }
  /// What the device's keys are bound to beside its file.
  package var boundTo: [FilePath] { device.boundTo }
  package var standing: KeeperStanding {
    KeeperStanding(isBroker: false, hasTPM: device.isSealed, boundTo: boundTo)
  }
  private var device: KnownDevice { state.withLock { $0.device } }
  package var sources: [String] { roots.keys.sorted() }

  // MARK: The clock

  package var time: HonestClock.Time { now().time }

  /// The time, the licences, and whether what was known of the time is lost: all of one moment.
  private func now() -> (time: HonestClock.Time, held: [Held], isLost: Bool) {
    let reading = clocks()
    return state.withLock { state in
      load(&state)
      let time = state.clock.read(reading)
      if time.witness == .network { state.hasLostTime = false }
      return (time, state.held, state.hasLostTime || state.isPutBack)
    }
  }

  /// Writes what is known of the time to the disk, if that has changed.
  package func keepClock() throws(Fault) { try keepClock(always: false) }

  /// `always`: also when only the number of what was written before is other.
  private func keepClock(always: Bool) throws(Fault) {
    _ = now()
    let (clock, kept, isLost, device) = state.withLock {
      ($0.clock, $0.kept, $0.hasLostTime || $0.isPutBack, $0.device)
    }
    guard always || clock != kept || state.withLock({ $0.counting.isDue(device) }), !isLost else { return }
    let number = try state.withLock { state throws(Fault) in try state.counting.next(of: device, must: always) }
    try AtomicFile.replace(clockFile, with: try Self.written(clock, number, by: device.identity.clockKey).bytes)
    Steps.reach("rights.numbered")
    try state.withLock { state throws(Fault) in
      try state.counting.count(of: device, to: number)
      state.kept = clock
    }
  }

  private static func written(_ clock: HonestClock, _ number: UInt64, by key: borrowing Secret) throws(Fault) -> JSON {
    [
      "floor": JSON(clock.floor), "proven": JSON(clock.proven), "boot": JSON(clock.boot), "uptime": JSON(clock.uptime),
      "number": JSON(number), "sum": JSON(Base64.encodeURL(try HMAC.sum(Array(clock.summed(number).utf8), key: key))),
    ]
  }

  /// The clock, and the number of its record.
  private static func read(_ bytes: [UInt8], by key: borrowing Secret) throws(Fault) -> (HonestClock, UInt64) {
    let json = try JSON(parsing: bytes)
    guard let floor = json["floor"]?.whole, let proven = json["proven"]?.whole, let uptime = json["uptime"]?.whole,
      let boot = json["boot"]?.string, let sum = json["sum"]?.string, HonestClock.known.contains(floor),
      HonestClock.known.contains(proven), HonestClock.known.contains(uptime)
    else { throw Fault(.damaged, "E-156", "clock.json is not what this device writes") }
    let clock = HonestClock(floor: floor, proven: proven, boot: boot, uptime: uptime)
    // One that was written before there were numbers has none.
    let number = UInt64(exactly: json["number"]?.whole ?? 0) ?? 0
    guard ExactText(sum) == ExactText(Base64.encodeURL(try HMAC.sum(Array(clock.summed(number).utf8), key: key))) else {
      throw Fault(.damaged, "E-156", "clock.json was written by somebody else")
    }
    return (clock, number)
  }

  private var clockFile: FilePath { folder / "clock.json" }

  // MARK: Licences

  package func lines() -> [Line] {
    let (time, held, isLost) = now()
    return held.map { one in
      let verdict = Verdict(one.licence, on: owner(of: one.licence).name, at: isLost ? nil : time.now)
      return Line(source: one.source, licence: LicenceFacts(one.licence), verdict: verdict)
    }
  }

  private func owner(of licence: Licence) -> KnownDevice { state.withLock { $0.device(of: licence) } }

  /// Takes over what a source gives, and says how many licences are new. Each is verified first, and stored before it
  /// counts. One that is older than what is here, or for another device, is passed over; one that cannot be read is no
  /// reason to leave the others.
  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Int {
    guard let root = roots[source] else { throw Self.untrusted(source) }
    let bundle = try LicenceBundle(parsing: bytes)
    let keys = try ServiceKeys(bundle.keys, root: root)
    let device = device
    var fresh: [Held] = []
    var refusal: Fault?
    for text in bundle.licences {
      do throws(Fault) {
        let one = Held(
          source: source, keys: bundle.keys, text: text, licence: try Self.verified(text, keys))
        guard ExactText(one.licence.device) == ExactText(device.name) else { continue }
        if let id = one.licence.keys.first {
          _ = try one.licence.contentKey(id, by: device.identity.agreement, root: root)
        }
        fresh.append(one)
      } catch {
        log.warning("a licence is passed over", ["source": source, "reason": error.message])
        refusal = refusal ?? error
      }
    }
    if fresh.isEmpty, let refusal { throw refusal }
    let (time, held, _) = now()
    var (all, count) = (held.filter { $0.source == source }, 0)
    for one in fresh {
      let id = ExactText(one.licence.id)
      guard let known = all.firstIndex(where: { ExactText($0.licence.id) == id }) else {
        all.append(one)
        count += 1
        continue
      }
      let isForFormer = ExactText(all[known].licence.device) != ExactText(device.name)
      guard isForFormer || one.licence.serial > all[known].licence.serial else { continue }
      all[known] = one
      count += 1
    }
    let kept = try Self.fitting(all, at: time.now)
    try keepClock()
    try AtomicFile.replace(file(of: source), with: Self.file(of: kept))
    state.withLock { state in
      state.held = state.held.filter { $0.source != source } + kept
      // It has said what it knows; what it said before counts no more.
      state.isPutBack = false
    }
    try keepClock(always: true)
    try giveUpFormer(at: time.now)
    return count
  }

  // MARK: Another device

  /// From now on this is another device. What it was before opens its licences until those for the new one are here.
  /// After a power cut it is the one or the other.
  package func rotate() throws(Fault) {
    _ = now()
    let before = device
    guard state.withLock({ $0.former }) == nil else {
      throw Fault(
        .busy, "E-183",
        "this device was made anew before, and not all its licences have come since; layby rights renew fetches them")
    }
    let next = try files.replace(before)
    state.withLock { ($0.device, $0.former) = (next, before) }
    try keepClock(always: true)
  }

  /// Once nothing that still plays is for that alone.
  private func giveUpFormer(at now: Int64) throws(Fault) {
    let isNeeded = state.withLock { state in
      guard let former = state.former else { return true }
      return state.held.contains { one in
        ExactText(one.licence.device) == ExactText(former.name) && one.licence.ends.map { $0 > now } ?? true
      } || !state.held.contains { ExactText($0.licence.device) == ExactText(state.device.name) }
    }
    if isNeeded { return }
    try files.removeFormer()
    state.withLock { $0.former = nil }
  }

  /// Says to a service that a request comes from this device.
  package func proof(of request: ProvenRequest) throws(Fault) -> String {
    let now = time.now
    return try RequestProof.sign(
      request.method, request.address, token: request.token, nonce: request.nonce, at: now,
      with: device.identity.signing)
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
  private static func file(of held: [Held]) -> [UInt8] {
    var lists: [(keys: String, licences: [String])] = []
    for one in held {
      if let known = lists.firstIndex(where: { ExactText($0.keys) == ExactText(one.keys) }) {
        lists[known].licences.append(one.text)
      } else {
        lists.append((one.keys, [one.text]))
      }
    }
    let bundles = lists.map { LicenceBundle(keys: $0.keys, licences: $0.licences).json }
    return JSON.list(bundles).bytes + Array("\n".utf8)
  }

  private func file(of source: String) -> FilePath { folder / "licences" / "\(source).json" }

  /// Once. What is damaged is left where it is, and fetched anew.
  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    for (source, root) in roots { load(source, root, into: &state) }
    do throws(Fault) {
      if let bytes = try PlainFile.read(clockFile, limit: 4_096, code: "E-151") {
        let number: UInt64
        (state.clock, number) = try Self.read(bytes, by: state)
        state.kept = state.clock
        state.isPutBack = try !state.counting.follows(number, of: state.device) && hasLicences
        if state.isPutBack { log.warning("the folder was put back from a copy; sealed music waits for its source") }
        return
      }
    } catch { log.warning("what was known of the time is lost", ["reason": error.message]) }
    state.hasLostTime = hasLicences
  }

  /// Also of sources that are not trusted now: they may be again.
  private var hasLicences: Bool {
    do throws(Fault) { return try !Folder.names(in: folder / "licences").isEmpty } catch { return true }
  }

  /// Also after a power cut in the middle of `rotate`, when who this was before has written it.
  private static func read(_ bytes: [UInt8], by state: State) throws(Fault) -> (HonestClock, UInt64) {
    do throws(Fault) { return try read(bytes, by: state.device.identity.clockKey) } catch {
      guard let former = state.former else { throw error }
      return try read(bytes, by: former.identity.clockKey)
    }
  }

  private func load(_ source: String, _ root: SigningKey.PublicKey, into state: inout State) {
    do throws(Fault) {
      guard let bytes = try PlainFile.read(file(of: source), limit: 2 * LicenceBundle.longest, code: "E-151") else {
        return
      }
      for bundle in try LicenceBundle.all(parsing: bytes) {
        let keys = try ServiceKeys(bundle.keys, root: root)
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
    let (time, held, isLost) = now()
    var refusal: Fault?
    for one in held where one.licence.keys.contains(id) {
      guard let root = roots[one.source] else { continue }
      if state.withLock({ $0.isPutBack }) { throw Self.putBack }
      let owner = owner(of: one.licence)
      let verdict = Verdict(one.licence, on: owner.name, at: isLost ? nil : time.now)
      guard verdict.mayPlay else {
        refusal = refusal ?? verdict.refusal(of: one.licence)
        continue
      }
      // What lies in memory is verified again for each playing.
      do throws(Fault) {
        let licence = try Self.verified(one.text, try ServiceKeys(one.keys, root: root))
        if let key = try licence.contentKey(id, by: owner.identity.agreement, root: root) { return key }
      } catch { refusal = refusal ?? error }
    }
    throw refusal
      ?? Fault(
        .denied, "E-160", "there is no licence for this music on this device: \(name); layby rights renew fetches one")
  }

  private static let putBack = Fault(
    .denied, "E-184",
    "what is kept of licences was put back from a copy; sealed music plays again when this device has been online once")
}

extension HonestClock {
  /// `number`: of the record that it is written in; 0 where nothing counts.
  fileprivate func summed(_ number: UInt64) -> String {
    "\(floor)\n\(proven)\n\(boot)\n\(uptime)" + (number == 0 ? "" : "\n\(number)")
  }
}

extension Verdict {
  /// Why it may not play, and the way out.
  func refusal(of licence: Licence) -> Fault? {
    switch self {
    case .plays, .endsSoon: nil
    case .ended(let at):
      Fault(
        .denied, "E-161",
        "the licence of \(licence.title) ended on \(CalendarDay(at)); it stays here, and plays again when this device"
          + " has been online")
    case .otherDevice:
      Fault(
        .denied, "E-162",
        "the licence of \(licence.title) is for another device; this card may have been in another board")
    case .timeLost:
      Fault(
        .denied, "E-164",
        "what this device knew of the time is lost; \(licence.title) plays again once the device has been online")
    case .notYet:
      Fault(
        .denied, "E-163",
        "the licence of \(licence.title) begins on \(CalendarDay(licence.issued)); the clock of this device is wrong")
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
