import Runtime

/// From the bytes of a server that nobody vouches for. What a later version adds is passed over; what is there has to
/// make sense, or the item and the key of the mistake are named.
extension DirectoryIndex {
  package init(parsing bytes: [UInt8]) throws(Fault) {
    let limits = JSON.Limits(depth: 6, size: Self.longestFile, values: Self.mostValues)
    let json = try JSON(parsing: bytes, limits: limits)
    guard let format = json["format"]?.string, ExactText(format) == "layby-index" else {
      throw Fault(.malformed, "G-101", "\(Self.fileName): \"format\" must be \"layby-index\"")
    }
    guard let version = json["version"]?.whole, version >= 1 else {
      throw Fault(.malformed, "G-101", "\(Self.fileName): \"version\" must be a whole number from 1")
    }
    guard version <= Self.version else {
      throw Fault(.unsupported, "G-102", "\(Self.fileName) is of version \(version); known is \(Self.version)")
    }
    let top = IndexReader(json, "the index")
    name = try top.text("name") ?? ""
    var ids: Set<ExactText> = []
    for (number, entry) in try top.list("items", most: Self.mostItems).enumerated() {
      let item = try IndexReader(entry, "item \(number + 1)").item()
      guard ids.insert(ExactText(item.id)).inserted else {
        throw Self.wrong("item \(number + 1)", "path", "is there already")
      }
      items.append(item)
    }
    var names: Set<ExactText> = []
    var listed = 0
    for (number, entry) in try top.list("lists", most: Self.mostLists).enumerated() {
      let reader = IndexReader(entry, "list \(number + 1)")
      guard let name = try reader.text("name"), names.insert(ExactText(name)).inserted else {
        throw Self.wrong(reader.place, "name", "must be there, and be another list's not")
      }
      var list = List(name: name, items: [])
      for path in try reader.list("items", most: Self.mostListed - listed) {
        guard let id = path.string, ids.contains(ExactText(id)) else {
          throw Self.wrong(reader.place, "items", "names what is no item")
        }
        list.items.append(id)
      }
      listed += list.items.count
      lists.append(list)
    }
    if let text = try top.text("quality") { limit(to: try top.quality(text, of: "quality")) }
  }

  fileprivate static func wrong(_ place: String, _ key: String, _ mistake: String) -> Fault {
    Fault(.malformed, "G-103", "\(fileName), \(shownPlain(place)): \"\(key)\" \(mistake)")
  }
}

/// One object of the index.
private struct IndexReader {
  let json: JSON
  let place: String

  init(_ json: JSON, _ place: String) { (self.json, self.place) = (json, place) }

  private func wrong(_ key: String, _ mistake: String) -> Fault { DirectoryIndex.wrong(place, key, mistake) }

  /// Null is as good as nothing.
  private subscript(key: String) -> JSON? {
    guard let value = json[key], !value.isNull else { return nil }
    return value
  }

  func item() throws(Fault) -> DirectoryIndex.Item {
    let file = try file()
    let named = IndexReader(json, "\(place) (\(file.path.text.prefix(80)))")
    var item = DirectoryIndex.Item(file)
    if let text = try named.text("quality") { item.quality = try named.quality(text, of: "quality") }
    item.title = try named.text("title")
    item.artist = try named.text("artist")
    item.album = try named.text("album")
    item.albumArtist = try named.text("album_artist")
    item.disc = try named.number("disc")
    item.track = try named.number("track")
    item.length = try named.length("duration_s")
    item.art = try named.path("art")
    guard let variants = named["variants"] else { return item }
    guard let members = variants.members else { throw named.wrong("variants", "must be an object") }
    for member in members {
      let quality = try named.quality(member.key, of: "variants")
      guard quality != item.quality else { throw named.wrong("variants", "has the quality of the item itself") }
      item.variants[quality] = try IndexReader(member.value, "\(named.place), \(member.key)").file()
    }
    return item
  }

  func file() throws(Fault) -> DirectoryIndex.File {
    guard json.members != nil else {
      throw Fault(.malformed, "G-103", "\(DirectoryIndex.fileName), \(place): must be an object")
    }
    guard let path = try path("path") else { throw wrong("path", "must be there") }
    guard let size = self["size"]?.whole, (1...DirectoryIndex.largestFile).contains(size) else {
      throw wrong("size", "must be a whole number from 1 to \(DirectoryIndex.largestFile)")
    }
    guard let hash = self["sha256"]?.string, Self.isHash(hash) else {
      throw wrong("sha256", "must be 64 hexadecimal digits")
    }
    return DirectoryIndex.File(path: path, size: size, hash: hash.lowercased())
  }

  private static func isHash(_ text: String) -> Bool {
    guard text.utf8.count == 64 else { return false }
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
  }

  func list(_ key: String, most: Int) throws(Fault) -> [JSON] {
    guard let value = self[key] else { return [] }
    guard let items = value.items else { throw wrong(key, "must be a list") }
    guard items.count <= most else { throw wrong(key, "has \(items.count) entries; at most \(most) are taken") }
    return items
  }

  func text(_ key: String) throws(Fault) -> String? {
    guard let value = self[key] else { return nil }
    guard case .text(let text) = value else { throw wrong(key, "must be text in Unicode") }
    guard text.unicodeScalars.count <= DirectoryIndex.longestText else {
      throw wrong(key, "is longer than \(DirectoryIndex.longestText) characters")
    }
    for scalar in text.unicodeScalars where FolderPath.isControl(scalar) {
      throw wrong(key, FolderPath.Mistake.hasControls.rawValue)
    }
    return text.isEmpty ? nil : text
  }

  private func path(_ key: String) throws(Fault) -> FolderPath? {
    guard let value = self[key] else { return nil }
    guard case .text(let text) = value else { throw wrong(key, "must be text in Unicode") }
    do throws(FolderPath.Mistake) { return try FolderPath(text) } catch { throw wrong(key, error.rawValue) }
  }

  private func number(_ key: String) throws(Fault) -> Int? {
    guard let value = self[key] else { return nil }
    guard let number = value.whole, (0...99_999).contains(number) else {
      throw wrong(key, "must be a whole number from 0 to 99999")
    }
    return Int(number)
  }

  private func length(_ key: String) throws(Fault) -> Duration? {
    guard let value = self[key] else { return nil }
    guard let seconds = value.double, seconds >= 0, seconds <= Double(DirectoryIndex.longestItem) else {
      throw wrong(key, "must be seconds from 0 to \(DirectoryIndex.longestItem)")
    }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }

  func quality(_ name: String, of key: String) throws(Fault) -> Quality {
    guard let quality = Quality(indexName: name) else {
      throw wrong(key, "names no quality that is known: low, normal, high, very_high, lossless")
    }
    return quality
  }
}

extension Quality {
  /// As an index and a licence call it.
  package var indexName: String { String(words.map { $0 == " " ? "_" : $0 }) }

  package init?(indexName: String) {
    guard let quality = Quality.allCases.first(where: { ExactText($0.indexName) == ExactText(indexName) }) else {
      return nil
    }
    self = quality
  }
}
