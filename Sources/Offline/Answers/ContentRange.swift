/// Which bytes of a file an answer holds, as `Content-Range` says.
package enum ContentRange: Equatable, Sendable {
  /// `bytes 0-499/1234`, or `/*` when the whole length is not known.
  case part(first: Int64, last: Int64, total: Int64?)
  /// `bytes */1234`: none; there are so many.
  case nothing(of: Int64)

  /// Nil for what says nothing that can be believed.
  package init?(_ value: String) {
    let halves = value.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let words = halves[0].split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let after = halves[1].trimmed
    if words[1] == "*" {
      guard let total = Int64(ofFile: after) else { return nil }
      self = .nothing(of: total)
      return
    }
    let ends = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ofFile: ends[0]), let last = Int64(ofFile: ends[1]), first <= last else {
      return nil
    }
    var total: Int64?
    if after != "*" {
      guard let whole = Int64(ofFile: after), last < whole else { return nil }
      total = whole
    }
    self = .part(first: first, last: last, total: total)
  }
}

extension Int64 {
  /// How many bytes a file has, or which of them is meant, as a server says it. Nil for more than any disk holds: such a
  /// number is no file's, and what is added to it would be no number at all.
  init?(ofFile text: some StringProtocol) {
    guard let number = Int64(digits: text), number <= MediaResponse.longestFile else { return nil }
    self = number
  }

  /// Digits and nothing else: no sign, no blank.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}

extension StringProtocol {
  /// Without the blanks around it.
  var trimmed: SubSequence {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}
