import Formats
import Runtime
import Synchronization

@testable import Audio

/// A file that grows while it is played: each decoder on what comes in pieces, whose length is known at once, later or
/// never, and whose line breaks. The last byte says which of these.
@Sendable func growing(_ bytes: [UInt8]) {
  guard let choice = bytes.last.map({ Int($0) }) else { return }
  let file = ComingFile(
    bytes, piece: [64 << 10, 61, 700, 4_096, 1_500][choice % 5],
    length: [Int64(bytes.count), nil, Int64(bytes.count) * 2 + 1][choice / 5 % 3],
    failsAt: [.max, 3, 40][choice / 15 % 3], isWholeAfter: choice / 45 % 3)
  if let decoder = try? openDecoder(file, asking: nobody) { play(decoder) }
}

@Sendable func growingOgg(_ bytes: [UInt8]) { growing(OggSums.mend(bytes)) }

/// No program decodes what ours refuses.
private let nobody: ForeignHelp = {
  var help = ForeignHelp()
  help.program = nil
  return help
}()

/// The file's beginning, then zeros (a picture that nobody has to fetch), then the rest. The first three bytes say where
/// and how many. What is left out is never what is heard: the decoder of a stream gives the frames that the whole file
/// has.
@Sendable func shortHead(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let content = bytes.dropFirst(3)
  let place = min(Int(bytes[0]) << 8 | Int(bytes[1]), content.count)
  let zeros = [UInt8](repeating: 0, count: Int(bytes[2]) << 12)
  let whole = Array(content.prefix(place)) + zeros + Array(content.dropFirst(place))
  let file = ComingFile(whole, piece: 64 << 10, length: Int64(whole.count), failsAt: .max, isWholeAfter: .max)
  guard let start = try? FileStart(ComingSource(file, nobody)) else { return }
  if let head = start.shortTag {
    check(head, whole)
    precondition(ID3v2.length(head.bytes) == Int64(head.bytes.count), "a tag that says another length")
  }
  if start.music.starts(with: "fLaC".utf8), let head = try? ShortHead(flac: start.source, from: start.tagLength) {
    check(head, whole)
    precondition(head.bytes.starts(with: "fLaC".utf8), "a FLAC file that does not begin as one")
  }
  guard let short = try? openDecoder(file, asking: nobody) else { return }
  precondition(short.tags.raw.count <= 200, "more tags than there may be")
  play(short)
}

private func check(_ head: ShortHead, _ whole: [UInt8]) {
  precondition(head.bytes.count <= 1 << 20 + 32 << 10, "a head that grows without end")
  precondition(head.rest - Int64(head.bytes.count) >= ShortHead.worthwhile, "little is spared")
  // The place may lie behind the end of a file that was cut off, not at its beginning.
  precondition(head.rest > 0, "the music begins nowhere")
}

/// Told at once, on the thread that asks.
private final class ComingFile: ComingBytes {
  private let bytes: [UInt8]
  private let piece: Int
  let length: Int64?
  private let failsAt: Int
  private let isWholeAfter: Int
  private let asked = Mutex(0)
  private let looked = Mutex(0)

  /// So often one of these small files is asked for a piece at most, however it is damaged.
  private static let mostAsked = 100_000

  init(_ bytes: [UInt8], piece: Int, length: Int64?, failsAt: Int, isWholeAfter: Int) {
    (self.bytes, self.piece, self.length) = (bytes, piece, length)
    (self.failsAt, self.isWholeAfter) = (failsAt, isWholeAfter)
  }

  var name: String { "made up" }

  func read(at offset: Int64, most count: Int, then: @escaping @Sendable (Result<[UInt8], Fault>) -> Void) {
    let asked = asked.withLock { asked -> Int in
      asked += 1
      return asked
    }
    precondition(offset >= 0 && count > 0, "it asks for nothing, or for what is before the beginning")
    precondition(asked <= Self.mostAsked, "it asks without an end")
    guard asked < failsAt else { return then(.failure(Fault(.passing, "A-999", "the line broke"))) }
    guard offset < Int64(bytes.count) else { return then(.success([])) }
    then(.success(Array(bytes[Int(offset)...].prefix(min(count, piece)))))
  }

  func askIfWhole(then: @escaping @Sendable (Bool) -> Void) {
    let looked = looked.withLock { looked -> Int in
      looked += 1
      return looked
    }
    then(looked > isWholeAfter)
  }
}
