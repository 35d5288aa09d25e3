/// Bytes of a terminal in, keys out: ECMA-48 sequences as xterm, screen and the Linux console send them.
///
/// It sees one byte at a time, so it cannot matter how the bytes were cut into reads. What it does not know it skips
/// to its end: unknown sequences, answers of the terminal, letters held with Alt, and characters beyond ASCII. Ctrl-C
/// is a key in every state, because it is how a person gets out.
package struct KeyParser: Sendable {
  private enum State: Equatable {
    case ground
    /// ESC alone: a key, or the beginning of more. A following byte or `pause` decides.
    case escape
    /// ESC O and one more: cursor keys in application mode.
    case singleShift
    /// ESC [ and parameters.
    case control([UInt8])
    /// ESC [ [ and one more: the Linux console's function keys.
    case consoleFunction
    /// ESC ] P _ ^ X, up to BEL or ESC \: something the terminal tells programs.
    case message(length: Int)
  }

  private var state = State.ground

  /// Parameters longer than any key's are not kept, messages longer than any answer's not waited out.
  private static let parameterLimit = 16
  private static let messageLimit = 4096

  package init() {}

  /// Something has begun and may go on: call `pause` when nothing came for a while.
  package var isWaiting: Bool { state != .ground }

  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { take($0) }
  }

  /// Nothing came for so long that no sequence can be meant: a lone ESC was the key, what else had begun is skipped.
  package mutating func pause() -> Key? {
    defer { state = .ground }
    return state == .escape ? .escape : nil
  }

  package mutating func take(_ byte: UInt8) -> Key? {
    if byte == Byte.interrupt || byte == Byte.cancel || byte == Byte.substitute {
      state = .ground
      return byte == Byte.interrupt ? .control("c") : nil
    }
    switch state {
    case .ground: return begin(byte)
    case .escape: return afterEscape(byte)
    case .singleShift:
      state = .ground
      return byte == Byte.escape ? begin(byte) : Self.cursorKey(byte)
    case .control(let parameters): return afterControl(byte, parameters)
    case .consoleFunction:
      state = .ground
      return byte == Byte.escape ? begin(byte) : nil
    case .message(let length):
      if byte == Byte.escape { return begin(byte) }
      state = byte == Byte.bell || length >= Self.messageLimit ? .ground : .message(length: length + 1)
      return nil
    }
  }

  private mutating func begin(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case Byte.escape:
      state = .escape
      return nil
    case 0x0A, 0x0D: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x01...0x1A: return .control(Unicode.Scalar(byte + 0x60))
    case 0x20...0x7E: return .character(Unicode.Scalar(byte))
    default: return nil
    }
  }

  private mutating func afterEscape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      state = .message(length: 0)
    // Twice: the first was the key.
    case Byte.escape: return .escape
    // Held with Alt, or the end of a message.
    default: state = .ground
    }
    return nil
  }

  private mutating func afterControl(_ byte: UInt8, _ parameters: [UInt8]) -> Key? {
    switch byte {
    case 0x20...0x3F:
      // One too many is kept, and no key has so many.
      if parameters.count <= Self.parameterLimit { state = .control(parameters + [byte]) }
      return nil
    case UInt8(ascii: "[") where parameters.isEmpty:
      state = .consoleFunction
      return nil
    case 0x40...0x7E:
      state = .ground
      return Self.key(parameters, byte)
    // No sequence goes on with this: it belongs to what comes next.
    default: return begin(byte)
    }
  }

  /// A modifier (`1;5A`: with Ctrl) does not make it another key.
  private static func key(_ parameters: [UInt8], _ last: UInt8) -> Key? {
    guard parameters.count <= parameterLimit,
      parameters.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") })
    else { return nil }
    guard last == UInt8(ascii: "~") else { return cursorKey(last) }
    let number = parameters.prefix { $0 != UInt8(ascii: ";") }
    switch String(decoding: number, as: UTF8.self) {
    case "1", "7": return .home
    case "4", "8": return .end
    case "3": return .delete
    case "5": return .pageUp
    case "6": return .pageDown
    default: return nil
    }
  }

  private static func cursorKey(_ last: UInt8) -> Key? {
    switch last {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  private enum Byte {
    static let interrupt: UInt8 = 0x03
    static let bell: UInt8 = 0x07
    static let cancel: UInt8 = 0x18
    static let substitute: UInt8 = 0x1A
    static let escape: UInt8 = 0x1B
  }
}
