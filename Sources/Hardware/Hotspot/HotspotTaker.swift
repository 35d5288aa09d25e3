import Glibc
import Runtime

/// The part of a hotspot that runs as root before it begins: it takes the player's wish away, and makes of it what
/// wpa_supplicant and the page are to read. It trusts nothing in the player's folder: it follows no link there, and
/// `HotspotWish` lets nothing pass but letters and digits.
package struct HotspotTaker {
  /// Root's alone: it has the password.
  package static let accessPointFile = "access-point.conf"
  /// What the player is told by is told with it.
  package static let idFile = "id"

  private let wish: FilePath
  private let told: FilePath

  package init(wish: FilePath, told: FilePath) { (self.wish, self.told) = (wish, told) }

  /// `seen`: asked for when there is a wish, because looking around takes a while.
  package func run(seen: () throws(Fault) -> [SeenNetwork]) throws(Fault) {
    let taken: HotspotWish
    do throws(Fault) {
      guard let bytes = try PlainFile.read(wish, limit: HotspotWish.limit, code: "X-282") else {
        throw Fault(.missing, "X-282", "there is no wish for a hotspot in \(wish.folder)")
      }
      taken = try HotspotWish(parsing: bytes)
    } catch {
      // What cannot be taken would be tried without end.
      try remove()
      throw error
    }
    try remove()
    try AtomicFile.replace(told / Self.idFile, with: Array("\(taken.id)\n".utf8), mode: 0o644)
    try AtomicFile.replace(told / Self.accessPointFile, with: try SupplicantFile.bytes(hosting: taken))
    let facts = HotspotFacts(taken, seen: try seen())
    try AtomicFile.replace(told / HotspotFacts.fileName, with: facts.bytes, mode: 0o644)
  }

  private func remove() throws(Fault) {
    guard wish.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
      throw Fault.system("X-283", doing: "remove the wish for a hotspot in \(wish.folder)")
    }
  }
}

extension SupplicantFile {
  /// An access point of WPA2 on the channel in the middle, without the ways to join by pressing a button.
  static func bytes(hosting wish: HotspotWish) throws(Fault) -> [UInt8] {
    let key = try NetworkKey.made(of: Array(wish.password.utf8), for: Array(wish.name.utf8))
    let lines = [
      "# Written by layby hotspot-begin for the time of the hotspot.", "ctrl_interface=\(controlFolder)",
      "update_config=0", "p2p_disabled=1",
      // It begins at once, without looking around first.
      "ap_scan=2", "network={", "\tssid=\(hexadecimal(wish.name.utf8))", "\tmode=2", "\tfrequency=2437",
      "\tkey_mgmt=WPA-PSK", "\tproto=RSN", "\tpairwise=CCMP", "\tgroup=CCMP", "\twps_disabled=1",
      "\tpsk=\(hexadecimal(key))", "}", "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }
}
