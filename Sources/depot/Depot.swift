import Ciphers
import Glibc
import Rights
import Runtime
import Seals
import Services

/// A folder with two halves: `secret`, which has the service's keys and those of its music, and `public`, which any web
/// server may give out: an index, sealed music, and the licences of devices, which only those can use.
struct Depot {
  /// A file of music and the key that it is, or was, sealed with: devices may have what it was before.
  struct Track {
    var path: String
    var key: KeyID
    var secret: [UInt8]
    /// SHA-256 of what was sealed, so that it is not sealed anew.
    var plain: String
  }

  private let folder: FilePath
  private let rootSeed: [UInt8]
  private let licenceSeed: [UInt8]
  private let licenceKeyID: String
  var tracks: [Track] = []
  /// Of the licences that were given last.
  var serial: Int64 = 0

  var publicFolder: FilePath { folder / "public" }
  private var secretFolder: FilePath { folder / "secret" }

  // MARK: Keys

  static func make(at folder: FilePath) throws(Fault) -> Depot {
    for one in [folder, folder / "public", folder / "public" / "licences"] { try Folder.make(one, mode: 0o755) }
    try Folder.make(folder / "secret")
    let keys = folder / "secret" / "keys.json"
    guard keys.withCString({ access($0, F_OK) }) != 0 else {
      throw Fault(.malformed, "D-110", "\(folder) is a depot already")
    }
    // The keys come last: where they are, all is there.
    try AtomicFile.replace(folder / "secret" / "catalogue.json", with: catalogue([], serial: 0).bytes)
    let json: JSON = [
      "root": JSON(Base64.encodeURL(randomBytes(32))), "licences": JSON(Base64.encodeURL(randomBytes(32))),
      "licences_kid": JSON(Base64.encodeURL(randomBytes(9))),
    ]
    try AtomicFile.replace(keys, with: json.bytes)
    return try Depot(at: folder)
  }

  init(at folder: FilePath) throws(Fault) {
    self.folder = folder
    let keys = try Self.read(folder / "secret" / "keys.json")
    guard let root = keys["root"]?.string.flatMap(Base64.decodeURL), root.count == 32,
      let licences = keys["licences"]?.string.flatMap(Base64.decodeURL), licences.count == 32,
      let id = keys["licences_kid"]?.string
    else { throw Self.damaged(folder / "secret" / "keys.json") }
    (rootSeed, licenceSeed, licenceKeyID) = (root, licences, id)
    let catalogue = folder / "secret" / "catalogue.json"
    let json = try Self.read(catalogue)
    guard let serial = json["serial"]?.whole, let items = json["tracks"]?.items else { throw Self.damaged(catalogue) }
    self.serial = serial
    for item in items {
      guard let path = item["path"]?.string, let key = item["kid"]?.string.flatMap(KeyID.init(text:)),
        let secret = item["key"]?.string.flatMap(Base64.decodeURL), secret.count == 32,
        let plain = item["plain"]?.string
      else { throw Self.damaged(catalogue) }
      tracks.append(Track(path: path, key: key, secret: secret, plain: plain))
    }
  }

  private static func read(_ path: FilePath) throws(Fault) -> JSON {
    let limits = JSON.Limits(depth: 5, size: 256 << 20, values: 4_000_000)
    return try JSON(parsing: AtomicFile.read(path, limit: limits.size), limits: limits)
  }

  private static func damaged(_ path: FilePath) -> Fault {
    Fault(.damaged, "D-111", "\(path) is not what depot new and depot import write")
  }

  func keep() throws(Fault) {
    try AtomicFile.replace(secretFolder / "catalogue.json", with: Self.catalogue(tracks, serial: serial).bytes)
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
    get throws(Fault) { Base64.encode(try rootKey().publicKey.bytes) }
  }

  private func rootKey() throws(Fault) -> SigningKey { try SigningKey(seed: Self.secret(rootSeed)) }

