import Runtime

/// What lies in the folders that playlists lead to: each is looked at once, as long as there is room to remember it. A
/// list that leads to and fro through all of a stick gets so many looks for each of its entries, and no more.
struct FolderNames {
  private enum Listed {
    case names(PlaylistPath.Names)
    case nothing
    /// It may be there; the disk did not say.
    case failed
  }

  let root: FilePath
  private let disk: any ImportDisk
  private let limits: ImportLimits
  private var seen: [[FilePath]: Listed] = [:]
  private(set) var held = 0

  /// Since the entry was begun, a folder could not be looked at that may be there.
  private(set) var hasFailed = false
  /// Since the entry was begun, there was something to list and no listing left.
  private(set) var isSpent = false
  private var leftToEntry = 0
  private var leftToList = 0
  private var sinceRest = 0

  /// Looks for one entry: as many as a deep path from another computer needs, in all its ways of writing.
  private static let entryLooks = 2_000
  /// What it costs to list a folder, in looks; its names cost as much again, but only the list pays for them: one entry
  /// may lead into the largest folder there is.
  private static let listing = 10
  /// For each entry of a list; most need less than ten.
  private static let looksPerEntry = 50
  /// For a list, however short.
  private static let fewestLooks = 250_000
  /// So many take some milliseconds.
  private static let looksUntilRest = 5_000

  init(root: FilePath, disk: any ImportDisk, limits: ImportLimits = ImportLimits()) {
    self.root = root
    self.disk = disk
    self.limits = limits
  }

  mutating func beginList(of count: Int) { leftToList = Self.fewestLooks + count * Self.looksPerEntry }

  mutating func beginEntry() { (leftToEntry, hasFailed, isSpent) = (Self.entryLooks, false, false) }

  /// True when whoever else waits for the thread shall have it, and then not again soon.
  mutating func needsRest() -> Bool {
    guard sinceRest >= Self.looksUntilRest else { return false }
    sinceRest = 0
    return true
  }

  /// Nil for what is no folder, and for what is not looked at.
  mutating func names(in folder: [FilePath]) -> PlaylistPath.Names? {
    guard leftToEntry > 0, leftToList > 0 else {
      isSpent = true
      return nil
    }
    pay(1, 1)
    let listed: Listed
    if let known = seen[folder] {
      listed = known
    } else {
      listed = list(folder)
      remember(listed, of: folder)
    }
    switch listed {
    case .names(let names): return names
    case .nothing: return nil
    case .failed:
      hasFailed = true
      return nil
    }
  }

  private mutating func pay(_ ofEntry: Int, _ ofList: Int) {
    leftToEntry -= ofEntry
    leftToList -= ofList
    sinceRest += ofList
  }

  private func list(_ folder: [FilePath]) -> Listed {
    var path = root
    for name in folder { path = Importer.path(path, name.bytes) }
    do throws(Fault) {
      let listing = try disk.list(path, followingLink: folder.isEmpty, most: limits.inFolder)
      return .names(
        PlaylistPath.Names((listing.folders + listing.files.map(\.name)).compactMap { FilePath(bytes: $0) }))
    } catch {
      // A file, a link, a name that is too long: none of them is a folder, whenever it is asked.
      return error.kind == .missing || error.kind == .malformed ? .nothing : .failed
    }
  }

  private mutating func remember(_ listed: Listed, of folder: [FilePath]) {
    var count = 1
    if case .names(let names) = listed { count += names.count }
    pay(Self.listing, Self.listing + count)
    if held + count > limits.names { (seen, held) = ([:], 0) }
    seen[folder] = listed
    held += count
  }
}
