import Runtime

extension DirectoryIndex {
  /// As a file: an item a line, so that two versions of it can be compared by eye.
  package var fileBytes: [UInt8] {
    var bytes = Array("{\"format\":\"layby-index\",\"version\":\(Self.version),\"name\":".utf8)
    bytes += JSON(name).bytes
    Self.write("items", items.map(\.json), to: &bytes)
    Self.write("lists", lists.map(\.json), to: &bytes)
    return bytes + Array("}\n".utf8)
  }

  private static func write(_ key: String, _ entries: [JSON], to bytes: inout [UInt8]) {
    bytes += Array(",\n\"\(key)\":[".utf8)
    for (number, entry) in entries.enumerated() {
      bytes += Array((number == 0 ? "\n" : ",\n").utf8)
      bytes += entry.bytes
    }
    bytes += Array("]".utf8)
  }
}

extension DirectoryIndex.File {
  fileprivate var members: [(String, JSON)] {
    [("path", JSON(path.text)), ("size", JSON(size)), ("sha256", JSON(hash))]
  }
}

extension DirectoryIndex.Item {
  fileprivate var json: JSON {
    var object = JSON.Object(file.members)
    if quality != .lossless { object["quality"] = JSON(Self.name(of: quality)) }
    object["title"] = title.map { JSON($0) }
    object["artist"] = artist.map { JSON($0) }
    object["album"] = album.map { JSON($0) }
    object["album_artist"] = albumArtist.map { JSON($0) }
    object["disc"] = disc.map { JSON($0) }
    object["track"] = track.map { JSON($0) }
    object["duration_s"] = length.map { JSON(Double($0.nanoseconds / 1_000_000) / 1_000) }
    object["art"] = art.map { JSON($0.text) }
    if !variants.isEmpty {
      let sorted = variants.sorted { $0.key < $1.key }
      object["variants"] = .object(
        JSON.Object(sorted.map { (Self.name(of: $0.key), JSON.object(JSON.Object($0.value.members))) }))
    }
    return .object(object)
  }

  private static func name(of quality: Quality) -> String {
    DirectoryIndex.qualities.first { $0.quality == quality }?.name ?? ""
  }
}

extension DirectoryIndex.List {
  fileprivate var json: JSON {
    .object(JSON.Object([("name", JSON(name)), ("items", .list(items.map { JSON($0) }))]))
  }
}
