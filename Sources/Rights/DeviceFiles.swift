import Ciphers
import Glibc
import Runtime
import Synchronization

/// A device by its keys, as its folder has them.
final class KnownDevice: Sendable {
  let identity: DeviceIdentity
  /// Files of the board that its keys come from too.
  let boundTo: [FilePath]
  /// What counts the records of its folder; nil where no TPM seals its secret. `from`: what it stood at when the secret was
  /// sealed.
  let counter: (tpm: TPM, place: TPM.Counter, from: UInt64)?
  /// Its secret lay in a plain file until now, and nothing was counted.
  let isNewlySealed: Bool

  fileprivate init(_ secret: borrowing Secret, board: [FilePath], _ numbers: BoardNumbers) throws(Fault) {
    identity = try Self.identity(secret, board, numbers)
    (boundTo, counter, isNewlySealed) = (board, nil, false)
  }

  fileprivate init(
    _ secret: borrowing Secret, board: [FilePath], _ numbers: BoardNumbers,
    counter: (tpm: TPM, place: TPM.Counter, from: UInt64), isNewlySealed: Bool
  ) throws(Fault) {
    identity = try Self.identity(secret, board, numbers)
    (boundTo, self.counter, self.isNewlySealed) = (board, counter, isNewlySealed)
  }

  private static func identity(
    _ secret: borrowing Secret, _ board: [FilePath], _ numbers: BoardNumbers
  ) throws(Fault) -> DeviceIdentity {
    // With its path: what another file says counts for nothing.
    var said: [[UInt8]] = []
    for path in board { said.append(path.bytes + [0] + (try numbers[path])) }
    return try DeviceIdentity(secret, board: said)
  }

  var name: String { identity.name }
  var isSealed: Bool { counter != nil }
}

/// What the board says of itself, read once: a keeper that has shut itself in cannot look again.
private final class BoardNumbers: Sendable {
  private let known = Mutex<[FilePath: [UInt8]]>([:])

  subscript(_ path: FilePath) -> [UInt8] {
    get throws(Fault) {
      if let bytes = known.withLock({ $0[path] }) { return bytes }
      let bytes = try AtomicFile.read(path, limit: 4_096)
      guard !bytes.isEmpty else {
        throw Fault(.missing, "E-155", "\(path) is empty; the device is bound to what it says")
      }
      known.withLock { $0[path] = bytes }
      return bytes
    }
  }

  /// What cannot be read binds nothing.
  func there(_ candidates: [FilePath]) -> [FilePath] { candidates.filter { (try? self[$0]) != nil } }
}

/// The files that make a folder's device what it is. `device` is its secret, 32 bytes, and then the paths that its keys are
/// bound to, one a line. Where there is a TPM it is `device.tpm` instead: the secret as the TPM has sealed it, the
/// place of the TPM's counter, and the paths. `former` and `former.tpm` are who it was before it was made anew.
///
/// Each is written whole, and then another is removed; so after a power cut there is one device, or the same one twice.
struct DeviceFiles: Sendable {
  private let folder: FilePath
  /// What a new device is bound to.
  private let boundTo: [FilePath]
  private let numbers: BoardNumbers
  private let tpm: TPM?

  private static let longest = 8_192

  init(in folder: FilePath, board: [FilePath], tpm: TPM?) {
    numbers = BoardNumbers()
    boundTo = numbers.there(board)
    (self.folder, self.tpm) = (folder, tpm)
  }

  private var plain: FilePath { folder / "device" }
  private var sealed: FilePath { folder / "device.tpm" }
  private var formerPlain: FilePath { folder / "former" }
  private var formerSealed: FilePath { folder / "former.tpm" }

  /// A new one where there is none.
  func device() throws(Fault) -> KnownDevice {
    guard let tpm else {
      if let known = try readPlain(plain) { return known }
      if try Self.bytes(sealed) != nil {
        throw Fault(
          .unsupported, "E-181",
          "\(sealed) is sealed by a TPM; name that in [rights] tpm of board.conf, or remove the file")
      }
      return try makePlain()
    }
    if let known = try readSealed(sealed, by: tpm) {
      // Left by a power cut after it was sealed.
      try Self.remove(plain)
      return known
    }
    guard var bytes = try Self.bytes(plain) else { return try makeSealed(by: tpm, tpm.makeCounter()) }
    let secret = try Self.secret(in: &bytes, of: plain)
    let known = try seal(secret, Self.paths(in: bytes), by: tpm, tpm.makeCounter(), isNewlySealed: true)
    try Self.remove(plain)
    return known
  }

