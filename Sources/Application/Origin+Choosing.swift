import Library
import Offline
import Playback
import Runtime

/// What the history calls the place where music was chosen.
extension Origin {
  /// Paths that somebody named: the source when all are of one, else the folder when all lie in one.
  package init(named paths: [FilePath]) {
    let items = paths.map { ItemKey(address: $0) }
    if let source = items.first??.source, items.allSatisfy({ $0?.source == source }) {
      self = Origin(.source, source)
    } else {
      let folders = Set(zip(paths, items).map { path, item in item == nil ? path.ofFile.folder : nil })
      self = Origin(.files, folders.count == 1 ? folders.first.flatMap { $0 }.map { "\($0)" } : nil)
    }
  }

  /// Something that a source has, or that is wanted of it.
  init(_ container: ContainerKey) {
    self =
      switch container.kind {
      case .album, .podcast: Origin(.album, container.shownName)
      case .artist: Origin(.artist, container.shownName)
      case .playlist, .devicePlaylist: Origin(.playlist, container.shownName)
      case .track, .episode, .predicted, .cache: Origin(.source, container.source)
      }
  }

  /// A track of the library that was asked for by its number.
  static let track = Origin(.library, "track")
}
