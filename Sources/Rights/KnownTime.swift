import Ciphers
import Runtime

/// `clock.json`: what is known of the time, and when licences were first played, with a sum that only this device can make.
extension DeviceRights.Known {
  static let longest = 1 << 20
  private static let mostPlays = 5_000

  func json(by key: borrowing Secret) throws(Fault) -> JSON {
    let plays = plays.map { play -> JSON in
      ["source": JSON(play.source), "licence": JSON(play.licence), "at": JSON(play.at)]
    }
    return [
      "floor": JSON(clock.floor), "proven": JSON(clock.proven), "boot": JSON(clock.boot), "uptime": JSON(clock.uptime),
      "signed_boot": JSON(clock.signedBoot), "plays": .list(plays),
      "sum": JSON(Base64.encodeURL(try HMAC.sum(Array(summed.utf8), key: key))),
    ]
  }

  init(parsing bytes: [UInt8], by key: borrowing Secret) throws(Fault) {
    let json = try JSON(parsing: bytes, limits: .init(depth: 3, size: Self.longest, values: 4 * Self.mostPlays + 20))
    guard let floor = json["floor"]?.whole, let proven = json["proven"]?.whole, let uptime = json["uptime"]?.whole,
      let boot = json["boot"]?.string, let sum = json["sum"]?.string.flatMap(Base64.decodeURL),
      HonestClock.known.contains(floor), HonestClock.known.contains(proven), HonestClock.known.contains(uptime)
    else { throw Fault(.damaged, "E-156", "clock.json is not what this device writes") }
    clock = HonestClock(
      floor: floor, proven: proven, boot: boot, uptime: uptime, signedBoot: json["signed_boot"]?.string ?? "")
    plays = (json["plays"]?.items ?? []).compactMap { play in
      guard let source = play["source"]?.string, let licence = play["licence"]?.string, let at = play["at"]?.whole
      else {
        return nil
      }
      return DeviceRights.FirstPlay(source: source, licence: licence, at: at)
    }
    guard try areEqualInSecret(sum, try HMAC.sum(Array(summed.utf8), key: key)) else {
      throw Fault(.damaged, "E-156", "clock.json was written by somebody else")
    }
  }

  /// As devices have always summed it, where there is nothing more to say.
  private var summed: String {
    var lines = ["\(clock.floor)", "\(clock.proven)", clock.boot, "\(clock.uptime)"]
    if !clock.signedBoot.isEmpty || !plays.isEmpty { lines.append(clock.signedBoot) }
    for play in plays {
      // Lengths stand in front, so that no two lists run together to the same text.
      lines.append("\(play.at) \(play.source.utf8.count) \(play.licence.utf8.count) \(play.source) \(play.licence)")
    }
    return lines.joined(separator: "\n")
  }
}
