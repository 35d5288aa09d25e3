/// What a file says about itself, made safe to show: no control characters, bounded in length and number.
package struct Tags: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package var key: String
    package var value: String
  }

  package var title: String?
  package var artist: String?
  package var album: String?
  package var trackNumber: Int?
  /// Everything that was there, keys in upper case.
  package var raw: [Field] = []
  /// In their order; none in most music.
  package var chapters: [Chapter] = []

  package init() {}

  package static let longest = 500
  package static let most = 200

  package mutating func add(_ key: String, _ value: String) {
    guard raw.count < Self.most else { return }
    let key = Self.clean(key).uppercased()
    let value = Self.clean(value)
    if !key.isEmpty && !value.isEmpty { raw.append(Field(key: key, value: value)) }
  }

  /// Another tag of the same file, which is trusted more.
  package mutating func fill(from other: Tags) {
    title = other.title ?? title
    artist = other.artist ?? artist
    album = other.album ?? album
    trackNumber = other.trackNumber ?? trackNumber
    if !other.chapters.isEmpty { chapters = other.chapters }
    raw = Array((other.raw + raw).prefix(Self.most))
  }

  /// All values of a key, in the file's order.
  package func values(_ key: String) -> [String] {
    // Keys are foreign, and so compared by their bytes.
    raw.filter { $0.key.utf8.elementsEqual(key.utf8) }.map(\.value)
  }

  /// "3", "03" and "3/12" are all track 3.
  package static func number(_ text: String?) -> Int? {
    guard let text, let number = Int(text.prefix { $0 >= "0" && $0 <= "9" }) else { return nil }
    return (1...9_999).contains(number) ? number : nil
  }

  /// Control characters, among them those that turn the direction of a line, become blanks; blanks around go away.
  package static func clean(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    var (count, waiting) = (0, false)
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) || scalar == " " {
        waiting = count > 0
        continue
      }
      // Scalars are counted, not letters: a letter can have any number of marks.
      guard count + (waiting ? 2 : 1) <= longest else { break }
      if waiting { cleaned.append(" ") }
      count += waiting ? 2 : 1
      waiting = false
      cleaned.append(scalar)
    }
    return String(cleaned)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
