import Ciphers
import Formats
import Runtime

/// Seals a track, chunk by chunk, under a key that no other track has.
package struct Sealer: ~Copyable {
  private let header: SealHeader
  private var cipher: AuthenticatedCipher

  package init(_ header: SealHeader, key: borrowing Secret) throws(Fault) {
    // First what may fail: Swift 6.0, which compiles for the boards, crashes otherwise.
    let cipher = try AuthenticatedCipher(header.suite, key: key, .seals)
    self.header = header
    self.cipher = cipher
  }

  /// `write` gets the header, and then each chunk.
  package mutating func seal(
    _ plain: any ByteSource, write: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    try write(header.bytes)
    for number in 0..<header.chunkCount {
      let count = header.plainLength(ofChunk: number)
      let chunk = try plain.peek(count, at: number * Int64(header.chunkLength))
      guard chunk.count == count else {
        throw Fault(.malformed, "E-104", "\(plain.name) became shorter while it was sealed")
      }
      try write(try seal(chunk, number))
    }
  }

  private mutating func seal(_ chunk: [UInt8], _ number: Int64) throws(Fault) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: chunk.count + CipherSuite.tagLength)
    let result = chunk.withUnsafeBytes { plain in
      sealed.withUnsafeMutableBytes { space in
        Result { () throws(Fault) in
          try cipher.seal(
            plain, nonce: SealHeader.nonce(ofChunk: number), beside: header.bound(toChunk: number), into: space)
        }
      }
    }
    try result.get()
    return sealed
  }
}
