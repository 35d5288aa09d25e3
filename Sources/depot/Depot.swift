import Ciphers
import Glibc
import Rights
import Runtime
import Seals
import Services
import Store

/// A folder with two halves: `secret`, which has the service's keys and those of its music, and `public`, which any web
/// server may give out: an index, sealed music, and the licences of devices, which only those can use.
struct Depot {
  /// A file of music and the key that it is, or was, sealed with: devices may have what it was before.
  struct Track: Sendable {
    var path: String
    var key: KeyID
    var secret: [UInt8]
    /// SHA-256 of what was sealed, so that it is not sealed anew.
    var plain: String
  }

  private let folder: FilePath
  let keys: DepotKeys
  var tracks: [Track] = []
  /// Of the licences that were given last.
  var serial: Int64 = 0

  static let mostKeys = LicenceParcel.mostKeys

  var publicFolder: FilePath { folder / "public" }
  var secretFolder: FilePath { folder / "secret" }
  var catalogueFile: FilePath { secretFolder / "catalogue.json" }
  var indexFile: FilePath { publicFolder / DirectoryIndex.fileName }

  // MARK: Keys

  static func make(at folder: FilePath) throws(Fault) -> Depot {
    for one in [folder, folder / "public", folder / "public" / "licences"] { try Folder.make(one, mode: 0o755) }
    try Folder.make(folder / "secret")
    let keys = folder / "secret" / DepotKeys.fileName
    guard keys.withCString({ access($0, F_OK) }) != 0 else {
      throw Fault(.malformed, "D-110", "\(folder) is a depot already")
    }
    // The keys come last: where they are, all is there.
    try AtomicFile.replace(folder / "secret" / "catalogue.json", with: catalogue([], serial: 0).bytes)
    try DepotKeys.make(at: keys)
    return try Depot(at: folder)
  }

  init(at folder: FilePath) throws(Fault) {
    self.folder = folder
    keys = try DepotKeys(at: folder / "secret" / DepotKeys.fileName)
    try readCatalogue()
  }

  private mutating func readCatalogue() throws(Fault) {
    let limits = JSON.Limits(depth: 5, size: 256 << 20, values: 4_000_000)
    let json = try JSON(parsing: AtomicFile.read(catalogueFile, limit: limits.size), limits: limits)
    guard let serial = json["serial"]?.whole, let items = json["tracks"]?.items else { throw damaged }
    self.serial = serial
    for item in items {
      guard let path = item["path"]?.string, let key = item["kid"]?.string.flatMap(KeyID.init(text:)),
        let secret = item["key"]?.string.flatMap(Base64.decodeURL), secret.count == 32,
        let plain = item["plain"]?.string
      else { throw damaged }
      tracks.append(Track(path: path, key: key, secret: secret, plain: plain))
    }
  }

  private var damaged: Fault {
    Fault(.damaged, "D-111", "\(catalogueFile) is not what depot new and depot import write")
  }

  func keep() throws(Fault) {
    try AtomicFile.replace(catalogueFile, with: Self.catalogue(tracks, serial: serial).bytes)
  }

  private static func catalogue(_ tracks: [Track], serial: Int64) -> JSON {
    let items = tracks.map { track -> JSON in
      [
        "path": JSON(track.path), "kid": JSON("\(track.key)"), "key": JSON(Base64.encodeURL(track.secret)),
        "plain": JSON(track.plain),
      ]
    }
    return ["serial": JSON(serial), "tracks": .list(items)]
  }

  /// As a line `trust` has it.
  var root: String {
    get throws(Fault) { Base64.encode(try SigningKey(seed: DepotKeys.secret(keys.root)).publicKey.bytes) }
  }

  var keysByPath: [ExactText: [Track]] {
    var byPath: [ExactText: [Track]] = [:]
    for track in tracks { byPath[ExactText(track.path), default: []].append(track) }
    return byPath
  }

  func index() throws(Fault) -> DirectoryIndex {
    try DirectoryIndex(parsing: AtomicFile.read(indexFile, limit: DirectoryIndex.longestFile))
  }

  // MARK: Licences of a depot that any web server gives out

