import Ciphers
import Formats
import Runtime

/// Gives the key of a sealed track that may be played now, and throws the reason for one that may not.
package protocol TrackKeys: Sendable {
  func key(_ id: KeyID, of name: String) throws(Fault) -> Secret
}

/// A sealed track, as the plain one that is in it. It opens chunk by chunk as it is read, from anywhere, also while the
/// rest is still coming.
package final class OpeningSource: ByteSource {
  private let sealed: any ByteSource
  private let header: SealHeader
  private var cipher: AuthenticatedCipher
  private let sealedChunk: UnsafeMutableRawBufferPointer
  /// The first chunk is asked for again and again while a track starts.
  private var head: Chunk
  /// The one that was read last.
  private var held: Chunk
  package private(set) var position: Int64 = 0

  private struct Chunk {
    let space: UnsafeMutableRawBufferPointer
    var number: Int64 = -1
    var count = 0

    init(_ length: Int) { space = .allocate(byteCount: length, alignment: 16) }
  }

  package init(_ sealed: any ByteSource, _ header: SealHeader, key: borrowing Secret) throws(Fault) {
    // A sealed track that was cut off is told apart from one that is still coming.
    if !sealed.isComing, let length = sealed.length, length != header.sealedLength {
      throw Fault(
        .damaged, "E-105", "\(sealed.name) has \(length) bytes where its seal says \(header.sealedLength)")
    }
    (self.sealed, self.header) = (sealed, header)
    cipher = try AuthenticatedCipher(header.suite, key: key, .opens)
    sealedChunk = .allocate(byteCount: header.chunkLength + CipherSuite.tagLength, alignment: 16)
    (head, held) = (Chunk(header.chunkLength), Chunk(header.chunkLength))
  }

  deinit {
    for space in [sealedChunk, head.space, held.space] { space.deallocate() }
  }

  package var name: String { sealed.name }
  package var length: Int64? { header.plainLength }
  package var isComing: Bool { sealed.isComing }
  package func isWhole() throws(Fault) -> Bool { try sealed.isWhole() }
  package var duration: Duration? { sealed.duration }

  package func seek(to position: Int64) throws(Fault) {
    guard position >= 0 else {
      throw Fault(.malformed, "E-109", "\(name) has no byte \(position)")
    }
    self.position = position
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard position < header.plainLength, !buffer.isEmpty else { return 0 }
    let number = header.chunk(at: position)
    let chunk = try chunk(number)
    let begin = Int(position - number * Int64(header.chunkLength))
    let count = min(buffer.count, chunk.count - begin)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk.space[begin..<begin + count]))
    position += Int64(count)
    return count
  }

  private func chunk(_ number: Int64) throws(Fault) -> Chunk {
    if head.number == number { return head }
    if held.number == number { return held }
    if number == 0 {
      try open(number, into: &head)
      return head
    }
    try open(number, into: &held)
    return held
  }

  private func open(_ number: Int64, into chunk: inout Chunk) throws(Fault) {
    chunk.number = -1
    let count = header.plainLength(ofChunk: number)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: sealedChunk[..<(count + CipherSuite.tagLength)])
    try sealed.seek(to: header.place(ofChunk: number))
    var filled = 0
    while filled < bytes.count {
      let got = try sealed.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
      guard got > 0 else {
        throw Fault(.damaged, "E-106", "\(name) ends within chunk \(number) of \(header.chunkCount)")
      }
      filled += got
    }
    let isOpen = cipher.open(
      UnsafeRawBufferPointer(bytes), nonce: SealHeader.nonce(ofChunk: number), beside: header.bound(toChunk: number),
      into: UnsafeMutableRawBufferPointer(rebasing: chunk.space[..<count]))
    guard isOpen else {
      throw Fault(.damaged, "E-107", "chunk \(number) of \(name) is not what was sealed")
    }
    (chunk.number, chunk.count) = (number, count)
  }
}

/// What a sealed source opens to; plain ones as they are. Without `keys` nothing sealed is opened.
package func unsealed(_ source: any ByteSource, by keys: (any TrackKeys)?) throws(Fault) -> any ByteSource {
  let first = try source.peek(SealHeader.length, at: 0)
  try source.seek(to: 0)
  guard let header = try SealHeader(first, of: source.name) else { return source }
  guard let keys else {
    throw Fault(.denied, "E-108", "\(source.name) is sealed, and is opened only to be played on a sound device")
  }
  return try OpeningSource(source, header, key: keys.key(header.key, of: source.name))
}
