/// The panel's words in one language. What is missing is said in English.
package struct Words: Equatable, Sendable {
  package static let english = Words([:])

  private let table: [Word: String]

  init(_ table: [Word: String]) { self.table = table }

  package subscript(_ word: Word) -> String { table[word] ?? word.rawValue }
}
