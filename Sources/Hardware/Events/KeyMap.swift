import Runtime

/// What each key means. A meaning that was learned on the panel counts first, then one in board.conf, then the usual
/// meaning of such a key (`EventKeys`).
package struct KeyMap: Equatable, Sendable {
  package enum Origin: Int, Sendable {
    case builtIn, board, learned
  }

  /// For a screen: what can be meant, and the keys that mean it.
  package struct Row: Equatable, Sendable {
    package struct Key: Equatable, Sendable {
      package let name: KeyName
      package let from: Origin
    }

    package let meaning: KeyMeaning
    package let keys: [Key]
  }

  private static let builtIn = Dictionary(
    EventKeys.keys.map { ($0.key, $0.meaning) }, uniquingKeysWith: { first, _ in first })

  private var board: [KeyName: KeyMeaning] = [:]
  private var taught: [KeyName: KeyMeaning] = [:]

  package init(board: Settings = Settings(), learned: Settings = Settings()) {
    self.board = Self.meanings(board).keys
    for (key, meaning) in Self.meanings(learned).keys { bind(key, to: meaning) }
  }

  /// Keys that a file gives to two: the first keeps them.
  package static func doubled(in settings: Settings) -> [KeyName] { meanings(settings).doubled }

  private static func meanings(_ settings: Settings) -> (keys: [KeyName: KeyMeaning], doubled: [KeyName]) {
    var (keys, doubled): ([KeyName: KeyMeaning], [KeyName]) = ([:], [])
    for meaning in KeyMeaning.all {
      for key in settings[.keys(meaning.name)] {
        if keys[key] == nil { keys[key] = meaning } else { doubled.append(key) }
      }
    }
    return (keys, doubled)
  }

  /// Nil when nobody has said anything of it.
  package func meaning(of key: KeyName) -> KeyMeaning? { taught[key] ?? board[key] ?? Self.builtIn[key] }

  package func from(_ key: KeyName) -> Origin? {
    if taught[key] != nil { return .learned }
    return board[key] != nil ? .board : Self.builtIn[key].map { _ in .builtIn }
  }

  /// From now on it means that, whatever it meant before.
  package mutating func bind(_ key: KeyName, to meaning: KeyMeaning) {
    // What it means anyway need not be learned, and follows board.conf when that changes.
    taught[key] = (board[key] ?? Self.builtIn[key]) == meaning ? nil : meaning
  }

  package mutating func bind(_ key: KeyName, to button: Button) { bind(key, to: .button(button)) }

  /// From now on it means nothing: it is as free as one that nobody knew.
  package mutating func unbind(_ key: KeyName) {
    taught[key] = (board[key] ?? Self.builtIn[key]) == nil ? nil : .nothing
  }

  /// What was learned of it is forgotten: it means what it did before.
  package mutating func forget(_ key: KeyName) { taught[key] = nil }

  /// All that can be meant, with or without a key.
  package var rows: [Row] {
    let all = Set(Self.builtIn.keys).union(board.keys).union(taught.keys).sorted()
    return KeyMeaning.all.map { meaning in
      Row(
        meaning: meaning,
        keys: all.compactMap { key in
          self.meaning(of: key) == meaning ? from(key).map { Row.Key(name: key, from: $0) } : nil
        })
    }
  }

  /// What was learned, as its file has it.
  package var learned: Settings {
    var settings = Settings()
    for meaning in KeyMeaning.all {
      let keys = taught.filter { $0.value == meaning }.keys.sorted()
      if !keys.isEmpty { settings[.keys(meaning.name)] = keys }
    }
    return settings
  }

  /// Whether a device with these keys and axes (bits, as the kernel gives them) has anything to say here.
  package func isUseful(keys: [UInt8], axes: [UInt8]) -> Bool {
    EventKeys.wheels.contains { Bits.has(Int($0), in: axes) }
      || Bits.keys(in: keys).contains { meaning(of: $0).map { $0 != .nothing } ?? false }
  }
}

/// Sets of codes as the kernel gives them.
enum Bits {
  static func has(_ code: Int, in bits: [UInt8]) -> Bool {
    let byte = code / 8
    return byte < bits.count && bits[byte] >> (code % 8) & 1 == 1
  }

  static func keys(in bits: [UInt8]) -> [KeyName] {
    bits.indices.filter { bits[$0] != 0 }.flatMap { byte in
      (0..<8).compactMap { bits[byte] >> $0 & 1 == 1 ? KeyName(code: byte * 8 + $0) : nil }
    }
  }
}
