import Glibc
import Runtime

/// What is meant by a path that somebody names: the file, or all music below the folder, by the rules of an import and
/// in natural order. A folder below it that cannot be listed is passed over, and so are foreign formats in folders
/// unless their decoder is installed.
package struct MusicFiles: Sendable {
  private let withForeign: Bool
  /// Nil for a file.
  private var walk: Walk?
  /// Found, and not given yet.
  private var ahead: ArraySlice<FilePath>

  package init(at path: FilePath, withForeign: Bool = true) throws(Fault) {
    self.withForeign = withForeign
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { throw Fault.system("L-411", doing: "find \(path)") }
    (walk, ahead) = status.st_mode & S_IFMT == S_IFDIR ? (Walk(path), []) : (nil, [path])
  }

  /// No more than `most`.
  package static func at(_ path: FilePath, most: Int, withForeign: Bool = true) throws(Fault) -> [FilePath] {
    var files = try MusicFiles(at: path, withForeign: withForeign)
    return try files.next(most)
  }

  /// Up to `most` more files; fewer at the end. It enters no more folders than it needs for them.
  package mutating func next(_ most: Int) throws(Fault) -> [FilePath] {
    while ahead.count < most, let step = walk?.next() { try list(step) }
    defer { ahead = ahead.dropFirst(most) }
    return Array(ahead.prefix(most))
  }

  private mutating func list(_ step: Walk.Step) throws(Fault) {
    guard let folder = walk?.path(of: step) else { return }
    let listing: Listing
    do throws(Fault) {
      listing = try Listing(of: folder, followingLink: step.names.isEmpty, withForeign: withForeign)
    } catch {
      if step.names.isEmpty { throw error }
      return
    }
    let music = NaturalOrder.sorted(listing.files.filter { $0.class == .music }) { $0.name }
    ahead += music.map { Importer.path(folder, $0.name) }
    walk?.goOn(into: NaturalOrder.sorted(listing.folders) { $0 }, of: step)
  }
}
