import Ciphers
import Runtime

/// The licences that are here: of each source the newest of an id.
struct HeldLicences: Sendable {
  struct Licensed: Sendable {
    let source: String
    /// The root key of its service. What a service has said holds for all its licences, whatever their source is called.
    let root: SigningKey.PublicKey
    /// The list of keys that vouches for it, as it came with it.
    let keys: KeyList
    let text: String
    let licence: Licence
  }

  /// A list of keys that came with licences.
  struct KeyList: Sendable {
    let text: String
    /// The same for the same list.
    let sum: Int

    init(_ text: String) { (self.text, sum) = (text, ExactText(text).hashValue) }
  }

  private struct Place: Hashable {
    let source: ExactText
    let id: ExactText

    init(_ source: String, _ id: String) { (self.source, self.id) = (ExactText(source), ExactText(id)) }
  }

  private(set) var all: [Licensed] = []
  private var places: [Place: Int] = [:]

  subscript(_ source: String, _ id: String) -> Licensed? { places[Place(source, id)].map { all[$0] } }

  /// Whether one with these facts would take the place of what is here. Services number what they give to each device by
  /// itself, and what is for `device` is newer than what was for who it was before.
  func isNewer(_ source: String, _ id: String, serial: Int64, of owner: String, for device: String) -> Bool {
    guard let known = self[source, id] else { return true }
    let (isOwn, wasOwn) = (ExactText(owner) == ExactText(device), ExactText(known.licence.device) == ExactText(device))
    return isOwn == wasOwn ? serial > known.licence.serial : isOwn
  }

  func takes(_ one: Licensed, for device: String) -> Bool {
    let licence = one.licence
    return isNewer(one.source, licence.id, serial: licence.serial, of: licence.device, for: device)
  }

  /// False when there is a newer one.
  mutating func put(_ one: Licensed, for device: String) -> Bool {
    guard takes(one, for: device) else { return false }
    let place = places[Place(one.source, one.licence.id)] ?? all.count
    if place == all.count {
      all.append(one)
      places[Place(one.source, one.licence.id)] = place
    } else {
      all[place] = one
    }
    return true
  }

  mutating func removeAll(where isGone: (Licensed) -> Bool) {
    guard all.contains(where: isGone) else { return }
    all.removeAll(where: isGone)
    places = [:]
    for (place, one) in all.enumerated() { places[Place(one.source, one.licence.id)] = place }
  }

  /// All licences of a source after `news` have taken their places.
  func of(_ source: String, with news: HeldLicences) -> [Licensed] {
    all.filter { $0.source == source && news[source, $0.licence.id] == nil } + news.all
  }

  struct Size {
    var count = 0
    /// The length of their texts and of the lists of keys that vouch for them, and `named` for each key that they name.
    var bytes = 0
    /// Bytes that a key's name needs in memory beside its text.
    private static let named = 32
    private var lists: Set<Int> = []

    mutating func add(_ one: Licensed) {
      count += 1
      bytes += one.text.utf8.count + 8 + one.licence.namedCount * Self.named
      if lists.insert(one.keys.sum).inserted { bytes += one.keys.text.utf8.count }
    }
  }

  /// How large a source's licences are after `news` have taken their places; only those that `counts` says yes to.
  func size(of source: String, with news: HeldLicences, where counts: (Licence) -> Bool = { _ in true }) -> Size {
    var size = Size()
    for one in all where one.source == source && counts(one.licence) && news[source, one.licence.id] == nil {
      size.add(one)
    }
    for one in news.all where counts(one.licence) { size.add(one) }
    return size
  }

  // MARK: How many there may be

  /// A device keeps licences of this size (as `Size` counts), and this many, of all sources together. In memory they need two
  /// to three times as much.
  static let mostBytes = 12 << 20
  static let most = 12_000

  /// How many licences and bytes a source may still add. A quarter of an even share stays free for each other source, so
  /// that no service fills the room of all.
  func room(for source: String, among sources: [String]) -> (count: Int, bytes: Int) {
    let others = sources.filter { $0 != source }
    let kept = 4 * max(sources.count, 1)
    var sizes: [String: Size] = [:]
    for one in all where one.source != source { sizes[one.source, default: Size()].add(one) }
    return others.reduce((count: Self.most, bytes: Self.mostBytes)) { room, other in
      let size = sizes[other] ?? Size()
      return (room.count - max(size.count, Self.most / kept), room.bytes - max(size.bytes, Self.mostBytes / kept))
    }
  }
}
