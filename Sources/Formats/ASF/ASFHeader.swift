import Runtime

/// The head of a WMA file: objects, each with a name of 16 bytes and a length. Texts are UTF-16.
extension FileReading {
  /// The first eight bytes tell all the objects apart that we look into.
  private enum ASFObject {
    static let header: UInt64 = 0x11CF_668E_75B2_2630
    static let data: UInt64 = 0x11CF_668E_75B2_2636
    static let file: UInt64 = 0x11CF_A947_8CAB_DCA1
    static let stream: UInt64 = 0x11CF_A9B7_B7DC_0791
    static let content: UInt64 = 0x11CF_668E_75B2_2633
    static let extended: UInt64 = 0x11D2_E307_D2D0_A440
    static let more: UInt64 = 0x11CF_A92E_5FBF_03B5
    static let library: UInt64 = 0x49D1_9498_4423_1C94
    static let sound: UInt64 = 0x11CF_5B4D_F869_9E40
  }

  private static let mostObjects = 1_000
  private static let headLength: Int64 = 24

  static func beginsASF(_ piece: Piece) -> Bool { piece.count >= 30 && piece.little64(0) == ASFObject.header }

  mutating func readASF() throws(Fault) {
    found.codec = "WMA"
    let head = try bytes.piece(at: 0, count: 30)
    let end = min(bytes.size, Int64(clamping: head.little64(16)))
    try readObjects(30..<max(30, end), depth: 0)
    let data = try bytes.piece(at: end, count: 24)
    let length = Int64(clamping: data.little64(16))
    let isKnown = data.little64(0) == ASFObject.data && length >= 50 && length <= bytes.size - end
    found.audio = span(end, isKnown ? end + length : bytes.size)
  }

  private mutating func readObjects(_ range: Range<Int64>, depth: Int) throws(Fault) {
    var at = range.lowerBound
    for _ in 0..<Self.mostObjects {
      let head = try bytes.piece(at: at, count: Int(Self.headLength))
      guard head.count == Int(Self.headLength), range.upperBound - at >= Self.headLength else { return }
      let (name, length) = (head.little64(0), head.little64(16))
      guard length >= UInt64(Self.headLength) else { return }
      let end = length > UInt64(range.upperBound - at) ? range.upperBound : at + Int64(length)
      let inside = at + Self.headLength..<end
      switch name {
      case ASFObject.file: try readFileProperties(inside)
      case ASFObject.stream: try readStream(inside)
      case ASFObject.content: try readContent(inside)
      case ASFObject.extended: try readExtended(inside)
      case ASFObject.library: try readLibrary(inside)
      case ASFObject.more:
        // More objects, behind 22 bytes.
        if depth == 0, end - at > Self.headLength + 22 {
          try readObjects(inside.lowerBound + 22..<end, depth: 1)
        }
      default: break
      }
      at = end
    }
  }

  /// The length comes before the rate: it is kept in units of its own until both are there.
  private mutating func readFileProperties(_ range: Range<Int64>) throws(Fault) {
    let piece = try bytes.piece(at: range.lowerBound, count: 80)
    guard piece.count >= 64 else { return }
    // In 100 ns, with what is played before the sound in ms.
    let (whole, before) = (Int64(clamping: piece.little64(40)), Int64(clamping: piece.little64(56)))
    guard whole < 1 << 52, before < 1 << 38 else { return }
    ticks = max(0, whole - before * 10_000)
    setFrames(ticks, of: Self.ticksPerSecond)
  }

  private static let ticksPerSecond: Int64 = 10_000_000

  private mutating func readStream(_ range: Range<Int64>) throws(Fault) {
    let piece = try bytes.piece(at: range.lowerBound, count: 54 + 18)
    guard piece.count >= 54 + 16, piece.little64(0) == ASFObject.sound, found.rate == 0 else { return }
    let format = piece.from(54)
    let codec = format.little16(0)
    found.codec = codec == 0x162 ? "WMA Pro" : codec == 0x163 ? "WMA Lossless" : codec == 0x0A ? "WMA Voice" : "WMA"
    setFormat(
      rate: Int(clamping: format.little32(4)), channels: format.little16(2),
      bits: codec == 0x163 ? format.little16(14) : 0)
    setFrames(ticks, of: Self.ticksPerSecond)
  }

  /// Five texts of fixed meaning; the first two are kept.
  private mutating func readContent(_ range: Range<Int64>) throws(Fault) {
    let lengths = try bytes.piece(at: range.lowerBound, count: 10)
    let (title, author) = (Int64(lengths.little16(0)), Int64(lengths.little16(2)))
    let start = range.lowerBound + 10
    guard start + title + author <= range.upperBound else { return }
    texts.add(.title, try bytes.piece(at: start, count: Int(title)), .utf16Little)
    texts.add(.artist, try bytes.piece(at: start + title, count: Int(author)), .utf16Little)
  }

