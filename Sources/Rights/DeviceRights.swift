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
    let text: String
    let licence: Licence
  }

  private struct State {
    var keys: [String: ServiceKeys] = [:]
    var held: [Held] = []
    var clock = HonestClock()
    var isLoaded = false
    var kept = HonestClock()
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

  package var time: HonestClock.Time { state.withLock { time(&$0) } }

  private func time(_ state: inout State) -> HonestClock.Time {
    load(&state)
    return state.clock.read(clocks())
  }

  /// What is known of the time survives a power cut.
  package func keepClock() throws(Fault) {
    _ = time
    let (clock, kept) = state.withLock { ($0.clock, $0.kept) }
    guard clock != kept else { return }
    try AtomicFile.replace(clockFile, with: clock.json.bytes)
    state.withLock { $0.kept = clock }
  }

  private var clockFile: FilePath { folder / "clock.json" }

  // MARK: Licences

  package func lines() -> [Line] {
    let (held, now) = state.withLock { state in
      let now = time(&state).now
      return (state.held, now)
    }
    return held.map { Line(source: $0.source, licence: $0.licence, verdict: Verdict($0.licence, on: name, at: now)) }
  }

  /// Takes over what a source gives, and says how many licences are new. All of it is verified first, and stored before
  /// it counts. A licence that is older than the one that is here is passed over.
  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Int {
    guard let root = roots[source] else { throw Self.untrusted(source) }
    let bundle = try LicenceBundle(parsing: bytes)
    let keys = try ServiceKeys(bundle.keys, root: root)
    var fresh: [Held] = []
    for text in bundle.licences { fresh.append(try Self.verified(text, keys, source)) }
    let before = state.withLock { state in
      load(&state)
      return state.held
    }
    var (all, count) = (before.filter { $0.source == source }, 0)
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
    let kept = LicenceBundle(keys: bundle.keys, licences: all.map(\.text))
    try AtomicFile.replace(file(of: source), with: kept.fileBytes)
    state.withLock { state in
      state.keys[source] = keys
      state.held = state.held.filter { $0.source != source } + all
    }
    return count
  }

  private func file(of source: String) -> FilePath { folder / "licences" / "\(source).json" }

  /// Once. What is damaged is left where it is, and fetched anew.
  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    do throws(Fault) {
      if let bytes = try PlainFile.read(clockFile, limit: 4_096, code: "E-151") {
        state.clock = try HonestClock(JSON(parsing: bytes))
        state.kept = state.clock
      }
    } catch { log.warning("what was known of the time is lost", ["reason": error.message]) }
    for (source, root) in roots {
      do throws(Fault) {
        guard let bytes = try PlainFile.read(file(of: source), limit: 2 * LicenceBundle.longest, code: "E-151") else {
          continue
        }
        let bundle = try LicenceBundle(parsing: bytes)
        let keys = try ServiceKeys(bundle.keys, root: root)
        state.keys[source] = keys
        for text in bundle.licences {
          do throws(Fault) { state.held.append(try Self.verified(text, keys, source)) } catch {
            log.warning("a licence is passed over", ["source": source, "reason": error.message])
          }
        }
      } catch { log.warning("licences cannot be read", ["source": source, "reason": error.message]) }
    }
  }

  private static func verified(_ text: String, _ keys: ServiceKeys, _ source: String) throws(Fault) -> Held {
    let document = try SignedDocument(text, as: .licence) { keys.licenceKey($0) }
    return Held(source: source, text: text, licence: try Licence(document.body))
  }

  private static func untrusted(_ source: String) -> Fault {
    Fault(.missing, "E-152", "[source \(source)] has no trust line, so it gives no licences")
  }

  // MARK: Keys

  package func key(_ id: KeyID, of name: String) throws(Fault) -> Secret {
    let (held, keys, now) = state.withLock { state in
      let now = time(&state).now
      return (state.held.filter { $0.licence.keys.contains(id) }, state.keys, now)
    }
    var refusal: Fault?
    for one in held {
      let verdict = Verdict(one.licence, on: self.name, at: now)
      guard verdict.mayPlay, let keys = keys[one.source] else {
        refusal = refusal ?? verdict.refusal(of: one.licence)
        continue
      }
      // What lies in memory is verified again for each playing.
      do throws(Fault) {
        let licence = try Self.verified(one.text, keys, one.source).licence
        if let key = try licence.contentKey(id, by: identity.agreement) { return key }
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
    guard var bytes = found else {
      throw Fault(.damaged, "E-154", "\(path) is no file; expected a device's secret")
    }
    defer { bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } } }
    guard bytes.count >= DeviceIdentity.secretLength else {
      throw Fault(.damaged, "E-154", "\(path) is too short to be a device's secret; without it no licence opens")
    }
    let board = bytes[DeviceIdentity.secretLength...].split(separator: UInt8(ascii: "\n")).compactMap {
      FilePath(bytes: $0)
    }
    var numbers: [[UInt8]] = []
    for path in board { numbers.append(try Self.number(path)) }
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
  var json: JSON { ["floor": JSON(floor), "sure": JSON(sure)] }

  init(_ json: JSON) throws(Fault) {
    guard let floor = json["floor"]?.whole, let sure = json["sure"]?.whole, Self.known.contains(floor),
      Self.known.contains(sure)
    else {
      throw Fault(.damaged, "E-156", "clock.json needs \"floor\" and \"sure\"")
    }
    self.init(floor: floor, sure: sure)
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
