/// What the control socket, `--json` and the benches speak. Here because Foundation's costs 15 MB of memory, and
/// because a file's name may be any bytes: what is not UTF-8 lives in `bytes` and is written byte by byte as the lone
/// surrogates U+DC80...U+DCFF, the way Python's `surrogateescape` does it, so nothing is lost there and back.
package enum JSON: Sendable {
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
    /// Keys are compared byte by byte.
    package struct Member: Equatable, Sendable {
      fileprivate let exactKey: ExactText
      package var key: String { exactKey.text }
      package var value: JSON

      package init(key: String, value: JSON) { (exactKey, self.value) = (ExactText(key), value) }
    }

    package private(set) var members: [Member] = []

    package init() {}

    package init(_ members: [(String, JSON)]) {
      for (key, value) in members { self[key] = value }
    }

    /// Setting keeps a known key's place and puts a new one last; nil removes.
    package subscript(key: String) -> JSON? {
      get {
        let key = ExactText(key)
        return members.first { $0.exactKey == key }?.value
      }
      set {
        let exact = ExactText(key)
        guard let place = members.firstIndex(where: { $0.exactKey == exact }) else {
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

extension JSON: Equatable {
  /// Texts are equal when their bytes are.
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.integer, _), (.number, _), (.text, _), (.bytes, _), (.list, _), (.object, _): false
    }
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