  /// The device as it was before `rotate`; nil when there was none, or when its file cannot be read as it should be.
  func former(of device: KnownDevice) -> KnownDevice? {
    let known: KnownDevice?
    do throws(Fault) {
      if let tpm { known = try readSealed(formerSealed, by: tpm) } else { known = try readPlain(formerPlain) }
    } catch {
      Log("rights").warning("who this device was before is lost", ["reason": error.message])
      return nil
    }
    guard let known, ExactText(known.name) != ExactText(device.name) else { return nil }
    return known
  }

  /// Another device, bound as this one should be by now. Who it was stays beside it.
  func replace(_ device: KnownDevice) throws(Fault) -> KnownDevice {
    let (from, to) = device.isSealed ? (sealed, formerSealed) : (plain, formerPlain)
    guard var bytes = try Self.bytes(from) else { throw Self.damaged(from) }
    defer { Self.wipe(&bytes) }
    try AtomicFile.replace(to, with: bytes)
    Steps.reach("rights.former")
    guard let counter = device.counter else { return try makePlain() }
    return try makeSealed(by: counter.tpm, counter.place)
  }

  func removeFormer() throws(Fault) {
    try Self.remove(formerPlain)
    try Self.remove(formerSealed)
  }

  /// The secrets first, then the TPM's counter.
  func destroy() throws(Fault) {
    var counter: TPM.Counter?
    if let bytes = try Self.bytes(sealed) {
      counter = try JSON(parsing: bytes)["counter"]?.whole.flatMap(TPM.Counter.init(index:))
    }
    for path in [plain, sealed, formerPlain, formerSealed] { try Self.remove(path) }
    if let tpm, let counter { try tpm.remove(counter) }
  }

  // MARK: Plain

  private func readPlain(_ path: FilePath) throws(Fault) -> KnownDevice? {
    guard var bytes = try Self.bytes(path) else { return nil }
    let secret = try Self.secret(in: &bytes, of: path)
    return try KnownDevice(secret, board: Self.paths(in: bytes), numbers)
  }

  private func makePlain() throws(Fault) -> KnownDevice {
    let board = boundTo
    let secret = try Secret.random(DeviceIdentity.secretLength)
    var bytes = try secret.withBytes { Array($0) } + board.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
    defer { Self.wipe(&bytes) }
    let known = try KnownDevice(secret, board: board, numbers)
    try AtomicFile.replace(plain, with: bytes)
    return known
  }

  /// Takes the secret out of a file's bytes, and leaves what follows it.
  private static func secret(in bytes: inout [UInt8], of path: FilePath) throws(Fault) -> Secret {
    guard bytes.count >= DeviceIdentity.secretLength else {
      throw Fault(.damaged, "E-154", "\(path) is too short to be a device's secret; without it no licence opens")
    }
    var first = Array(bytes[..<DeviceIdentity.secretLength])
    let rest = Array(bytes[DeviceIdentity.secretLength...])
    wipe(&bytes)
    bytes = rest
    return try Secret(taking: &first)
  }

