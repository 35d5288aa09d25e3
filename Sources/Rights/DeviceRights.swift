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

  private struct Held {
    let source: String
    /// The list of keys that vouches for it, as it came with it.
    let keys: String
    let text: String
    let licence: Licence
  }

  private struct State {
    var held: [Held] = []
    var clock = HonestClock()
    var kept = HonestClock()
    var isLoaded = false
    /// There are licences, and nothing is known of the time that was; so it takes a time server.
    var hasLostTime = false
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

  package var time: HonestClock.Time { now().time }

  /// The time, the licences, and whether what was known of the time is lost: all of one moment.
  private func now() -> (time: HonestClock.Time, held: [Held], isLost: Bool) {
    let reading = clocks()
    return state.withLock { state in
      load(&state)
      let time = state.clock.read(reading)
      if time.witness == .network { state.hasLostTime = false }
      return (time, state.held, state.hasLostTime)
    }
  }

  /// Writes what is known of the time to the disk, if that has changed.
  package func keepClock() throws(Fault) {
    _ = now()
    let (clock, kept, isLost) = state.withLock { ($0.clock, $0.kept, $0.hasLostTime) }
    guard clock != kept, !isLost else { return }
    try AtomicFile.replace(clockFile, with: try Self.written(clock, by: identity.clockKey).bytes)
    state.withLock { $0.kept = clock }
  }

  private static func written(_ clock: HonestClock, by key: borrowing Secret) throws(Fault) -> JSON {
    [
      "floor": JSON(clock.floor), "proven": JSON(clock.proven), "boot": JSON(clock.boot), "uptime": JSON(clock.uptime),
      "sum": JSON(Base64.encodeURL(try HMAC.sum(Array(clock.summed.utf8), key: key))),
    ]
  }

  private static func read(_ bytes: [UInt8], by key: borrowing Secret) throws(Fault) -> HonestClock {
    let json = try JSON(parsing: bytes)
    guard let floor = json["floor"]?.whole, let proven = json["proven"]?.whole, let uptime = json["uptime"]?.whole,
      let boot = json["boot"]?.string, let sum = json["sum"]?.string, HonestClock.known.contains(floor),
      HonestClock.known.contains(proven), HonestClock.known.contains(uptime)
    else { throw Fault(.damaged, "E-156", "clock.json is not what this device writes") }
    let clock = HonestClock(floor: floor, proven: proven, boot: boot, uptime: uptime)
    guard ExactText(sum) == ExactText(Base64.encodeURL(try HMAC.sum(Array(clock.summed.utf8), key: key))) else {
      throw Fault(.damaged, "E-156", "clock.json was written by somebody else")
    }
    return clock
  }

  private var clockFile: FilePath { folder / "clock.json" }

  // MARK: Licences

  package func lines() -> [Line] {
    let (time, held, isLost) = now()
    return held.map { one in
      let verdict = Verdict(one.licence, on: name, at: isLost ? nil : time.now)
      return Line(source: one.source, licence: one.licence, verdict: verdict)
    }
  }

  /// Takes over what a source gives, and says how many licences are new. Each is verified first, and stored before it
  /// counts. One that is older than what is here, or for another device, is passed over; one that cannot be read is no
  /// reason to leave the others.
  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Int {
    guard let root = roots[source] else { throw Self.untrusted(source) }
    let bundle = try LicenceBundle(parsing: bytes)
    let keys = try ServiceKeys(bundle.keys, root: root)
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
      guard one.licence.serial > all[known].licence.serial else { continue }
      all[known] = one
      count += 1
    }
    let kept = try Self.fitting(all, at: time.now)
    try keepClock()
    try AtomicFile.replace(file(of: source), with: Self.file(of: kept))
    state.withLock { $0.held = $0.held.filter { $0.source != source } + kept }
    return count
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
        state.clock = try Self.read(bytes, by: identity.clockKey)
        state.kept = state.clock
        return
      }
    } catch { log.warning("what was known of the time is lost", ["reason": error.message]) }
    state.hasLostTime = !state.held.isEmpty
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
      let verdict = Verdict(one.licence, on: self.name, at: isLost ? nil : time.now)
      guard verdict.mayPlay else {
        refusal = refusal ?? verdict.refusal(of: one.licence)
        continue
      }
      // What lies in memory is verified again for each playing.
      do throws(Fault) {
        let licence = try Self.verified(one.text, try ServiceKeys(one.keys, root: root))
        if let key = try licence.contentKey(id, by: identity.agreement, root: root) { return key }
      } catch { refusal = refusal ?? error }
    }
    throw refusal
      ?? Fault(
        .denied, "E-160", "there is no licence for this music on this device: \(name); layby rights renew fetches one")
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

extension HonestClock {
  fileprivate var summed: String { "\(floor)\n\(proven)\n\(boot)\n\(uptime)" }
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
