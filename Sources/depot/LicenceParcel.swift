import Ciphers
import Rights
import Runtime
import Seals
import Services

/// What one licence is for: an album with all its versions, or tracks that are on none.
struct LicenceParcel: Sendable {
  let id: String
  let title: String
  var paths: [String]
  /// Better versions of its tracks than the licence is for: their keys are named in it and not given.
  var better: [String] = []

  /// Each track may have had so many keys.
  static let mostKeys = 3
  private static let mostPaths = Licence.mostKeys / mostKeys

  static func all(of index: DirectoryIndex) -> [LicenceParcel] {
    func paths(_ item: DirectoryIndex.Item) -> [String] {
      [item.file.path.text] + item.variants.values.map(\.path.text)
    }
    var parcels: [LicenceParcel] = []
    var places: [ExactText: Int] = [:]
    for item in index.items {
      let id = item.albumID.map { "album/\($0)" } ?? "tracks"
      let known = places[ExactText(id)]
      // A licence has so many keys at most; what is more gets another one.
      if let known, parcels[known].paths.count + paths(item).count <= mostPaths {
        parcels[known].paths += paths(item)
      } else {
        places[ExactText(id)] = parcels.count
        let number = known == nil ? "" : "/\(parcels.count)"
        parcels.append(
          LicenceParcel(id: id + number, title: item.album ?? "Single tracks", paths: paths(item)))
      }
    }
    return parcels
  }

  /// The body of a licence for a device.
  func body(
    serial: Int64, for card: DeviceCard, _ terms: LicenceTerms, keys: [ExactText: [Depot.Track]],
    root: SigningKey.PublicKey
  ) throws(Fault) -> JSON {
    let master = try Secret.random(CipherSuite.keyLength)
    let bound = KeyWrap.terms(id, serial: serial, issued: terms.from, ends: terms.until, root: root)
    let wrapped = try KeyWrap.wrap(master: master, for: card.agrees, terms: bound)
    var listed: [JSON] = []
    for path in paths {
      for track in keys[ExactText(path)] ?? [] {
        let wrapped = try KeyWrap.wrap(content: DepotKeys.secret(track.secret), track.key, with: master)
        listed.append(["kid": JSON("\(track.key)"), "key": JSON(Base64.encodeURL(wrapped))])
      }
    }
    var members: [(String, JSON)] = [
      ("id", JSON(id)), ("serial", JSON(serial)), ("device", JSON(card.name)), ("title", JSON(title)),
      ("iat", JSON(terms.from)), ("master", JSON(Base64.encodeURL(wrapped))),
      ("keys", .list(listed)),
    ]
    members += terms.members
    if terms.quality != nil {
      let better = better.flatMap { keys[ExactText($0)] ?? [] }
      members.append(("better", .list(better.map { JSON("\($0.key)") })))
    }
    return .object(JSON.Object(members))
  }
}
