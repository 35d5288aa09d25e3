import Runtime

/// iTunes' list of texts, in MP4, M4A and M4B files.
extension FileReading {
  mutating func readMP4Texts(in movie: Range<Int64>) throws(Fault) {
    guard let meta = try MP4Atoms.find(["udta", "meta"], in: movie, bytes) else { return }
    // Four bytes of version, which some programs leave out.
    let isBare = try bytes.piece(at: meta.start, count: 8).begins("hdlr", at: 4)
    guard let list = try MP4Atoms.find(["ilst"], in: meta.from(isBare ? 0 : 4), bytes) else { return }
    var items = MP4Atoms(list.range)
    while let item = try items.next(in: bytes) {
      if item.name == "----" {
        try readOwn(item)
      } else if item.name == "covr" {
        try readCover(item)
      } else {
        try read(item)
      }
    }
  }

  private static let texts: [Letters: TagField] = [
    Letters(0xA96E_616D): .title, Letters(0xA941_5254): .artist, Letters(0xA961_6C62): .album, "aART": .albumArtist,
    Letters(0xA977_7274): .composer, Letters(0xA967_656E): .genre, Letters(0xA964_6179): .year, "sonm": .titleSort,
    "soar": .artistSort, "soal": .albumSort, "soaa": .albumArtistSort,
  ]

  /// How a value is preceded: its kind, a country.
  private static let valueHead: Int64 = 8

  private mutating func read(_ item: MP4Atoms.Atom) throws(Fault) {
    let field = Self.texts[item.name]
    let isNumber = ["trkn", "disk", "gnre", "cpil", "stik", "pcst"].contains(item.name)
    guard field != nil || isNumber else { return }
    var values = MP4Atoms(item.range)
    while let value = try values.next(in: bytes) {
      guard value.name == "data", value.length > Int(Self.valueHead) else { continue }
      let head = try bytes.piece(at: value.start, count: Int(min(Int64(value.length), Int64(TagTexts.longest))))
      let inside = head.from(Int(Self.valueHead))
      if let field {
        texts.add(field, inside, head.big24(1) == 2 ? .utf16 : .utf8)
      } else {
        take(item.name, inside)
      }
    }
  }

  private mutating func take(_ name: Letters, _ piece: Piece) {
    switch name {
    case "trkn", "disk":
      let (number, total) = (piece.big16(2), piece.big16(4))
      if number > 0 { texts.add(name == "trkn" ? .track : .disc, number: number) }
      if total > 0 && piece.count >= 6 { texts.add(name == "trkn" ? .tracks : .discs, number: total) }
    case "gnre": if let genre = Genres.name(piece.big16(0) - 1) { texts.add(.genre, text: genre) }
    case "cpil": if piece[piece.count - 1] != 0 { texts.add(.compilation, number: 1) }
    case "pcst": if piece[piece.count - 1] != 0 { texts.add(.bookOrPodcast, number: 2) }
    case "stik":
      let kind = piece[piece.count - 1]
      if kind == 2 { texts.add(.bookOrPodcast, number: 1) }
      if kind == 21 { texts.add(.bookOrPodcast, number: 2) }
    default: break
    }
  }

  /// A key of people's own: whose it is, its name, its values.
  private mutating func readOwn(_ item: MP4Atoms.Atom) throws(Fault) {
    var field: TagField?
    var parts = MP4Atoms(item.range)
    while let part = try parts.next(in: bytes) {
      if part.name == "name" {
        let name = try bytes.piece(at: part.start, count: min(part.length, 68))
        field = TagField.named(name.from(4))
      } else if part.name == "data", let field, part.length > Int(Self.valueHead) {
        let value = try bytes.piece(at: part.start, count: min(part.length, TagTexts.longest))
        texts.addAll(field, value.from(Int(Self.valueHead)), .utf8)
      }
    }
  }

  private mutating func readCover(_ item: MP4Atoms.Atom) throws(Fault) {
    var values = MP4Atoms(item.range)
    while let value = try values.next(in: bytes) {
      guard value.name == "data", value.length > Int(Self.valueHead) else { continue }
      // The first is the one that is shown.
      let kind: ArtPlace.Kind = found.art.isEmpty ? .front : .other
      add(ArtPlace(kind, at: value.start + Self.valueHead, length: value.length - Int(Self.valueHead)))
    }
  }
}
