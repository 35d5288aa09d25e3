/// What bytes say about being UTF-8.
enum UTF8Bytes {
  /// How many bytes at the end begin a character that is not there whole.
  static func cutOff(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    for back in 1...3 where back <= bytes.count {
      switch bytes[bytes.count - back] {
      case 0x80..<0xC0: continue
      case 0xC2...0xDF: return back < 2 ? back : 0
      case 0xE0...0xEF: return back < 3 ? back : 0
      case 0xF0...0xF4: return back
      default: return 0
      }
    }
    return 0
  }

  enum Verdict { case ascii, wide, broken }

  /// `wide` when there is at least one whole character of several bytes, and nothing that is not valid but a last
  /// character cut off.
  static func verdict(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return .ascii }
    let whole = UnsafeBufferPointer(rebasing: bytes.dropLast(cutOff(bytes)))
    guard whole.contains(where: { $0 >= 0x80 }) else { return .broken }
    var decoder = UTF8()
    var rest = whole.makeIterator()
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue: continue
      case .emptyInput: return .wide
      case .error: return .broken
      }
    }
  }
}
