import Ciphers
import Glibc
import Runtime

/// What comes in, and what is kept of it on the disk.
extension DeviceRights {
  // MARK: The clock

  /// Writes what is known of the time to the disk, if that has changed.
  package func keepClock() throws(Fault) { try keepClock(always: false) }

  /// `always`: the TPM counts on, so that a copy from before is known.
  private func keepClock(always: Bool) throws(Fault) {
    let look = look()
    let (device, known) = (look.state.device, look.state.known)
    guard always || known != look.state.kept || look.state.counting.isDue(device) else { return }
    let number = try state.withLock { state throws(Fault) in try state.counting.next(of: device, must: always) }
    try AtomicFile.replace(clockFile, with: try known.bytes(numbered: number, by: device.identity.clockKey))
    Steps.reach("rights.numbered")
    try state.withLock { state throws(Fault) in
      try state.counting.count(of: device, to: number)
      state.kept = known
    }
  }

  private var clockFile: FilePath { folder / "clock.json" }

  private static let mostQuestions = 8

  package func timeQuestion() -> [UInt8] {
    let question = TimeQuestion(nonce: randomBytes(24), asked: clocks())
    state.withLock { $0.questions = ($0.questions + [question]).suffix(Self.mostQuestions) }
    return question.nonce
  }

  /// An answer that took more seconds than this is refused: a delay would set the clock back by as much.
  private static let soon: Int64 = 60

  package func take(
    time text: String, _ keys: String, for question: [UInt8], from source: String
  ) throws(Fault) {
    let root = try root(of: source)
    let time = try SignedTime.read(text, for: question, by: try ServiceKeys(keys, root: root))
    let reading = clocks()
    let asked = state.withLock { state in
      let known = state.questions.first { $0.nonce == question }
      state.questions.removeAll { $0.nonce == question }
      return known?.asked
    }
    guard let asked else { throw SignedTime.otherQuestion }
    guard reading.boot == asked.boot, reading.uptime - asked.uptime <= Self.soon else {
      throw Fault(.passing, "E-128", "a signed time came too late to be of use; it is asked for again")
    }
    _ = look()
    try state.withLock { state throws(Fault) in try state.known.learn(time, from: root, at: reading) }
    try keepClock()
  }

  private func root(of source: String) throws(Fault) -> SigningKey.PublicKey {
    guard let root = state.withLock({ $0.roots[source] }) else {
      throw Fault(.missing, "E-152", "[source \(source)] has no trust line, so it gives no licences")
    }
    return root
  }

  // MARK: Licences

  /// Each document is verified first, and stored before it counts. One that is older than what is here, or for another
  /// device, is passed over; one that cannot be read is no reason to leave the others.
  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> Taken {
    let root = try root(of: source)
    let bundle = try LicenceBundle(parsing: bytes)
    let keys = try ServiceKeys(bundle.keys, root: root)
    let look = look()
    let device = look.state.device
    let (given, refusal) = read(bundle, keys, root, from: source, for: device)
    let fresh = given.filter { $0.licence.serial >= look.state.serial(of: LicenceName($0.licence, of: root)) }
    var (taken, known, statements) = (Taken(), look.state.known, look.state.statements)
    if let found = try statement(bundle, keys, root, from: source, for: [device.name]),
      found.statement.number > look.state.statement(of: root, for: device.name)?.number ?? 0,
      found.statement.number >= known.service(root).number(for: device.name)
    {
      Self.put(found, into: &statements)
      try known.hear(found)
      taken.isStatementNew = true
    }
    if fresh.isEmpty, !taken.isStatementNew, let refusal { throw refusal }
    if known.isRestored { try known.hear(from: root) }
    let held = look.state.held
    var news = HeldLicences()
    for one in fresh where held.takes(one, for: device.name) { _ = news.put(one, for: device.name) }
    taken.licences = news.all.count
    let room = held.room(for: source, among: Array(look.state.roots.keys))
    let (size, ended) = try Self.fitting(held, news, of: source, in: room, at: look.time.now)
    let isStatementNew = taken.isStatementNew
    state.withLock { state in
      for one in news.all {
        if let before = state.held[source, one.licence.id] { state.known.carry(before, state.held) }
      }
    }
    try keepClock()
    var file = look.state.files[source] ?? LicenceFile(path(of: source))
    try makeRoom(for: file.path)
    func all() -> [LicenceBundle] {
      let kept = held.of(source, with: news).filter { !ended.contains(ExactText($0.licence.id)) }
      return Self.bundles(of: kept, statements.filter { $0.source == source })
    }
    // Nobody finds there what allowed more than what has taken its place.
    let allowsLess = news.all.contains { one in
      held[source, one.licence.id].map { one.licence.allowsLess(than: $0.licence) } ?? false
    }
    let line = LicenceBundle(
      keys: bundle.keys, licences: news.all.filter { !$0.licence.isStreaming }.map(\.text),
      statement: isStatementNew ? bundle.statement : nil)
    if !ended.isEmpty || allowsLess {
      try file.replace(with: all())
    } else if !line.isEmpty {
      try file.add(line, counting: size, all: all)
    }
    let sharesRoot = look.state.roots.values.count { $0 == root } > 1
    state.withLock { state in
      for one in news.all { _ = state.held.put(one, for: device.name) }
      state.held.removeAll { one in one.source == source && ended.contains(ExactText(one.licence.id)) }
      if sharesRoot { state.dropOlder() }
      state.files[source] = file
      state.statements = statements
      state.known.services = known.services
    }
    try keepClock(always: taken.licences > 0 || taken.isStatementNew)
    try giveUpFormer(at: look.time.now)
    return taken
  }

