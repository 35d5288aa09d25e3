import Library

/// Any bytes have a guess; every text that they are in some encoding is visible, folds once and for all, and has its
/// place in a list.
@Sendable func textEncoding(_ bytes: [UInt8]) {
  var guess = EncodingGuess()
  // A zero byte parts texts of one file.
  for text in bytes.split(separator: 0) { guess.add(text) }
  precondition(guess.best != .utf16 || guess.isCertain, "UTF-16 without a mark")
  for encoding in TextEncoding.allCases {
    guard let text = encoding.text(bytes) else { continue }
    precondition(encoding.text(bytes, cut: true) != nil, "\(encoding): valid, but not when it may be cut off")
    let isVisible = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    precondition(isVisible, "\(encoding): a control character")
    let folded = Folding.folded(text)
    precondition(Folding.folded(folded).utf8.elementsEqual(folded.utf8), "\(encoding): folded twice is not folded once")
    precondition(Folding.words(text).joined(separator: " ") == folded, "\(encoding): words are not those of the fold")
    let key = Folding.sortKey(text)
    precondition(key.isEmpty == folded.isEmpty && !Folding.letter(text).isEmpty, "\(encoding): no place in a list")
  }
}