  private static func paths(in bytes: [UInt8]) -> [FilePath] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { FilePath(bytes: $0) }
  }

  // MARK: Sealed by a TPM

  private func readSealed(_ path: FilePath, by tpm: TPM) throws(Fault) -> KnownDevice? {
    guard let bytes = try Self.bytes(path) else { return nil }
    let json = try JSON(parsing: bytes)
    guard let publicHalf = json["public"]?.string.flatMap(Base64.decodeURL),
      let privateHalf = json["private"]?.string.flatMap(Base64.decodeURL),
      let place = json["counter"]?.whole.flatMap(TPM.Counter.init(index:)),
      let from = json["from"]?.whole.flatMap({ UInt64(exactly: $0) }), let paths = json["bound_to"]?.items
    else { throw Self.damaged(path) }
    let secret: Secret
    do throws(Fault) {
      secret = try tpm.unseal(
        TPM.Sealed(publicHalf: publicHalf, privateHalf: privateHalf), count: DeviceIdentity.secretLength)
    } catch {
      throw Fault(
        .denied, "E-182",
        "this board's TPM does not open \(path), so no licence opens: it was sealed on another board, or the TPM was"
          + " cleared (\(error.code))")
    }
    return try KnownDevice(
      secret, board: paths.compactMap(\.path), numbers, counter: (tpm, place, from), isNewlySealed: false)
  }

  private func makeSealed(by tpm: TPM, _ place: TPM.Counter) throws(Fault) -> KnownDevice {
    try seal(Secret.random(DeviceIdentity.secretLength), boundTo, by: tpm, place, isNewlySealed: false)
  }

  private func seal(
    _ secret: borrowing Secret, _ board: [FilePath], by tpm: TPM, _ place: TPM.Counter, isNewlySealed: Bool
  ) throws(Fault) -> KnownDevice {
    let (halves, from) = (try tpm.seal(secret), try tpm.read(place))
    let json: JSON = [
      "public": JSON(Base64.encodeURL(halves.publicHalf)), "private": JSON(Base64.encodeURL(halves.privateHalf)),
      "counter": JSON(place.index), "from": JSON(from), "bound_to": .list(board.map { JSON(path: $0) }),
    ]
    let known = try KnownDevice(
      secret, board: board, numbers, counter: (tpm, place, from), isNewlySealed: isNewlySealed)
    try AtomicFile.replace(sealed, with: json.bytes)
    Steps.reach("rights.sealed")
    return known
  }

  // MARK: Files

  /// Nil when there is nothing by that name.
  private static func bytes(_ path: FilePath) throws(Fault) -> [UInt8]? {
    if let bytes = try PlainFile.read(path, limit: longest, code: "E-153") { return bytes }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) != 0 else { throw damaged(path) }
    return nil
  }

  /// It may be gone already.
  private static func remove(_ path: FilePath) throws(Fault) {
    guard path.withCString({ unlink($0) }) == 0 else {
      if errno == ENOENT { return }
      throw Fault.system("E-185", doing: "remove \(path)")
    }
    try AtomicFile.syncFolder(path.folder)
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }

  private static func damaged(_ path: FilePath) -> Fault {
    Fault(.damaged, "E-154", "\(path) is no device's secret; without that no licence opens")
  }
}

/// Numbers the records of a folder by a counter of the TPM, which nobody can count back: so a folder that was put back from
/// a copy is known. Record n + 1 is written before the counter goes on; so n and n + 1 may be found, and nothing else.
///
/// A TPM's memory wears out, so it counts at a start, when licences come, and once a day: a copy of the same day is not
/// noticed.
struct Counting {
  private var last: Moment?

  private static let often: Duration = .seconds(86_400)

  /// Whether a record with that number is the newest there is.
  mutating func follows(_ number: UInt64, of device: KnownDevice) throws(Fault) -> Bool {
    guard let counter = device.counter else { return true }
    let value = try counter.tpm.read(counter.place)
    // The power was cut before it went on.
    if number == value + 1 { try counter.tpm.count(counter.place) }
    return number == value || number == value + 1 || device.isNewlySealed
  }

  /// Whether something was counted since the device's secret was sealed, so that there must be a record. What cannot be
  /// read may have counted.
  func hasBegun(_ device: KnownDevice) -> Bool {
    guard let counter = device.counter, !device.isNewlySealed else { return false }
    do throws(Fault) { return try counter.tpm.read(counter.place) > counter.from } catch { return true }
  }

  func isDue(_ device: KnownDevice) -> Bool {
    device.isSealed && (last.map { Moment.now - $0 > Self.often } ?? true)
  }

  /// The number for the next record; 0 where nothing counts.
  func next(of device: KnownDevice, must: Bool) throws(Fault) -> UInt64 {
    guard let counter = device.counter else { return 0 }
    return try counter.tpm.read(counter.place) + (must || isDue(device) ? 1 : 0)
  }

  /// The record is written.
  mutating func count(of device: KnownDevice, to number: UInt64) throws(Fault) {
    guard let counter = device.counter, try counter.tpm.read(counter.place) < number else { return }
    try counter.tpm.count(counter.place)
    last = .now
  }
}