  private mutating func readExtended(_ range: Range<Int64>) throws(Fault) {
    var at = range.lowerBound + 2
    for _ in 0..<min(Self.mostObjects, try bytes.piece(at: range.lowerBound, count: 2).little16(0)) {
      let nameLength = Int64(try bytes.piece(at: at, count: 2).little16(0))
      let kindAt = at + 2 + nameLength
      let kind = try bytes.piece(at: kindAt, count: 4)
      guard kind.count == 4 else { return }
      let (type, length) = (kind.little16(0), Int64(kind.little16(2)))
      let value = kindAt + 4..<kindAt + 4 + length
      guard value.upperBound <= range.upperBound else { return }
      try readAttribute(name: at + 2..<kindAt, type: type, value)
      at = value.upperBound
    }
  }

  private mutating func readLibrary(_ range: Range<Int64>) throws(Fault) {
    var at = range.lowerBound + 2
    for _ in 0..<min(Self.mostObjects, try bytes.piece(at: range.lowerBound, count: 2).little16(0)) {
      let head = try bytes.piece(at: at, count: 12)
      guard head.count == 12 else { return }
      let name = at + 12..<at + 12 + Int64(head.little16(4))
      let value = name.upperBound..<name.upperBound + Int64(head.little32(8))
      guard value.upperBound <= range.upperBound else { return }
      try readAttribute(name: name, type: head.little16(6), value)
      at = value.upperBound
    }
  }

  private mutating func readAttribute(name: Range<Int64>, type: Int, _ value: Range<Int64>) throws(Fault) {
    let piece = try bytes.piece(at: name.lowerBound, count: Int(min(name.upperBound - name.lowerBound, 128)))
    var letters = 0
    for at in stride(from: 0, to: piece.count - 1, by: 2) where piece[at] != 0 && piece[at + 1] == 0 {
      bytes.scratch[letters] = piece[at]
      letters += 1
    }
    let name = Piece(start: bytes.scratch, count: letters)
    if name.begins("WM/Picture") { return try readPicture(value) }
    if name.begins("WM/IsCompilation") {
      if try bytes.piece(at: value.lowerBound, count: 4).little32(0) != 0 { texts.add(.compilation, number: 1) }
      return
    }
    guard let field = Self.windowsField(name) ?? TagField.named(name) else { return }
    let text = try bytes.piece(
      at: value.lowerBound, count: Int(min(value.upperBound - value.lowerBound, Int64(TagTexts.longest))))
    switch type {
    case 0: texts.addAll(field, text, .utf16Little)
    case 3: texts.add(field, number: Int(text.little32(0)))
    case 5: texts.add(field, number: text.little16(0))
    default: break
    }
  }

  private static func windowsField(_ name: Piece) -> TagField? {
    for (known, field) in windowsNames where name.isNamed(known) { return field }
    return nil
  }

  private static let windowsNames: [(StaticString, TagField)] = [
    ("WM/ALBUMTITLE", .album), ("WM/ALBUMARTIST", .albumArtist), ("WM/GENRE", .genre), ("WM/YEAR", .year),
    ("WM/TRACKNUMBER", .track), ("WM/PARTOFSET", .disc), ("WM/COMPOSER", .composer), ("AUTHOR", .artist),
    ("WM/TITLESORTORDER", .titleSort), ("WM/ARTISTSORTORDER", .artistSort), ("WM/ALBUMSORTORDER", .albumSort),
    ("WM/ALBUMARTISTSORTORDER", .albumArtistSort), ("WM/ORIGINALRELEASEYEAR", .otherYear), ("WM/ARTISTS", .artists),
  ]

  /// The kind of picture, its length, two texts with their ends, and the picture.
  private mutating func readPicture(_ value: Range<Int64>) throws(Fault) {
    let head = try bytes.piece(at: value.lowerBound, count: Int(min(value.upperBound - value.lowerBound, 1_024)))
    let length = Int64(head.little32(1))
    var at = 5
    for _ in 0..<2 {
      while at + 1 < head.count && head.little16(at) != 0 { at += 2 }
      at += 2
    }
    guard at < head.count, length <= value.upperBound - value.lowerBound - Int64(at) else { return }
    add(ArtPlace(head[0] == 3 ? .front : .other, at: value.lowerBound + Int64(at), length: Int(length)))
  }
}
