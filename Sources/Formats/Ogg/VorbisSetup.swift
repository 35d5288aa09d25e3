/// What the set-up header of a Vorbis stream makes libvorbis allocate, read from the packet before libvorbis sees it.
///
/// The header can describe tables that are a million times larger than itself: an "ordered" codebook of 2^24 entries
/// takes ten bytes. libvorbis allocates all of it, and sorts the used entries of each codebook with `alloca`. So the
/// tables are added up here first. The layout is that of the specification "Vorbis I", section 4.2.4.
package struct VorbisSetup: Equatable {
  /// Codebook entries of all books, and the used ones among them.
  package private(set) var entries = 0
  package private(set) var usedEntries = 0
  /// Used entries of the book that has the most: libvorbis takes 12 bytes of stack for each.
  package private(set) var mostUsedEntries = 0
  /// Numbers in the books' lookup tables as they are stored, each a `long` in libvorbis.
  package private(set) var quantizedValues = 0
  /// Numbers in the same tables as they are used, each a `float`.
  package private(set) var floats = 0
  /// Rows of the residues' decode maps, each allocated by itself, and the `int`s in them.
  package private(set) var mapRows = 0
  package private(set) var mapNumbers = 0

  private var dimensions: [Int] = []
  private var bookEntries: [Int] = []

  package static let mark: [UInt8] = [5] + Array("vorbis".utf8)

  /// Nil when libvorbis would refuse the packet too, or has to guess.
  package init?(_ packet: [UInt8]) {
    guard packet.starts(with: Self.mark) else { return nil }
    var bits = LittleEndianBits(packet, from: Self.mark.count)
    for _ in 0..<bits.number(8) + 1 { guard addBook(&bits) else { return nil } }
    for _ in 0..<bits.number(6) + 1 { guard bits.number(16) == 0, !bits.isOver else { return nil } }
    for _ in 0..<bits.number(6) + 1 { guard Self.skipFloor(&bits) else { return nil } }
    for _ in 0..<bits.number(6) + 1 { guard addResidue(&bits) else { return nil } }
  }

  // MARK: What is too much

  /// Bytes. The largest set-up header of libvorbis' encoder, 6 channels at quality 10, has 11,049.
  package static let longestPacket = 256 << 10
  /// That header has 19,413. libvorbisfile keeps a byte for each entry, for every stream of a chain.
  private static let mostEntries = 1 << 18
  /// That header has 213. Kept like the entries, 8 bytes each.
  private static let mostQuantizedValues = 1 << 16
  /// Bytes while it is decoded. That header needs half a megabyte.
  private static let mostMemory = 8 << 20
  private static let stackPerEntry = 12
  /// Bytes of stack for all else that libvorbis and our own functions put there: decoding a residue of type 0 takes up
  /// to 64 KiB.
  private static let otherStack = 160 << 10

  private var memory: Int {
    entries + usedEntries * (12 + 9) + quantizedValues * 8 + floats * 4 + mapRows * (8 + 32) + mapNumbers * 4
  }

  /// Why it cannot be decoded on a thread with `stack` bytes of stack left, as the end of a sentence; nil when it can.
  package func refusal(stack: Int) -> String? {
    if entries > Self.mostEntries { return "codebooks of \(entries) entries" }
    if quantizedValues > Self.mostQuantizedValues { return "codebooks of \(quantizedValues) values" }
    if memory > Self.mostMemory { return "tables of \(memory >> 20) MB" }
    if mostUsedEntries * Self.stackPerEntry + Self.otherStack > stack {
      return "a codebook of \(mostUsedEntries) used entries"
    }
    return nil
  }

  // MARK: Its parts

  private mutating func addBook(_ bits: inout LittleEndianBits) -> Bool {
    guard bits.number(24) == 0x56_4342 else { return false }
    let dimension = bits.number(16)
    let count = bits.number(24)
    // libvorbis' own limit.
    guard !bits.isOver, Self.width(dimension) + Self.width(count) <= 24 else { return false }
    let isOrdered = bits.number(1) == 1
    guard let used = isOrdered ? Self.orderedEntries(count, &bits) : Self.listedEntries(count, &bits) else {
      return false
    }
    entries += count
    usedEntries += used
    mostUsedEntries = max(mostUsedEntries, used)
    dimensions.append(dimension)
    bookEntries.append(count)
    return addLookup(dimension, count, used: used, &bits)
  }

  private static func orderedEntries(_ count: Int, _ bits: inout LittleEndianBits) -> Int? {
    _ = bits.number(5)
    var done = 0
    while done < count {
      let run = bits.number(width(count - done))
      guard run <= count - done, !bits.isOver else { return nil }
      // A length without entries only moves on to the next length, of which there are 32.
      done += run
    }
    return count
  }

  private static func listedEntries(_ count: Int, _ bits: inout LittleEndianBits) -> Int? {
    let isSparse = bits.number(1) == 1
    // Before the loop, so that a small packet cannot ask for sixteen million rounds.
    guard count * (isSparse ? 1 : 5) <= bits.left else { return nil }
    var used = 0
    for _ in 0..<count {
      if isSparse, bits.number(1) == 0 { continue }
      _ = bits.number(5)
      used += 1
    }
    return bits.isOver ? nil : used
  }

  private mutating func addLookup(
    _ dimension: Int, _ count: Int, used: Int, _ bits: inout LittleEndianBits
  ) -> Bool {
    let kind = bits.number(4)
    if kind == 0 { return !bits.isOver }
    guard kind <= 2, dimension > 0 else { return false }
    bits.skip(64)
    let width = bits.number(4) + 1
    bits.skip(1)
    let values = kind == 1 ? Self.root(of: count, dimension) : count * dimension
    guard values * width <= bits.left else { return false }
    bits.skip(values * width)
    quantizedValues += values
    floats += used * dimension
    return !bits.isOver
  }

  private static func skipFloor(_ bits: inout LittleEndianBits) -> Bool {
    switch bits.number(16) {
    case 0:
      bits.skip(8 + 16 + 16 + 6 + 8)
      let books = bits.number(4) + 1
      bits.skip(8 * books)
    case 1:
      let count = bits.number(5)
      let classes = (0..<count).map { _ in bits.number(4) }
      var sizes: [Int] = []
      for _ in 0..<(classes.max() ?? -1) + 1 {
        sizes.append(bits.number(3) + 1)
        let subclasses = bits.number(2)
        if subclasses > 0 { bits.skip(8) }
        bits.skip(8 << subclasses)
      }
      bits.skip(2)
      let width = bits.number(4)
      for index in classes { bits.skip(width * sizes[index]) }
    default: return false
    }
    return !bits.isOver
  }

  private mutating func addResidue(_ bits: inout LittleEndianBits) -> Bool {
    guard bits.number(16) <= 2 else { return false }
    bits.skip(24 + 24 + 24)
    let classifications = bits.number(6) + 1
    let book = bits.number(8)
    var books = 0
    for _ in 0..<classifications {
      books += bits.number(3).nonzeroBitCount
      if bits.number(1) == 1 { books += bits.number(5).nonzeroBitCount }
    }
    bits.skip(8 * books)
    guard !bits.isOver, book < dimensions.count, dimensions[book] > 0 else { return false }
    // Each entry of the class book stands for one row. libvorbis refuses books with fewer entries than rows.
    var rows = 1
    for _ in 0..<dimensions[book] {
      rows *= classifications
      guard rows <= bookEntries[book] else { return false }
    }
    mapRows += rows
    mapNumbers += rows * dimensions[book]
    return true
  }

  /// Bits that it takes to write `number`.
  private static func width(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

  /// The largest number that, raised to `exponent`, is not above `value`.
  private static func root(of value: Int, _ exponent: Int) -> Int {
    if exponent == 1 { return value }
    var root = 0
    while isPower(of: root + 1, exponent, atMost: value) { root += 1 }
    return root
  }

  private static func isPower(of base: Int, _ exponent: Int, atMost most: Int) -> Bool {
    var product = 1
    // A base of 1 stays 1, whatever the exponent.
    for _ in 0..<(base > 1 ? exponent : 0) {
      product *= base
      if product > most { return false }
    }
    return product <= most
  }
}

/// Numbers of any width, the lowest bit first, as Vorbis packs them.
private struct LittleEndianBits {
  private let bytes: [UInt8]
  private var at: Int
  /// More was asked for than there is. From then on every number is 0.
  private(set) var isOver = false

  init(_ bytes: [UInt8], from byte: Int) { (self.bytes, at) = (bytes, 8 * byte) }

  var left: Int { max(8 * bytes.count - at, 0) }

  mutating func skip(_ count: Int) {
    if count > left { isOver = true }
    at = min(at + count, 8 * bytes.count)
  }

  /// At most 32 bits.
  mutating func number(_ width: Int) -> Int {
    guard width <= left, !isOver else {
      isOver = true
      return 0
    }
    var number = 0
    for bit in 0..<width { number |= Int(bytes[(at + bit) / 8] >> UInt8((at + bit) % 8) & 1) << bit }
    at += width
    return number
  }
}
