import Ciphers
import Runtime

/// Where each download's files lie below `media`: `aa/<name>.part` while it grows, `aa/<name>.flac` when it is whole. The
/// name is a sum of what is fetched, so that it says nothing, is short on every disk, and is found without a list.
package struct MediaFolder: Sendable {
  /// Of one download. Made from its key alone; the ending is of the file that its source has.
  package struct Name: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    package let description: String

    package init(of key: MediaKey) throws(Fault) {
      var sum = try SHA256()
      for part in [key.source, key.item.item] {
        let bytes = Array(part.utf8)
        // Lengths stand in front: no two keys run together to the same bytes.
        sum.add(Array("\(bytes.count):".utf8) + bytes)
      }
      sum.add([UInt8(truncatingIfNeeded: key.quality.rawValue)])
      description = String(try sum.value().description.prefix(Self.length))
    }

    package init?(_ text: some StringProtocol) {
      guard text.utf8.count == Self.length,
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { return nil }
      description = String(text)
    }

    package static let length = 32
    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    var folder: String { String(description.prefix(2)) }
  }

  package static let growing = "part"
  /// Two hexadecimal digits.
  static let folders = (0..<256).map { number in
    String(number >> 4, radix: 16) + String(number & 15, radix: 16)
  }

  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  package func part(_ name: Name) -> FilePath { path / name.folder / "\(name).\(Self.growing)" }

  package func whole(_ name: Name, ending: String) -> FilePath {
    path / name.folder / "\(name).\(Self.safe(ending))"
  }

  /// What a source calls a kind of file is foreign: it never is `part`, nor leads anywhere.
  static func safe(_ ending: String) -> String {
    let isPlain = ending.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isPlain && (1...8).contains(ending.utf8.count) && ending != growing ? ending : "music"
  }

  /// What a file in one of the folders is; nil for what nobody here has put there.
  static func reading(_ file: FilePath, in folder: String) -> (name: Name, isGrowing: Bool)? {
    let parts = String(decoding: file.bytes, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let name = Name(parts[0]), name.folder == folder else { return nil }
    let ending = String(parts[1])
    guard ending == growing || safe(ending) == ending else { return nil }
    return (name, ending == growing)
  }
}