  /// Those that are for this device and open here; and why another was passed over.
  private func read(
    _ bundle: LicenceBundle, _ keys: ServiceKeys, _ root: SigningKey.PublicKey, from source: String,
    for device: KnownDevice
  ) -> (fresh: [Held], refusal: Fault?) {
    var fresh: [Held] = []
    var refusal: Fault?
    let list = HeldLicences.KeyList(bundle.keys)
    for text in bundle.licences {
      do throws(Fault) {
        let licence = try Self.verified(text, keys)
        guard ExactText(licence.device) == ExactText(device.name) else { continue }
        if let id = licence.keys.first {
          _ = try licence.contentKey(id, by: device.identity.agreement, root: root)
        }
        fresh.append(Held(source: source, root: root, keys: list, text: text, licence: licence))
      } catch {
        log.warning("a licence is passed over", ["source": source, "reason": error.message])
        refusal = refusal ?? error
      }
    }
    return (fresh, refusal)
  }

  /// Nil for one of none of these devices, and where there is none.
  private func statement(
    _ bundle: LicenceBundle, _ keys: ServiceKeys, _ root: SigningKey.PublicKey, from source: String,
    for devices: [String]
  ) throws(Fault) -> HeldStatement? {
    guard let text = bundle.statement else { return nil }
    let statement = try Statement(try SignedDocument(text, as: .statement) { keys.key($0, for: .statements) }.body)
    guard devices.contains(where: { ExactText($0) == ExactText(statement.device) }) else { return nil }
    return HeldStatement(source: source, root: root, keys: bundle.keys, text: text, statement: statement)
  }

  /// In the place of the one that was there for the same service and device.
  private static func put(_ statement: HeldStatement, into all: inout [HeldStatement]) {
    let device = ExactText(statement.statement.device)
    all.removeAll { $0.root == statement.root && ExactText($0.statement.device) == device }
    all.append(statement)
  }

  /// The music stays where it is, and plays again when somebody signs in. That the service has made statements, and when
  /// something was first played, is not forgotten: signing out and in again wins nothing.
  package func forget(_ source: String) throws(Fault) {
    _ = look()
    var file = LicenceFile(path(of: source))
    try file.replace(with: [])
    state.withLock { [file] state in
      state.files[source] = file
      state.held.removeAll { $0.source == source }
      state.statements.removeAll { $0.source == source }
    }
  }

  /// As many of a source as a device keeps: what has ended gives way. `size`: of what is stored then, in bytes.
  private static func fitting(
    _ held: HeldLicences, _ news: HeldLicences, of source: String, in room: (count: Int, bytes: Int), at now: Int64
  ) throws(Fault) -> (size: Int, ended: Set<ExactText>) {
    func fits(_ size: HeldLicences.Size) -> Bool { size.count <= room.count && size.bytes <= room.bytes }
    let size = held.size(of: source, with: news)
    if fits(size) { return (size.bytes, []) }
    let living = held.size(of: source, with: news) { $0.isLiving(at: now) }
    guard fits(living) else { throw Fault(.full, "E-157", "there are more licences than a device keeps") }
    let ended = held.of(source, with: news).filter { !$0.licence.isLiving(at: now) }
    return (living.bytes, Set(ended.map { ExactText($0.licence.id) }))
  }

