import Runtime

/// The state of one running import.
struct ImportRun {
  /// The root folder's identity in the kernel, to notice when its path leads elsewhere (a stick was pulled).
  struct FolderIdentity: Equatable {
    var device: UInt64
    var node: UInt64
  }

  /// A folder and what it contains.
  struct Visit {
    let step: Walk.Step
    let path: FilePath
    let listing: Listing
  }

  struct Playlist {
    /// The path of its folder, and that folder's names from the root on.
    var path: FilePath
    var names: [[UInt8]]
    var facts: FileFacts
    var kind: PlaylistFile.Kind
    var isUnchanged: Bool
  }

  let source: Int64
  let root: FilePath
  let today: Int64
  let sign: StopSign
  /// Asks the indexes of sources for the facts of the files; nil for folders and sticks, where the files' own tags
  /// count.
  let lookup: IndexLookup?
  private let loop: EventLoop
  var progress: ImportProgress
  var place = FolderIdentity(device: 0, node: 0)
  /// The library's rows for the folders from the root to the one that was asked for last, so that they are not looked
  /// up for each folder.
  var way: [Catalogue.Waypoint] = []
  var jobs: [FileReader.Job] = []
  var playlists: [Playlist] = []
  var storing: Task<Result<Void, Fault>, Never>?
  var lastTold: Moment
  /// Files were added, changed or removed, so the entries of unchanged playlists must be looked up again too.
  var hasChanged = false
  /// How many entries the stored playlists have.
  var entries = 0

  init(
    source: Int64, root: FilePath, today: Int64, sign: StopSign, lookup: IndexLookup? = nil, on loop: EventLoop,
    began: Moment
  ) {
    self.source = source
    self.root = root
    self.today = today
    self.sign = sign
    self.lookup = lookup
    self.loop = loop
    progress = ImportProgress(source: source, root: root, began: began)
    lastTold = began
  }

  mutating func note(_ playlist: Playlist, most: Int) {
    if playlists.count < most { playlists.append(playlist) } else { progress.leftOut += 1 }
  }

  func checkStop() throws(Fault) {
    loop.getsOn()
    guard sign.isRaised else { return }
    throw Fault(.passing, "L-407", "the import of \(root) was stopped; it goes on from there next time")
  }

  /// Throws when another folder than the one that the import began with is at the root: then nothing that was seen
  /// since counts. The reason why it cannot be examined does not matter here.
  func stillThere() throws(Fault) {
    guard (try? Importer.identity(of: root)) == place else {
      throw Fault(.missing, "L-408", "\(root) went away while it was imported; what was read before is kept")
    }
  }
}
