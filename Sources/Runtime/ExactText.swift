/// A text that is compared byte by byte, for keys in sets and dictionaries.
///
/// `String` compares by Unicode's canonical equivalence: "é" in one scalar and in two are equal, which for the names of
/// files and items is wrong, and a long run of combining marks takes a time that grows with its square, which lets one
/// foreign text stop a loop for seconds.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  package init(stringLiteral text: String) { self.init(text) }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Ends it, so that a key of two texts is not that of the same bytes cut elsewhere.
    hasher.combine(0xFF as UInt8)
  }
}
