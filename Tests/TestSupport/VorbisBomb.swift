/// Ogg Vorbis files of a few hundred bytes, each a stream that libvorbis accepts, whose set-up header asks for far more
/// memory than there is. `harmless` is built in the same way and plays.
package enum VorbisBomb: String, CaseIterable, Sendable {
  case harmless
  /// 2^16 used entries in ten bytes: libvorbis sorts them in 786 KB of stack.
  case orderedBook
  /// 2^22 used entries: 50 MB of stack.
  case largestBook
  /// 64 residues with 250,047 rows each: 900 MB. The book is sparse and needs no stack.
  case residues
  /// 64 books of 8,192 entries and 1,023 dimensions: 2 GB of floats.
  case wideBooks
  /// A million numbers of one bit each, of which libvorbis makes a `long` each.
  case quantizedValues
  /// 200 books of 16,384 entries, none of them used for anything.
  case manyBooks

  /// How the packets are laid out on pages.
  package enum Layout: String, CaseIterable, Sendable {
    case plain
    /// The set-up header goes on in a second page.
    case split
    /// The same, but the second page does not say that it goes on. libogg joins the pieces all the same.
    case splitWithoutFlag
    /// The other headers come in a page that begins the same stream a second time.
    case begunTwice
    /// All three headers are in the first page.
    case onePage
  }

  package func bytes(_ layout: Layout = .plain, serial: UInt32 = 7) -> [UInt8] {
    var ogg = OggPages([])
    func add(_ packets: [[UInt8]], flags: UInt8 = 0, granule: Int64 = 0) {
      var page = OggPages.Page(packet: [], flags: flags, granule: granule, serial: serial)
      page.sequence = UInt32(ogg.pages.count)
      page.lacing = packets.flatMap { [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)] }
      page.body = packets.flatMap { $0 }
      // A page has 255 segments.
      while page.lacing.count > 255 {
        var first = page
        first.lacing = Array(page.lacing[..<255])
        first.body = Array(page.body[..<first.lacing.reduce(0) { $0 + Int($1) }])
        ogg.pages.append(first)
        page.lacing.removeFirst(255)
        page.body.removeFirst(first.body.count)
        page.flags = OggPages.Page.continued
        page.sequence += 1
      }
      ogg.pages.append(page)
    }
    // Behind the framing bit libvorbis reads nothing; it makes the packet long enough to be split.
    let setup = setup + [UInt8](repeating: 0, count: 300)
    let headers = [Self.comment, setup]
    switch layout {
    case .plain:
      add([Self.identification], flags: OggPages.Page.first)
      add(headers)
    case .split, .splitWithoutFlag:
      add([Self.identification], flags: OggPages.Page.first)
      add([Self.comment, Array(setup[..<255])])
      // The zero that ended it.
      ogg.pages[1].lacing.removeLast()
      add([Array(setup[255...])], flags: layout == .split ? OggPages.Page.continued : 0)
    case .begunTwice:
      add([Self.identification], flags: OggPages.Page.first)
      add(headers, flags: OggPages.Page.first)
    case .onePage: add([Self.identification] + headers, flags: OggPages.Page.first)
    }
    add([[0], [0], [0], [0]], flags: OggPages.Page.last, granule: Self.frames)
    return ogg.bytes
  }

  /// Silence: four blocks of 256 give 384 frames, of which the last granule leaves so many.
  package static let frames: Int64 = 300

  private static let identification =
    [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 1, 0x44, 0xAC, 0, 0] + [UInt8](repeating: 0, count: 12) + [0x88, 1]
  private static let comment = [3] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]

  private var setup: [UInt8] {
    var bits = BitWriter()
    for byte in [5] + Array("vorbis".utf8) { bits.put(Int(byte), 8) }
    switch self {
    case .harmless: Self.books(1, entries: 2, dimension: 1, &bits)
    case .orderedBook: Self.books(1, entries: 1 << 16, dimension: 1, &bits)
    case .largestBook: Self.books(1, entries: 1 << 22, dimension: 1, &bits)
    case .manyBooks: Self.books(200, entries: 1 << 14, dimension: 1, &bits)
    case .wideBooks: Self.books(64, entries: 1 << 13, dimension: 1_023, hasLookup: true, &bits)
    case .residues:
      bits.put(0, 8)
      Self.bookHead(entries: 1 << 18, dimension: 3, &bits)
      bits.put(0, 1)
      bits.put(1, 1)
      for entry in 0..<1 << 18 {
        bits.put(entry < 2 ? 1 : 0, 1)
        if entry < 2 { bits.put(0, 5) }
      }
      bits.put(0, 4)
    case .quantizedValues:
      bits.put(0, 8)
      Self.orderedBook(entries: 16, dimension: 60_000, &bits)
      bits.put(2, 4)
      bits.put(0, 32)
      bits.put(0, 32 + 4 + 1)
      for _ in 0..<16 * 60_000 { bits.put(0, 1) }
    }
    bits.put(0, 6 + 16)  // one time
    bits.put(0, 6)
    bits.put(1, 16)  // one floor of type 1, without partitions
    bits.put(0, 5 + 2 + 4)
    let (residues, classifications) = self == .residues ? (64, 63) : (1, 1)
    bits.put(residues - 1, 6)
    for _ in 0..<residues {
      bits.put(0, 16 + 24)
      bits.put(0, 24 + 24)
      bits.put(classifications - 1, 6)
      bits.put(0, 8)
      for _ in 0..<classifications { bits.put(0, 3 + 1) }
    }
    bits.put(0, 6)  // one mapping, of type 0
    bits.put(0, 16 + 1 + 1 + 2 + 24)
    bits.put(0, 6)  // one mode, of short blocks
    bits.put(0, 1 + 16 + 16 + 8)
    bits.put(1, 1)
    return bits.bytes
  }

  private static func bookHead(entries: Int, dimension: Int, _ bits: inout BitWriter) {
    bits.put(0x56_4342, 24)
    bits.put(dimension, 16)
    bits.put(entries, 24)
  }

  /// All of its words have the same length; `entries` is a power of two.
  private static func orderedBook(entries: Int, dimension: Int, _ bits: inout BitWriter) {
    bookHead(entries: entries, dimension: dimension, &bits)
    let length = entries.trailingZeroBitCount
    bits.put(1, 1)
    bits.put(length - 1, 5)
    bits.put(entries, length + 1)
  }

  private static func books(
    _ count: Int, entries: Int, dimension: Int, hasLookup: Bool = false, _ bits: inout BitWriter
  ) {
    bits.put(count - 1, 8)
    for _ in 0..<count {
      orderedBook(entries: entries, dimension: dimension, &bits)
      bits.put(hasLookup ? 1 : 0, 4)
      guard hasLookup else { continue }
      // Least value and step, 0; one number of one bit for all places.
      bits.put(0, 32)
      bits.put(0, 32 + 4 + 1)
      bits.put(0, 1)
    }
  }
}

/// The lowest bit first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  /// At most 62 bits.
  mutating func put(_ number: Int, _ width: Int) {
    for bit in 0..<width {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      bytes[bytes.count - 1] |= UInt8(number >> bit & 1) << UInt8(8 - free)
      free -= 1
    }
  }
}
