import Runtime

/// What one import has in hand.
struct ImportRun {
  /// Which folder the root is, wherever its path leads by now.
  struct FolderIdentity: Equatable {
    var device: UInt64
    var node: UInt64
  }

  /// A folder that was listed.
  struct Visit {
    let step: Walk.Step
    let path: FilePath
    let listing: Listing
  }

  struct Playlist {
    /// The folder it lies in, and the names that lead there from the root.
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
  /// Asks what indexes of sources say of the files; nil for folders and sticks, whose files speak for themselves.
  let lookup: IndexLookup?
  private let loop: EventLoop
  var progress: ImportProgress
  var place = FolderIdentity(device: 0, node: 0)
  /// What the library knows the folders by that lead to the last one it was asked for.
  var way: [Catalogue.Waypoint] = []
  var jobs: [FileReader.Job] = []
  var playlists: [Playlist] = []
  var storing: Task<Result<Void, Fault>, Never>?
  var lastTold: Moment
  /// Files came, changed or went: playlists that are the same may lead elsewhere.
  var hasChanged = false
  /// Of the playlists that were stored.
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

  /// Throws when what is there now is not what the import began with: then nothing that was seen since means anything.
  /// Why it cannot be looked at does not matter here: it is not there.
  func stillThere() throws(Fault) {
    guard (try? Importer.identity(of: root)) == place else {
      throw Fault(.missing, "L-408", "\(root) went away while it was imported; what was read before is kept")
    }
  }
}
