/// What the control socket, `--json` and the benches speak. Here because Foundation's costs 15 MB of memory, and
/// because a file's name may be any bytes: what is not UTF-8 lives in `bytes` and is written byte by byte as the lone
/// surrogates U+DC80...U+DCFF, the way Python's `surrogateescape` does it, so nothing is lost there and back.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Never infinite or not-a-number once parsed; written as null when it is.
  case number(Double)
  case text(String)
  /// Text whose bytes are not UTF-8. `JSON(textBytes:)` chooses between this and `text`.
  case bytes([UInt8])
  case list([JSON])
  case object(Object)

  /// Members in the order in which they were written.
  package struct Object: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
      package let key: String
      package var value: JSON
    }

    package private(set) var members: [Member] = []

    package init() {}

    package init(_ members: [(String, JSON)]) {
      for (key, value) in members { self[key] = value }
    }

    /// Setting keeps a known key's place and puts a new one last; nil removes.
    package subscript(key: String) -> JSON? {
      get { members.first { $0.key == key }?.value }
      set {
        guard let place = members.firstIndex(where: { $0.key == key }) else {
          if let newValue { members.append(Member(key: key, value: newValue)) }
          return
        }
        if let newValue { members[place].value = newValue } else { members.remove(at: place) }
      }
    }

    /// For the parser, which has already seen to it that no key comes twice.
    init(distinct members: [Member]) { self.members = members }
  }
}

extension JSON {
  package init(_ whole: some BinaryInteger) { self = .integer(Int64(clamping: whole)) }
  package init(_ flag: Bool) { self = .bool(flag) }
  package init(_ number: Double) { self = .number(number) }
  package init(_ text: String) { self = .text(text) }

  /// `text` when the bytes are UTF-8, else `bytes`.
  package init(textBytes: [UInt8]) {
    if let text = String(validating: textBytes, as: UTF8.self) { self = .text(text) } else { self = .bytes(textBytes) }
  }

  package init(path: FilePath) { self.init(textBytes: path.bytes) }

  /// Nil when it is no text, empty, or has a NUL in it.
  package var path: FilePath? {
    switch self {
    case .text(let text): FilePath(bytes: text.utf8)
    case .bytes(let bytes): FilePath(bytes: bytes)
    default: nil
    }
  }

  /// Text for people: replacement characters stand where the bytes are not UTF-8.
  package var string: String? {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  package var whole: Int64? { if case .integer(let whole) = self { whole } else { nil } }

  package var double: Double? {
    switch self {
    case .integer(let whole): Double(whole)
    case .number(let number): number
    default: nil
    }
  }

  package var truth: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  package var items: [JSON]? { if case .list(let items) = self { items } else { nil } }
  package var members: [Object.Member]? { if case .object(let object) = self { object.members } else { nil } }
  package var isNull: Bool { self == .null }

  /// The member named so; nil when there is none, or this is no object.
  package subscript(key: String) -> JSON? { if case .object(let object) = self { object[key] } else { nil } }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral flag: Bool) { self = .bool(flag) }
  package init(integerLiteral whole: Int64) { self = .integer(whole) }
}

extension JSON: ExpressibleByFloatLiteral, ExpressibleByStringInterpolation {
  package init(floatLiteral number: Double) { self = .number(number) }
  package init(stringLiteral text: String) { self = .text(text) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral items: JSON...) { self = .list(items) }
  package init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}
