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

  /// False when there is a newer one.
  mutating func put(_ one: Licensed, for device: String) -> Bool {
    let licence = one.licence
    guard isNewer(one.source, licence.id, serial: licence.serial, of: licence.device, for: device) else { return false }
    let place = places[Place(one.source, licence.id)] ?? all.count
    if place == all.count {
      all.append(one)
      places[Place(one.source, licence.id)] = place
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

  func of(_ source: String) -> [Licensed] { all.filter { $0.source == source } }
}

extension [HeldLicences.Licensed] {
  /// As they are stored, with the lists of keys that vouch for them.
  var bytes: Int {
    var (bytes, lists) = (0, Set<Int>())
    for one in self {
      bytes += one.text.utf8.count + 8
      if lists.insert(one.keys.sum).inserted { bytes += one.keys.text.utf8.count }
    }
    return bytes
  }
}