  /// One licence for each album, and for the tracks without one; and what is said of the device, if anything is.
  mutating func license(_ device: FilePath, _ terms: LicenceTerms) throws(Fault) -> (count: Int, file: FilePath) {
    let card = try DeviceCard(JSON(parsing: AtomicFile.read(device, limit: 64 << 10)))
    let index = try index()
    // By the time too, so that a catalogue from a backup gives no serial twice.
    serial = max(serial + 1, Int64(time(nil)))
    try keep()
    let signer = try DepotSigner(keys)
    let statement = try statement(of: card.name, by: signer)
    var licences: [String] = []
    // What a device may no longer have it is not given again.
    if !statement.isRevoked {
      let (keys, kinds, granted) = (keysByPath, DepotSnapshot.kinds(of: index), try grants(card.name))
      var terms = terms
      terms.quality = granted.quality
      for parcel in LicenceParcel.all(of: index) where !granted.licences.contains(ExactText(parcel.id)) {
        let parcel = parcel.granted(kinds, without: granted.paths, upTo: granted.quality)
        guard !parcel.paths.isEmpty else { continue }
        let body = try parcel.body(serial: serial, for: card, terms, keys: keys, root: signer.root)
        licences.append(try signer.licence(body))
      }
    }
    let file = publicFolder / "licences" / "\(card.name).json"
    let bundle = LicenceBundle(keys: signer.keys, licences: licences, statement: statement.text)
    // What no device takes is not given out.
    _ = try LicenceBundle(parsing: bundle.fileBytes)
    try AtomicFile.replace(file, with: bundle.fileBytes, mode: 0o644)
    return (licences.count, file)
  }

  /// Nil for a device that is signed in to none.
  private static func account(of device: String, _ connection: Connection) throws(Fault) -> Account? {
    guard let known = try SignedInDevices(connection: connection).named(device) else { return nil }
    return try Accounts(connection: connection).account(known.account)
  }

  /// What was taken back from everybody, and the best that a device's account is for.
  private func grants(
    _ device: String
  ) throws(Fault) -> (licences: Set<ExactText>, paths: Set<ExactText>, quality: Quality?) {
    guard ServiceStore.exists(in: secretFolder) else { return ([], [], nil) }
    return try ServiceStore(in: secretFolder).read { connection throws(Fault) in
      let revocations = Revocations(connection: connection)
      let account = try Self.account(of: device, connection)
      return (Set(try revocations.all(.licence).map { ExactText($0.id) }), try revocations.paths(), account?.quality)
    }
  }

  /// Nil where there is nothing to say: a depot without accounts in which nothing was taken back.
  private func statement(
    of device: String, by signer: borrowing DepotSigner
  ) throws(Fault) -> (text: String?, isRevoked: Bool) {
    guard ServiceStore.exists(in: secretFolder) else { return (nil, false) }
    let body = try ServiceStore(in: secretFolder).write { connection throws(Fault) -> JSON? in
      let revocations = Revocations(connection: connection)
      let account = try Self.account(of: device, connection)
      let hasAnything = try revocations.hasAnything(for: device)
      guard account?.subscription != nil || hasAnything else { return nil }
      return try revocations.statement(of: device, account, at: Int64(time(nil)))
    }
    guard let body else { return (nil, false) }
    return (try signer.statement(body), body["revoked"]?["device"] != nil)
  }

  /// Writes what is said now into the licences that were given out already. How many devices' files were changed.
  func renewStatements() throws(Fault) -> Int {
    let signer = try DepotSigner(keys)
    let folder = publicFolder / "licences"
    var count = 0
    for name in try Folder.names(in: folder) where name.description.hasSuffix(".json") {
      let file = folder / name.description
      let limits = JSON.Limits(depth: 3, size: LicenceBundle.longest, values: 10_000)
      let read = try JSON(parsing: AtomicFile.read(file, limit: limits.size), limits: limits)
      let (said, isRevoked) = try statement(of: String(name.description.dropLast(5)), by: signer)
      guard let said, let licences = read["licences"]?.items?.compactMap(\.string) else { continue }
      let bundle = LicenceBundle(keys: signer.keys, licences: isRevoked ? [] : licences, statement: said)
      try AtomicFile.replace(file, with: bundle.fileBytes, mode: 0o644)
      count += 1
    }
    return count
  }
}
