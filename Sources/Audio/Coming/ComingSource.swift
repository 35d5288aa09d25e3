import Formats
import Runtime

/// What grows, as decoders read it. Who waits for bytes is the decode thread alone, and as soon as something else is to
/// be played it waits no more.
///
/// Decoders ask for little at a time, and go back and forth when they open a file or seek in it: what was fetched last is
/// kept, and not asked for again.
final class ComingSource: ByteSource {
  private let bytes: any ComingBytes
  private let help: ForeignHelp
  private var chunks: [Chunk] = []
  private var isAllHere = false
  private(set) var position: Int64 = 0

  private struct Chunk {
    var start: Int64
    var bytes: [UInt8]

    func has(_ place: Int64) -> Bool { place >= start && place - start < Int64(bytes.count) }
  }

  /// Asked for in one go: half a second of lossless music.
  static let chunk = 64 << 10
  private static let mostChunks = 6

  init(_ bytes: any ComingBytes, _ help: ForeignHelp) { (self.bytes, self.help) = (bytes, help) }

  var name: String { bytes.name }
  var length: Int64? { bytes.length }
  var isComing: Bool { true }
  var duration: Duration? { bytes.duration }

  func isWhole() throws(Fault) -> Bool {
    if isAllHere { return true }
    let answer = try Awaited<Bool>()
    bytes.askIfWhole { answer.give(.success($0)) }
    guard let found = answer.wait(help) else { throw .givenUp(name) }
    isAllHere = try found.get()
    return isAllHere
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    if buffer.isEmpty { return 0 }
    if let length, position >= length { return 0 }
    let chunk = try holding(position)
    let first = Int(position - chunk.start)
    let count = min(buffer.count, chunk.bytes.count - first)
    guard count > 0 else { return 0 }
    chunk.bytes.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first..<first + count]))
    }
    position += Int64(count)
    return count
  }

  func seek(to position: Int64) throws(Fault) {
    self.position = try place(at: position)
  }

  /// Empty at the end.
  private func holding(_ place: Int64) throws(Fault) -> Chunk {
    if let index = chunks.lastIndex(where: { $0.has(place) }) {
      // The last one used is the last to go.
      let chunk = chunks.remove(at: index)
      chunks.append(chunk)
      return chunk
    }
    let answer = try Awaited<[UInt8]>()
    bytes.read(at: place, most: Self.chunk) { answer.give($0) }
    guard let found = answer.wait(help) else { throw .givenUp(name) }
    let chunk = Chunk(start: place, bytes: try found.get())
    if chunk.bytes.isEmpty { return chunk }
    if chunks.count == Self.mostChunks { chunks.removeFirst() }
    chunks.append(chunk)
    return chunk
  }
}
