import Runtime

/// A part of a file that somebody listens to before what stands in front of it has come: asked for by its range, kept
/// in memory and let go of as it is read. Its bytes are played and never written: of the file itself only whole
/// beginnings are believed.
final class StreamWindow {
  /// Two may begin at the same byte, one after the other.
  let number: Int
  /// The byte it was asked from.
  let start: Int64
  /// Where `bytes` begins.
  private(set) var base: Int64
  private var bytes: [UInt8] = []
  var running: (any MediaFetch)?
  /// The server has said that the right bytes come.
  private var isRight = false
  private(set) var hasEnded = false
  /// Nothing of it ever came.
  private(set) var isEmpty = true

  init(_ number: Int, from start: Int64) { (self.number, self.start, base) = (number, start, start) }

  private var end: Int64 { base + Int64(bytes.count) }
  /// A reader up to this many bytes past the window waits for them instead of opening a new one.
  private static let reach: Int64 = 64 << 10

  /// It has that byte, or is about to.
  func covers(_ place: Int64) -> Bool { place >= base && place <= (hasEnded ? end - 1 : end + Self.reach) }

  /// False: these bytes are not what was asked for.
  func heard(_ answer: MediaResponse, of record: DownloadRecord) -> Bool {
    isRight = Self.isRight(answer, from: start, of: record)
    return isRight
  }

  func took(_ new: [UInt8]) {
    guard isRight, !new.isEmpty else { return }
    bytes += new
    isEmpty = false
  }

  func ended() { hasEnded = true }

  /// Nil while there are none. What stands before them is not kept.
  func read(at place: Int64, most count: Int) -> [UInt8]? {
    guard place >= base, place < end else { return nil }
    let gone = Int(place - base)
    let taken = Array(bytes[gone..<min(gone + max(count, 0), bytes.count)])
    bytes.removeFirst(gone + taken.count)
    base = place + Int64(taken.count)
    running?.credit(gone + taken.count)
    return taken
  }

  func stop() {
    running?.stop()
    running = nil
  }

  /// That part of that version. With a sum known, a server may name every visit's version anew.
  static func isRight(_ answer: MediaResponse, from start: Int64, of record: DownloadRecord) -> Bool {
    guard answer.status == 206, !answer.isEncoded, !answer.isPage, !answer.isOtherText, !answer.isInParts,
      case .part(let first, _, let total)? = answer.range, first == start
    else { return false }
    if let total, let size = record.size, total != size { return false }
    guard record.hash == nil else { return true }
    guard let tag = answer.tag, !tag.isWeak, let own = record.tag else { return false }
    return tag.text == own
  }
}
