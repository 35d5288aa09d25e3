import Glibc
import Runtime

/// What is meant by a path that somebody names: the file, or all music below the folder, by the rules of an import and
/// in natural order.
package enum MusicFiles {
  /// No more than `most`. A folder below it that cannot be listed is passed over, and so are foreign formats in folders
  /// unless their decoder is installed.
  package static func at(_ path: FilePath, most: Int, withForeign: Bool = true) throws(Fault) -> [FilePath] {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { throw Fault.system("L-411", doing: "find \(path)") }
    guard status.st_mode & S_IFMT == S_IFDIR else { return most > 0 ? [path] : [] }
    var found: [FilePath] = []
    var walk = Walk(path)
    while found.count < most, let step = walk.next() {
      let folder = walk.path(of: step)
      let listing: Listing
      do throws(Fault) {
        listing = try Listing(of: folder, followingLink: step.names.isEmpty, withForeign: withForeign)
      } catch {
        if step.names.isEmpty { throw error }
        continue
      }
      let music = NaturalOrder.sorted(listing.files.filter { $0.class == .music }) { $0.name }
      found += music.prefix(most - found.count).map { Importer.path(folder, $0.name) }
      walk.goOn(into: NaturalOrder.sorted(listing.folders) { $0 }, of: step)
    }
    return found
  }
}
