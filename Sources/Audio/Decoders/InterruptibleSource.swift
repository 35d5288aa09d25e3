import Formats
import Runtime

/// A file, of which no more is read as soon as something else is to be played. A library may search a damaged file for a
/// long time before it returns; each of them reads on the way, and here it learns that nobody waits for it any more.
final class InterruptibleSource: ByteSource {
  private let source: any ByteSource
  private let help: ForeignHelp
  private var unasked = 0

  /// Bytes that are read between two questions: a millisecond of a search, three of a slow card.
  static let step = 64 << 10
  /// A short read counts as so many bytes: thousands of them are work too.
  private static let leastPerRead = 512

  init(_ source: any ByteSource, _ help: ForeignHelp) { (self.source, self.help) = (source, help) }

  var name: String { source.name }
  var length: Int64? { source.length }
  var isComing: Bool { source.isComing }
  var duration: Duration? { source.duration }
  var position: Int64 { source.position }
  func isWhole() throws(Fault) -> Bool { try source.isWhole() }
  func seek(to position: Int64) throws(Fault) { try source.seek(to: position) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    if unasked >= Self.step {
      unasked = 0
      if help.mustStop() { throw .givenUp(name) }
    }
    let got = try source.read(into: buffer)
    unasked += max(got, Self.leastPerRead)
    return got
  }
}
