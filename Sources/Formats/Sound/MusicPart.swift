import Runtime

/// A piece of a file that is played like a file of its own: a track of a cue sheet. It stands where files stand, in the
/// queue and in lists, as `part:1500-3000:/music/whole.flac`, with the milliseconds at which it begins and ends; without
/// the second it goes on to the file's end. No file is called so, for those begin with a slash.
package struct MusicPart: Hashable, Sendable {
  package let file: FilePath
  package let begin: Duration
  /// Nil: the file's.
  package let end: Duration?

  private static let beginning = Array("part:".utf8)
  private static let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
  /// Digits; a year in milliseconds has eleven.
  private static let longest = 11

  /// Nil for what is nowhere or nothing.
  package init?(of file: FilePath, from begin: Duration, to end: Duration?) {
    guard file.isAbsolute, begin >= .zero, end.map({ $0 > begin }) ?? true else { return nil }
    (self.file, self.begin, self.end) = (file, .milliseconds(begin.milliseconds), end)
  }

  package var address: FilePath {
    let times = "\(begin.milliseconds)-" + (end.map { "\($0.milliseconds)" } ?? "")
    return FilePath(bytes: Array("part:\(times):".utf8) + file.bytes) ?? file
  }

  /// Nil for a file.
  package init?(address: FilePath) {
    guard address.bytes.starts(with: Self.beginning) else { return nil }
    let rest = address.bytes.dropFirst(Self.beginning.count)
    guard let colon = rest.firstIndex(of: Self.colon), let path = FilePath(bytes: rest[(colon + 1)...]) else {
      return nil
    }
    let times = rest[..<colon].split(separator: Self.dash, omittingEmptySubsequences: false)
    guard times.count == 2, let begin = Self.time(times[0]), times[1].isEmpty || Self.time(times[1]) != nil else {
      return nil
    }
    self.init(of: path, from: begin, to: Self.time(times[1]))
  }

  private static func time(_ digits: ArraySlice<UInt8>) -> Duration? {
    guard (1...longest).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return .milliseconds(digits.reduce(0 as Int64) { $0 * 10 + Int64($1 - 0x30) })
  }

  /// The next one is what follows in the file, and was one sound with this.
  package func isFollowed(by next: MusicPart) -> Bool { file == next.file && end == next.begin }
}

extension FilePath {
  /// The file that is opened for what stands in a queue: its own, or the one that it is a part of.
  package var ofFile: FilePath { MusicPart(address: self)?.file ?? self }
}
