/// Texts as people type and compare them: without case, accents, width and the kind of kana. The catalogue's index, its
/// order and its identities rest on it, so what it gives for a text must not change without a new index.
package enum Folding {
  /// Small letters and digits, single spaces between words; an ideograph is a word of its own, so that a prefix finds
  /// it inside a name. A text that has only signs ("!!!") keeps them: it is somebody's name.
  package static func folded(_ text: String) -> String {
    let plain = text.utf8.withContiguousStorageIfAvailable { plainlyFolded($0) } ?? nil
    return plain ?? widelyFolded(text)
  }

  /// By bytes: a mark behind a space makes one character of both, and would bind two words together.
  package static func words(_ text: String) -> [String] {
    folded(text).utf8.split(separator: 0x20).map { String(Substring($0)) }
  }

  /// ASCII needs no tables. Nil for other bytes, and where nothing would be left.
  private static func plainlyFolded(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    if bytes.isEmpty { return "" }
    var isPlain = true
    let folded = String(unsafeUninitializedCapacity: bytes.count) { output in
      var count = 0
      var waiting = false
      for byte in bytes {
        let small = byte | 0x20
        if small &- 0x61 < 26 || byte &- 0x30 < 10 {
          if waiting {
            output[count] = 0x20
            count &+= 1
            waiting = false
          }
          output[count] = byte < 0x40 ? byte : small
          count &+= 1
        } else if byte >= 0x80 {
          isPlain = false
          return 0
        } else if !FoldingTable.isDropped(UInt32(byte)) {
          waiting = count > 0
        }
      }
      return count
    }
    return isPlain && !folded.isEmpty ? folded : nil
  }

  private static func widelyFolded(_ text: String) -> String {
    let table = FoldingTable.shared
    var values: [UInt32] = []
    values.reserveCapacity(text.utf8.count)
    var hasMarks = false
    for scalar in text.unicodeScalars {
      if scalar.value < 0x80 {
        let isGreat = scalar.value &- 0x41 < 26
        if !FoldingTable.isDropped(scalar.value) { values.append(isGreat ? scalar.value | 0x20 : scalar.value) }
      } else if let quick = table.quickly(scalar) {
        values.append(quick)
      } else if standsForItself(scalar.value) {
        values.append(scalar.value)
      } else {
        for value in table.scalars(of: scalar) {
          hasMarks = hasMarks || Composition.concerns(value)
          values.append(value)
        }
      }
    }
    if hasMarks { Composition.compose(&values) }
    let words = joined(values, keepingSigns: false)
    return words.isEmpty ? joined(values, keepingSigns: true) : words
  }

  /// Ideographs, hiragana, and the dashes and quotation marks of careful people: there are many, and no table is asked.
  private static func standsForItself(_ value: UInt32) -> Bool {
    switch value {
    case 0x4E00...0x9FFF, 0x3041...0x3096, 0x2010...0x2027: true
    default: false
    }
  }

  private static func joined(_ values: [UInt32], keepingSigns: Bool) -> String {
    var text = VisibleText(reserving: 3 * values.count)
    var isEmpty = true
    var waiting = false
    for value in values {
      let part = FoldingTable.part(value)
      if part == .gap || (part == .sign && !keepingSigns) {
        waiting = true
        continue
      }
      if !isEmpty, waiting || part == .ideograph { text.append(0x20) }
      text.append(value)
      (isEmpty, waiting) = (false, part == .ideograph)
    }
    return text.text
  }
}
