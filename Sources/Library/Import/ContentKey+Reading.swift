import Files
import Glibc
import Runtime

extension ContentKey {
  /// Bytes of each of three parts: at the beginning, in the middle and at the end of the sound. A file that has no more
  /// than all three is read whole.
  static let part = 32_768
  /// Never to be changed: what is kept is known by it.
  private static let key: (UInt64, UInt64) = (0x4C61_7962_792D_6B65, 0x792D_6F66_2D73_6F75)

  /// Of the sound in `audio`, by `buffer`, which holds one part. Nil when there is no sound.
  init?(
    _ file: Int32, _ audio: Range<Int64>, _ name: FilePath, buffer: UnsafeMutableRawBufferPointer
  ) throws(Fault) {
    guard !audio.isEmpty, audio.lowerBound >= 0, buffer.count >= Self.part else { return nil }
    var hash = SipHash(Self.key)
    let (length, part) = (Int64(audio.count), Int64(Self.part))
    hash.add(length)
    let starts: [Int64] =
      length <= 3 * part
      ? Array(stride(from: 0, to: length, by: Int(part)))
      : [0, (length - part) / 2, length - part]
    for start in starts {
      let from = audio.lowerBound + start
      let count = Int(min(part, audio.upperBound - from))
      let got = try Self.read(file, at: from, buffer, count, name)
      hash.add(UnsafeRawBufferPointer(start: buffer.baseAddress, count: got))
    }
    (upper, lower) = hash.finish()
  }

  private static func read(
    _ file: Int32, at offset: Int64, _ buffer: UnsafeMutableRawBufferPointer, _ count: Int, _ name: FilePath
  ) throws(Fault) -> Int {
    var got = 0
    while got < count {
      let more = pread(file, buffer.baseAddress.map { $0 + got }, count - got, off_t(offset) + off_t(got))
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw Fault.system("L-402", doing: "read \(name)") }
      if more == 0 { break }
      got += more
    }
    return got
  }
}