  static func secret(_ bytes: [UInt8]) throws(Fault) -> Secret {
    var bytes = bytes
    return try Secret(taking: &bytes)
  }

  // MARK: Licences

  /// One licence for each album, and for the tracks without one.
  mutating func license(_ device: FilePath, _ terms: LicenceTerms) throws(Fault) -> (count: Int, file: FilePath) {
    let card = try DeviceCard(JSON(parsing: AtomicFile.read(device, limit: 64 << 10)))
    let index = try DirectoryIndex(
      parsing: AtomicFile.read(publicFolder / DirectoryIndex.fileName, limit: DirectoryIndex.longestFile))
    // By the time too, so that a catalogue from a backup gives no serial twice.
    serial = max(serial + 1, Int64(time(nil)))
    try keep()
    let key = try SigningKey(seed: Self.secret(licenceSeed))
    var licences: [String] = []
    for (id, title, paths) in Self.parcels(of: index) {
      let body = try self.body(id, title, paths, card, terms)
      licences.append(try SignedDocument.sign(body, as: .licence, with: key, licenceKeyID))
    }
    let keys = try ServiceKeys.sign([.init(.licences, licenceKeyID, key.publicKey)], root: try rootKey())
    let file = publicFolder / "licences" / "\(card.name).json"
    let bundle = LicenceBundle(keys: keys, licences: licences)
    // What no device takes is not given out.
    _ = try LicenceBundle(parsing: bundle.fileBytes)
    try AtomicFile.replace(file, with: bundle.fileBytes, mode: 0o644)
    return (licences.count, file)
  }

  private func body(
    _ id: String, _ title: String, _ paths: [String], _ card: DeviceCard, _ terms: LicenceTerms
  ) throws(Fault) -> JSON {
    let master = try Secret.random(CipherSuite.keyLength)
    let bound = KeyWrap.terms(
      id, serial: serial, issued: terms.from, ends: terms.until, root: try rootKey().publicKey)
    let wrapped = try KeyWrap.wrap(master: master, for: card.agrees, terms: bound)
    let wanted = Set(paths.map { ExactText($0) })
    var keys: [JSON] = []
    for track in tracks where wanted.contains(ExactText(track.path)) {
      let wrapped = try KeyWrap.wrap(content: Self.secret(track.secret), track.key, with: master)
      keys.append(["kid": JSON("\(track.key)"), "key": JSON(Base64.encodeURL(wrapped))])
    }
    var members: [(String, JSON)] = [
      ("id", JSON(id)), ("serial", JSON(serial)), ("device", JSON(card.name)), ("title", JSON(title)),
      ("iat", JSON(terms.from)), ("master", JSON(Base64.encodeURL(wrapped))),
      ("keys", .list(keys)),
    ]
    if let until = terms.until { members.append(("exp", JSON(until))) }
    return .object(JSON.Object(members))
  }

  /// Each may have had so many keys.
  static let mostKeys = 3
  private static let mostPaths = Licence.mostKeys / mostKeys

  /// What one licence is for: an album with all its versions, or tracks that are on none.
  private static func parcels(of index: DirectoryIndex) -> [(id: String, title: String, paths: [String])] {
    func paths(_ item: DirectoryIndex.Item) -> [String] {
      [item.file.path.text] + item.variants.values.map(\.path.text)
    }
    var parcels: [(id: String, title: String, paths: [String])] = []
    var places: [ExactText: Int] = [:]
    for item in index.items {
      let id = item.albumID.map { "album/\($0)" } ?? "tracks"
      let known = places[ExactText(id)]
      // A licence has so many keys at most; what is more gets another one.
      if let known, parcels[known].paths.count + paths(item).count <= Self.mostPaths {
        parcels[known].paths += paths(item)
      } else {
        places[ExactText(id)] = parcels.count
        let number = known == nil ? "" : "/\(parcels.count)"
        parcels.append((id + number, item.album ?? "Single tracks", paths(item)))
      }
    }
    return parcels
  }
}
