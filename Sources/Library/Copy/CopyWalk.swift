import Files
import Runtime

/// The files of a wish, folder by folder, in the order of names: the same way each time, so that a copy that was broken
/// off meets what it has done first.
struct CopyWalk {
  struct Folder {
    /// From the source's root.
    var names: [[UInt8]]
    var files: [Listing.File]
    /// Why nothing is known of what is in it.
    var fault: Fault?
  }

  private let wish: CopyWish
  private var picks: ArraySlice<CopyWish.Pick>
  private var walk: Walk?
  /// Where `walk` began.
  private var beginning: [[UInt8]] = []
  /// Folders that were too deep or too many, pipes and links that are called music, what is in a folder that is too full.
  private(set) var leftOut = 0

  init(_ wish: CopyWish) {
    self.wish = wish
    picks = wish.picks[...]
  }

  mutating func next() -> Folder? {
    while true {
      if let folder = nextOfWalk() { return folder }
      guard let pick = picks.popFirst() else { return nil }
      if let only = pick.only { return named(only, in: pick.folder) }
      walk = Walk(wish.path(of: pick.folder))
      beginning = pick.folder
    }
  }

  private mutating func nextOfWalk() -> Folder? {
    guard var walk else { return nil }
    guard let step = walk.next() else {
      leftOut += walk.left
      self.walk = nil
      return nil
    }
    let names = beginning + step.names
    var folder = Folder(names: names, files: [])
    do throws(Fault) {
      let listing = try Listing(of: walk.path(of: step), followingLink: names.isEmpty, withPictures: true)
      folder.files = listing.files
      leftOut += listing.oddities + listing.left
      walk.goOn(into: listing.folders, of: step)
    } catch { folder.fault = error }
    self.walk = walk
    return folder
  }

  /// With the pictures beside them: a cover that stays behind is missed at once. Who wants all music of a folder gets
  /// its playlists and cue sheets too.
  private func named(_ only: [[UInt8]], in names: [[UInt8]]) -> Folder {
    var folder = Folder(names: names, files: [])
    do throws(Fault) {
      let listing = try Listing(of: wish.path(of: names), followingLink: names.isEmpty, withPictures: true)
      let wanted = Set(only)
      let isAll = listing.files.allSatisfy { $0.class != .music || wanted.contains($0.name) }
      folder.files = listing.files.filter { isAll || wanted.contains($0.name) || $0.class == .picture }
      let found = Set(folder.files.map(\.name))
      if let missing = only.first(where: { !found.contains($0) }) {
        let path = Importer.path(wish.path(of: names), missing)
        throw Fault(.missing, "L-421", "\(path) is no music, or is not there any more")
      }
    } catch { folder.fault = error }
    return folder
  }
}

extension Listing.File {
  /// As far as it can be; what cannot be is told when its turn comes.
  var credibleSize: Int64 { (0...DiskSpace.longestFile).contains(size) ? size : 0 }
}
