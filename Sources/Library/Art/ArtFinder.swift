import Formats
import Glibc
import Runtime

/// Finds the pictures of a music file: what is in it, the front first, and what lies beside it, the largest first.
/// Reads files, so it is nothing for the main loop.
struct ArtFinder {
  /// What is longer is no cover.
  static let longest = 16 << 20
  /// Of one file: more than the front and a few others is not tried.
  private static let most = 8

  private var reader = MetadataReader()

  /// Where a picture lies, and in which state of the file.
  struct Location: Hashable {
    let path: FilePath
    let stamp: ArtFile.Stamp
    /// Within the file, when it is a part of it.
    let offset: Int64
    let embedded: Embedded?

    struct Embedded: Hashable {
      let place: ArtPlace

      static func == (one: Embedded, other: Embedded) -> Bool { one.place == other.place }

      func hash(into hasher: inout Hasher) {
        hasher.combine(place.offset)
        hasher.combine(place.length)
      }
    }

    /// For people.
    var name: String { embedded == nil ? "\(path)" : "in \(path)" }
  }

  /// Best first. A file that is gone or holds no music has perhaps a picture beside it.
  mutating func places(of music: FilePath) -> [Location] { Array((inside(music) + beside(music)).prefix(Self.most)) }

  private mutating func inside(_ music: FilePath) -> [Location] {
    do throws(Fault) {
      let file = try ArtFile(music, isPlain: false)
      let found = try reader.read(file.number, size: file.stamp.size, name: music).art
      let stamp = file.stamp
      let fitting = found.filter { $0.length > 0 && $0.length <= Self.longest * 4 / 3 + 4 }
      return (fitting.filter { $0.kind == .front } + fitting.filter { $0.kind != .front }).map {
        Location(path: music, stamp: stamp, offset: $0.offset, embedded: Location.Embedded(place: $0))
      }
    } catch {
      return []
    }
  }

  private func beside(_ music: FilePath) -> [Location] {
    let folder = music.folder
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: folder) } catch { return [] }
    let found = names.filter(ArtNames.isCover).prefix(64).compactMap { name -> (path: FilePath, size: Int64)? in
      guard let path = FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name.bytes),
        let size = ArtFile.isFile(path), size > 0, size <= Self.longest
      else { return nil }
      return (path, size)
    }
    return found.sorted { $0.size > $1.size }.compactMap { file in
      ArtFile.stamp(of: file.path).map { Location(path: file.path, stamp: $0, offset: 0, embedded: nil) }
    }
  }

  /// The picture's own bytes; a fault when the file is no longer the one in which it was found.
  func load(_ place: Location) throws(Fault) -> [UInt8] {
    let file = try ArtFile(place.path, isPlain: place.embedded == nil)
    guard file.stamp == place.stamp else {
      throw Fault(.passing, "L-504", "\(place.path) was changed while its picture was looked for")
    }
    guard let embedded = place.embedded else { return try file.readAll(limit: Self.longest) }
    return try embedded.place.load(file.number, name: place.path, limit: Self.longest * 4 / 3 + 4)
  }
}
