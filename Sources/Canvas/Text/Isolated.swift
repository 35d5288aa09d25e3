/// A name or a number within a sentence that may run the other way: what is inside it does not change the order of what
/// is around it.
package enum Isolated {
  /// The first letter inside says which way it runs. Marks that a name brings with it would end it too early.
  package static func name(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    return "\u{2068}\(without(text))\u{2069}"
  }

  /// A sentence that runs to the left whatever its first letter is.
  package static func sentence(_ text: String) -> String { "\u{200F}\(text)" }

  private static func without(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { marks.contains($0.value) }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0.value) }))
  }

  /// The two around a name, and the one that begins a sentence. Nothing is drawn for them.
  static let marks: Set<UInt32> = [0x200F, 0x2068, 0x2069]
}
