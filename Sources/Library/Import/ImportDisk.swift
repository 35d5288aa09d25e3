import Files
import Glibc
import Runtime

/// All that an import asks of the disks, call by call: tests put one in its place that fails, lies or is full.
protocol ImportDisk: Sendable {
  /// Whether the decoder of foreign formats is installed; otherwise their files are no music.
  var withForeign: Bool { get }
  /// `folder` may be a link only when it is what the owner named. What it holds beyond `most` is left out.
  func list(_ folder: FilePath, followingLink: Bool, most: Int) throws(Fault) -> Listing
  /// Of music. Never a link, and never waiting for whoever would write into a pipe.
  func open(_ path: FilePath) throws(Fault) -> Descriptor
  /// A small file as a whole; refused when it is more than `limit` bytes.
  func read(_ path: FilePath, limit: Int) throws(Fault) -> [UInt8]
  func space(at folder: FilePath) throws(Fault) -> DiskSpace
}

extension ImportDisk {
  var withForeign: Bool { true }

  /// Before anything is stored: whatever lies in a source, the library does not fill the disk that it is on.
  func checkRoom(at folder: FilePath) throws(Fault) {
    let space = try space(at: folder)
    guard space.free < space.libraryReserve else { return }
    throw Fault(
      .full, Importer.isFull,
      """
      no room for the library in \(folder): \(DiskSpace.shown(space.free)) are free, and \
      \(DiskSpace.shown(space.libraryReserve)) stay in reserve
      """)
  }
}

/// The kernel's.
struct SourceDisk: ImportDisk {
  var withForeign = true

  func list(_ folder: FilePath, followingLink: Bool, most: Int) throws(Fault) -> Listing {
    try Listing(of: folder, followingLink: followingLink, withForeign: withForeign, most: most)
  }

  func open(_ path: FilePath) throws(Fault) -> Descriptor {
    try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, code: "L-403")
  }

  func read(_ path: FilePath, limit: Int) throws(Fault) -> [UInt8] { try AtomicFile.read(path, limit: limit) }

  func space(at folder: FilePath) throws(Fault) -> DiskSpace { try KernelDisk().space(at: folder) }
}

/// How much of a source is taken at most. A stick is anybody's: what it holds must not fill the device, nor its memory.
struct ImportLimits: Sendable {
  /// Files of music.
  var files = 1_000_000
  /// Names in one folder, which is in memory as a whole.
  var inFolder = Listing.most
  var playlists = 5_000
  /// Of all playlists together.
  var entries = 1_000_000
  /// Bytes of one playlist's file, and of what is kept of its entries: a cue sheet says its file's name once, and every
  /// one of its tracks has it.
  var playlistBytes = 8 << 20
  /// Names of folders that are remembered while playlists are looked up; somewhat more than one folder may hold. A name
  /// takes about 200 bytes.
  var names = 150_000
}
