import Runtime

/// What is to be copied to the device: folders and files of one source, by their names below its root, so that it means
/// the same when the source is mounted elsewhere.
package struct CopyWish: Equatable, Sendable {
  package struct Pick: Equatable, Sendable {
    /// The names that lead to the folder from the root.
    package var folder: [[UInt8]]
    /// Nil: all music in it and below it. Otherwise these files alone, with the pictures that lie beside them.
    package var only: [[UInt8]]?

    package init(folder: [[UInt8]], only: [[UInt8]]? = nil) {
      self.folder = folder
      self.only = only
    }
  }

  package var from: ImportPart.Request
  package var picks: [Pick]

  /// Files that are named one by one.
  package static let mostNamed = 20_000

  package init(from: ImportPart.Request, picks: [Pick]) {
    self.from = from
    self.picks = picks
  }

  /// The names from `root` to `path`; nil when it does not lie there.
  package static func names(of path: FilePath, below root: FilePath) -> [[UInt8]]? {
    let slash = UInt8(ascii: "/")
    let (all, above) = (path.bytes.split(separator: slash), root.bytes.split(separator: slash))
    guard path.isAbsolute, root.isAbsolute, all.starts(with: above) else { return nil }
    return all.dropFirst(above.count).map { Array($0) }
  }

  package static func path(of names: [[UInt8]], below root: FilePath) -> FilePath {
    names.reduce(root) { Importer.path($0, $1) }
  }

  package func path(of names: [[UInt8]]) -> FilePath { Self.path(of: names, below: from.root) }
}

/// As it is kept on the disk, so that a power cut does not forget it.
extension CopyWish {
  static let limit = 32 << 20

  var json: JSON {
    [
      "kind": JSON(from.kind.rawValue), "key": JSON(textBytes: from.key), "label": JSON(from.label),
      "root": JSON(path: from.root),
      "picks": .list(
        picks.map { pick in
          [
            "folder": .list(pick.folder.map { JSON(textBytes: $0) }),
            "only": pick.only.map { .list($0.map { JSON(textBytes: $0) }) } ?? .null,
          ]
        }),
    ]
  }

  /// Nil when it is none.
  init?(_ json: JSON) {
    guard let kind = json["kind"]?.whole.flatMap({ Source.Kind(rawValue: $0) }), let key = json["key"]?.path?.bytes,
      let label = json["label"]?.string, let root = json["root"]?.path, root.isAbsolute,
      let picks = json["picks"]?.items
    else { return nil }
    self.init(from: .init(kind: kind, key: key, label: label, root: root), picks: [])
    for pick in picks {
      guard let folder = Self.names(pick["folder"]) else { return nil }
      var only: [[UInt8]]?
      if let named = pick["only"], !named.isNull {
        guard let names = Self.names(named) else { return nil }
        only = names
      }
      self.picks.append(Pick(folder: folder, only: only))
    }
  }

  /// A name that leads anywhere else is none.
  static func names(_ json: JSON?) -> [[UInt8]]? {
    guard let items = json?.items else { return nil }
    var names: [[UInt8]] = []
    for item in items {
      guard let name = item.path?.bytes, !name.contains(UInt8(ascii: "/")), name != [0x2E], name != [0x2E, 0x2E]
      else { return nil }
      names.append(name)
    }
    return names
  }
}
