import Runtime

/// The files with new versions that lie in a folder, by their names: `layby-BOARD-VERSION.layby`.
package enum UpdateFile {
  /// The newest one for a board, by the version in its name. `board`: as the image calls it, such as
  /// `layby-raspberry-pi`; nil takes any board's, and the system refuses what is not this one's.
  package static func newest(among names: [String], for board: String?) -> String? {
    let begin = "\(board ?? "layby")-"
    let files = names.filter { $0.hasPrefix(begin) && $0.hasSuffix(ending) }
    return files.max { isOlder(version($0, behind: begin), than: version($1, behind: begin)) }
  }

  /// The image's own word for its board, from the text of its `update.conf`.
  package static func board(in text: String) -> String? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("compatible=") }
    return line.map { String($0.dropFirst("compatible=".count)) }
  }

  private static let ending = ".layby"

  private static func version(_ name: String, behind begin: String) -> [Piece] {
    var pieces: [Piece] = []
    for sign in name.dropFirst(begin.count).dropLast(ending.count) {
      let digit = sign.isASCII ? sign.wholeNumberValue : nil
      switch (pieces.last, digit) {
      case (.number(let number)?, let digit?):
        let isOver = number > (Int.max - 9) / 10
        pieces[pieces.count - 1] = .number(isOver ? number : number * 10 + digit)
      case (_, let digit?): pieces.append(.number(digit))
      case (.text(let text)?, nil): pieces[pieces.count - 1] = .text("\(text)\(sign)")
      case (_, nil): pieces.append(.text("\(sign)"))
      }
    }
    return pieces
  }

  private enum Piece: Equatable {
    case number(Int)
    case text(String)
  }

  /// Numbers by their value, so that 1.10 is newer than 1.9; what is longer is newer, but for what begins with `~`.
  private static func isOlder(_ one: [Piece], than other: [Piece]) -> Bool {
    for (piece, against) in zip(one, other) where piece != against {
      switch (piece, against) {
      case (.number(let number), .number(let against)): return number < against
      case (.text(let text), .text(let against)): return text < against
      case (.text, .number): return true
      case (.number, .text): return false
      }
    }
    guard one.count != other.count else { return false }
    let rest = one.count < other.count ? other[one.count] : one[other.count]
    let isForecast = if case .text(let text) = rest { text.hasPrefix("~") } else { false }
    return (one.count < other.count) != isForecast
  }
}
