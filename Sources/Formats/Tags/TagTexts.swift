/// The texts of one file while it is read: from all its tags, in their order, each tag with a rank. For each field the
/// tag of the best rank speaks, with all its values, and the others are not asked. Whoever reads them tells what those
/// are written in that do not say it.
package struct TagTexts: Sendable {
  package enum Coding: Sendable {
    /// None that is promised: told by statistics when all is read.
    case undeclared
    /// UTF-8 where it can be, else as above: what programs write where a format is silent.
    case local
    case utf8
    /// The larger byte first where no mark says otherwise, and where the letters do not say otherwise either.
    case utf16
    case utf16Little
  }

  package struct Text: Sendable {
    package let field: TagField
    package let rank: UInt8
    /// ID3's own genres have numbers in them.
    package let isNumberedGenre: Bool
    package var text: String
    /// In `undeclared`; negative for a text that is known.
    package let raw: Int32
  }

  /// Of the tag that is read now; the smallest is the best.
  var rank: UInt8 = 0
  package var texts: [Text] = []
  /// Texts that wait for an encoding.
  package private(set) var undeclared: [[UInt8]] = []
  /// For what is not UTF-8 yet.
  private var mended: [UInt8] = []

  /// Bytes of one text that are looked at: more than its 500 characters can have.
  static let longest = 4_096

  mutating func begin() {
    rank = 0
    texts.removeAll(keepingCapacity: true)
    undeclared.removeAll(keepingCapacity: true)
  }

  /// One value, up to its zero if there is one.
  mutating func add(_ field: TagField, _ piece: Piece, _ coding: Coding, numberedGenre: Bool = false) {
    guard texts.count < Tags.most else { return }
    var piece = piece.part(0, Self.longest)
    switch coding {
    case .utf16, .utf16Little:
      mend(utf16: piece, little: coding == .utf16Little)
      let text = mended.withUnsafeBufferPointer { Self.clean($0) }
      if let text { texts.append(Text(field, rank, numberedGenre, text)) }
    case .utf8, .local, .undeclared:
      if let zero = piece.first(0) { piece = piece.part(0, zero) }
      if piece.isEmpty { return }
      if let text = Self.clean(piece.buffer, isUTF8: coding != .undeclared) {
        if !text.isEmpty { texts.append(Text(field, rank, numberedGenre, text)) }
      } else {
        texts.append(Text(field, rank, numberedGenre, "", raw: Int32(undeclared.count)))
        undeclared.append(Array(piece.buffer))
      }
    }
  }

  /// All values, with zeros between them.
  mutating func addAll(_ field: TagField, _ piece: Piece, _ coding: Coding, numberedGenre: Bool = false) {
    let wide = coding == .utf16 || coding == .utf16Little
    var coding = coding
    var at = 0
    while at < piece.count && texts.count < Tags.most {
      var end = at
      if wide {
        while end + 1 < piece.count, piece[end] != 0 || piece[end + 1] != 0 { end += 2 }
        // A mark stands before the first value, or before each.
        if at == 0, UTF16Order.isLittle(piece) { coding = .utf16Little }
      } else {
        end = piece.first(0, from: at) ?? piece.count
      }
      if end > at { add(field, piece.part(at, end - at), coding, numberedGenre: numberedGenre) }
      at = end + (wide ? 2 : 1)
    }
  }

  mutating func add(_ field: TagField, number: Int) { add(field, text: String(number)) }

  /// One that is ours.
  mutating func add(_ field: TagField, text: String) {
    if texts.count < Tags.most { texts.append(Text(field, rank, false, text)) }
  }

  private mutating func mend(utf16 piece: Piece, little: Bool) {
    mended.removeAll(keepingCapacity: true)
    var little = little
    var at = 0
    if piece[0] == 0xFF, piece[1] == 0xFE { (little, at) = (true, 2) }
    if piece[0] == 0xFE, piece[1] == 0xFF { (little, at) = (false, 2) }
    func unit(_ at: Int) -> UInt32 { UInt32(little ? piece.little16(at) : piece.big16(at)) }
    while at + 1 < piece.count {
      var scalar = unit(at)
      at += 2
      if scalar == 0 { break }
      if scalar >= 0xD800 && scalar < 0xE000 {
        let low = at + 1 < piece.count ? unit(at) : 0
        if scalar < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
          scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          at += 2
        } else {
          scalar = 0xFFFD
        }
      }
      if scalar < 0x80 {
        mended.append(UInt8(scalar))
      } else if let encoded = Unicode.Scalar(scalar).flatMap({ Unicode.UTF8.encode($0) }) {
        mended.append(contentsOf: encoded)
      }
    }
  }

  /// Nil when it is in no encoding that is known: not UTF-8, or not promised to be and not plain ASCII.
  private static func clean(_ bytes: UnsafeBufferPointer<UInt8>, isUTF8: Bool = true) -> String? {
    var high = false
    // Most texts are letters with single blanks between them, and need no second look.
    var isPlain = bytes.count <= Tags.longest
    var last: UInt8 = 0x20
    for byte in bytes {
      if byte >= 0x80 { high = true }
      // Controls, and the first byte of those that are written with two or three; a blank behind a blank.
      if byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xEF || (byte == 0x20 && last == 0x20) {
        isPlain = false
      }
      last = byte
    }
    if high && !isUTF8 { return nil }
    guard let text = high ? String(validating: bytes, as: UTF8.self) : String(decoding: bytes, as: UTF8.self) else {
      return nil
    }
    return isPlain && last != 0x20 ? text : Tags.clean(text)
  }
}

extension TagTexts.Text {
  init(_ field: TagField, _ rank: UInt8, _ isNumberedGenre: Bool, _ text: String, raw: Int32 = -1) {
    self.init(field: field, rank: rank, isNumberedGenre: isNumberedGenre, text: text, raw: raw)
  }
}
