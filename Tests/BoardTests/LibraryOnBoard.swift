import Runtime
import TestSupport
import VirtualBoard

/// The databases of the player on the board, looked at from outside.
extension VirtualBoard {
  /// All that lies in `tree`, for the player to read. It has even dates of long ago.
  func layTree(_ tree: FilePath, at place: String) throws {
    let carrier = try MadeUpStick(carrying: tree)
    try withBlindSticks { () throws(Fault) in
      let number = try plugStick(carrier.image)
      try waitUntil("the carrier is there") { () throws(Fault) in try shell("test -b /dev/sda").code == 0 }
      try says(
        "set -e; mkdir -p /run/carrier \(place); mount -o ro,noload /dev/sda /run/carrier; "
          + "cp -r --preserve=timestamps /run/carrier/. \(place); rmdir \(place)/lost+found; umount /run/carrier; sync")
      try pullStick(number)
      try waitUntil("the carrier is gone") { () throws(Fault) in try shell("test -b /dev/sda").code != 0 }
    }
  }

  /// What the player's library says of its sources, as lines.
  func libraryDump(counts: Bool = true) throws -> [String] {
    try withDatabase("library.db") { try $0.library(counts: counts) }
  }

  /// What cannot be had from anywhere else: what was heard, and playlists made here.
  func memoryDump() throws -> [String] {
    try withDatabase("state.db") {
      try $0.rows(of: ["listening", "listening_total", "playlist", "playlist_entry"])
    }
  }

  private func withDatabase(_ name: String, _ body: (DatabaseDump) throws -> [String]) throws -> [String] {
    try says("rm -f /run/copy.db; sqlite3 'file:/data/state/\(name)?mode=ro' '.backup /run/copy.db'")
    let folder = TempFolder()
    let copy = folder.path / name
    try AtomicFile.replace(copy, with: try shell("cat /run/copy.db", within: .seconds(120)).bytes)
    return try body(try DatabaseDump(of: copy))
  }
}