  // MARK: Their files

  /// Bytes of licences in a line.
  private static let lineLength = 1 << 20

  /// By the lists of keys that vouch for them. What is for streaming is not kept.
  private static func bundles(of held: [Held], _ statements: [HeldStatement]) -> [LicenceBundle] {
    var bundles = statements.map { LicenceBundle(keys: $0.keys, licences: [], statement: $0.text) }
    let kept = held.filter { !$0.licence.isStreaming }
    for (_, ofList) in Dictionary(grouping: kept, by: \.keys.sum) {
      var room = 0
      for one in ofList {
        if room <= 0 {
          bundles.append(LicenceBundle(keys: one.keys.text, licences: []))
          room = lineLength
        }
        bundles[bundles.count - 1].licences.append(one.text)
        room -= one.text.utf8.count
      }
    }
    return bundles
  }

  private func path(of source: String) -> FilePath { folder / "licences" / "\(source).json" }

  /// Once. What is damaged is left where it is, and fetched anew.
  func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    loadSources(&state)
    loadClock(&state)
  }

  private func loadSources(_ state: inout State) {
    // Licences for streaming are not on the disk, so they stay in memory.
    let roots = state.roots
    state.held.removeAll { !$0.licence.isStreaming || roots[$0.source] != $0.root }
    state.statements = []
    for (source, root) in roots.sorted(by: { $0.key < $1.key }) { load(source, root, into: &state) }
    state.leftBehind = serialsLeftBehind(roots)
    state.dropOlder()
  }

  /// The serials that trusted services have given to sources which have another name by now, or are named no longer.
  private func serialsLeftBehind(_ roots: [String: SigningKey.PublicKey]) -> [LicenceName: Int64] {
    let named = Set(roots.keys.map { "\($0).json" })
    var serials: [LicenceName: Int64] = [:]
    var files: [FilePath] = []
    do throws(Fault) {
      files = try Folder.names(in: folder / "licences").filter { !named.contains($0.description) }
    } catch { log.warning("licences of former sources cannot be read", ["reason": error.message]) }
    for name in files {
      var file = LicenceFile(folder / "licences" / name.description)
      do throws(Fault) {
        let damage = try file.read { bundle in
          for root in Set(roots.values) {
            guard let keys = try? ServiceKeys(bundle.keys, root: root) else { continue }  // those of another service
            for text in bundle.licences {
              guard let licence = try? Self.verified(text, keys) else { continue }  // one that never counted
              let name = LicenceName(licence, of: root)
              serials[name] = max(licence.serial, serials[name] ?? 0)
            }
          }
        }
        if let damage { throw damage }
      } catch { log.warning("licences of a former source cannot be read", ["reason": error.message]) }
    }
    return serials
  }

  /// From the end on, so that what was renewed since is not verified.
  private func load(_ source: String, _ root: SigningKey.PublicKey, into state: inout State) {
    var (file, found) = (LicenceFile(path(of: source)), HeldLicences())
    do throws(Fault) {
      let damage = try file.read { bundle in
        do throws(Fault) { try load(bundle, source, root, into: &found, &state) } catch {
          log.warning("some licences are passed over", ["source": source, "reason": error.message])
        }
      }
      if let damage { log.warning("some licences cannot be read", ["source": source, "reason": damage.message]) }
    } catch { log.warning("licences cannot be read", ["source": source, "reason": error.message]) }
    for one in found.all.reversed() { _ = state.held.put(one, for: state.device.name) }
    state.files[source] = file
  }

  private func load(
    _ bundle: LicenceBundle, _ source: String, _ root: SigningKey.PublicKey, into found: inout HeldLicences,
    _ state: inout State
  ) throws(Fault) {
    let (keys, list) = (try ServiceKeys(bundle.keys, root: root), HeldLicences.KeyList(bundle.keys))
    let devices = [state.device.name] + (state.former.map { [$0.name] } ?? [])
    if let news = try statement(bundle, keys, root, from: source, for: devices),
      news.statement.number > state.statement(of: root, for: news.statement.device)?.number ?? 0
    {
      Self.put(news, into: &state.statements)
    }
    for text in bundle.licences.reversed() {
      do throws(Fault) {
        let said = try CompactSignature(text).body()
        guard
          found.isNewer(
            source, said["id"]?.string ?? "", serial: said["serial"]?.whole ?? 0, of: said["device"]?.string ?? "",
            for: state.device.name)
        else { continue }
        let licence = try Self.verified(text, keys)
        let one = Held(source: source, root: root, keys: list, text: text, licence: licence)
        _ = found.put(one, for: state.device.name)
      } catch { log.warning("a licence is passed over", ["source": source, "reason": error.message]) }
    }
  }

  private func loadClock(_ state: inout State) {
    do throws(Fault) {
      if let bytes = try PlainFile.read(clockFile, limit: Known.longest, code: "E-151") {
        let number: UInt64
        (state.known, number) = try Self.read(bytes, by: state)
        state.kept = state.known
        guard !follows(number, &state) else { return }
        log.warning("the folder was put back from a copy; sealed music waits for its services")
        return state.known.noteRestored()
      }
    } catch { log.warning("what was known of the time is lost", ["reason": error.message]) }
    state.known = Known()
    state.known.isLost = hasLicences
    if state.counting.hasBegun(state.device) { state.known.noteRestored() }
  }

  private func follows(_ number: UInt64, _ state: inout State) -> Bool {
    let device = state.device
    do throws(Fault) { return try state.counting.follows(number, of: device) } catch {
      log.warning("the TPM does not say what it has counted", ["reason": error.message])
      return false
    }
  }

  /// Also of sources that are not trusted now: they may be again.
  private var hasLicences: Bool {
    do throws(Fault) {
      return try Folder.names(in: folder / "licences").contains { name in
        var facts = stat()
        // A file of an earlier version had three bytes when it held nothing.
        return (folder / "licences" / name.description).withCString { lstat($0, &facts) } == 0 && facts.st_size > 8
      }
    } catch { return true }  // what cannot be looked at may be there
  }

  /// Also after a power cut in the middle of `rotate`, when who this was before has written it.
  private static func read(_ bytes: [UInt8], by state: State) throws(Fault) -> (Known, UInt64) {
    do throws(Fault) { return try Known.read(bytes, by: state.device.identity.clockKey) } catch {
      guard let former = state.former else { throw error }
      return try Known.read(bytes, by: former.identity.clockKey)
    }
  }

  // MARK: Another device, other sources

  package func trusts(_ roots: [String: SigningKey.PublicKey]) -> Bool { state.withLock { $0.roots == roots } }

  /// The same device with other sources; what is known of the time is kept first.
  package func trust(_ roots: [String: SigningKey.PublicKey]) throws(Fault) {
    try keepClock()
    state.withLock { state in
      state.roots = roots
      loadSources(&state)
    }
  }

  /// From now on this is another device. What it was before opens its licences until those for the new one are here.
  /// After a power cut it is the one or the other.
  package func rotate() throws(Fault) {
    let look = look()
    guard look.state.former == nil else {
      throw Fault(
        .busy, "E-183",
        "this device was made anew before, and not all its licences have come since; layby rights renew fetches them")
    }
    let before = look.state.device
    let next = try files.replace(before)
    state.withLock { ($0.device, $0.former) = (next, before) }
    try keepClock(always: true)
    // Without licences there is nothing that only the former one opens.
    if look.state.held.all.isEmpty { try removeFormer() }
  }

  /// Once nothing that still plays is for that alone.
  private func giveUpFormer(at now: Int64) throws(Fault) {
    let isNeeded = state.withLock { state in
      guard let former = state.former else { return true }
      return state.held.all.contains { one in
        ExactText(one.licence.device) == ExactText(former.name) && one.licence.ends.map { $0 > now } ?? true
      } || !state.held.all.contains { ExactText($0.licence.device) == ExactText(state.device.name) }
    }
    if !isNeeded { try removeFormer() }
  }

  private func removeFormer() throws(Fault) {
    try files.removeFormer()
    state.withLock { state in
      state.former = nil
      state.known.forgetStatements(exceptOf: state.device.name)
    }
    try keepClock()
  }

  /// Removes all that makes this device what it is: what it could open, nothing opens any more.
  package static func destroy(in folder: FilePath, tpm: TPM?) throws(Fault) {
    try DeviceFiles(in: folder, board: [], tpm: tpm).destroy()
    for place in ["licences", "sessions"] {
      let place = folder / place
      var status = stat()
      guard place.withCString({ lstat($0, &status) }) == 0 else { continue }
      for name in try Folder.names(in: place) { _ = (place / name.description).withCString { unlink($0) } }
      try AtomicFile.syncFolder(place)
    }
    _ = (folder / "clock.json").withCString { unlink($0) }
    try AtomicFile.syncFolder(folder)
  }
}
