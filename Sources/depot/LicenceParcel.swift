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
    var places: [ExactText: (place: Int, count: Int)] = [:]
    for item in index.items {
      let id = item.albumID.map { Self.id(ofAlbum: $0) } ?? "tracks"
      let known = places[ExactText(id)]
      // A licence has so many keys at most; what is more gets another one. They are counted within the album: another album
      // does not change what they are called.
      if let known, parcels[known.place].paths.count + paths(item).count <= mostPaths {
        parcels[known.place].paths += paths(item)
      } else {
        let count = (known?.count ?? 0) + 1
        places[ExactText(id)] = (parcels.count, count)
        parcels.append(
          LicenceParcel(
            id: count == 1 ? id : "\(id)/\(count)", title: item.album ?? "Single tracks", paths: paths(item)))
      }
    }
    return parcels
  }

  static func id(ofAlbum id: String) -> String {
    let whole = "album/\(id)"
    guard whole.utf8.count > Licence.longestID - 10 else { return whole }
    guard let sum = try? Sums.of(id) else { return whole }  // then devices refuse this one licence
    return "album/" + Base64.encodeURL(sum)
  }

  /// Without what was taken back, and for an account: with what that may have.
  func granted(
    _ kinds: [ExactText: DepotSnapshot.Kind], without revoked: Set<ExactText>, upTo quality: Quality?
  ) -> LicenceParcel {
    var granted = self
    granted.paths = []
    for path in paths {
      guard let kind = kinds[ExactText(path)], !revoked.contains(ExactText(kind.item ?? path)) else { continue }
      if kind.isFor(quality) { granted.paths.append(path) } else { granted.better.append(path) }
    }
    return granted
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
