import Formats

extension PCMStream {
  /// One channel of `count` frames; `bytes` is its first sample.
  func unpack(_ bytes: UnsafePointer<UInt8>, count: Int, into samples: UnsafeMutablePointer<Int32>) {
    let step = frameBytes
    /// The byte order is settled outside the loop.
    @inline(__always) func each(_ sample: (UnsafeRawPointer) -> Int32) {
      var at = UnsafeRawPointer(bytes)
      for index in 0..<count {
        samples[index] = sample(at)
        at += step
      }
    }
    @inline(__always) func word<Word: FixedWidthInteger>(_ at: UnsafeRawPointer, _: Word.Type) -> Word {
      at.loadUnaligned(as: Word.self)
    }
    switch (encoding, width, bigEndian) {
    case (.unsigned, _, _): each { Int32(Int8(bitPattern: word($0, UInt8.self) ^ 0x80)) &<< 24 }
    case (.signed, 1, _): each { Int32(word($0, Int8.self)) &<< 24 }
    case (.signed, 2, false): each { Int32(word($0, Int16.self)) &<< 16 }
    case (.signed, 2, true): each { Int32(word($0, Int16.self).byteSwapped) &<< 16 }
    case (.signed, 3, false):
      each { Int32(word($0 + 1, Int16.self)) &<< 16 | Int32(word($0, UInt8.self)) &<< 8 }
    case (.signed, 3, true):
      each { Int32(word($0, Int16.self).byteSwapped) &<< 16 | Int32(word($0 + 2, UInt8.self)) &<< 8 }
    case (.signed, _, false): each { word($0, Int32.self) }
    case (.signed, _, true): each { word($0, Int32.self).byteSwapped }
    case (.float, 4, false): each { FloatSample.fixed(Double(Float(bitPattern: word($0, UInt32.self)))) }
    case (.float, 4, true): each { FloatSample.fixed(Double(Float(bitPattern: word($0, UInt32.self).byteSwapped))) }
    case (.float, _, false): each { FloatSample.fixed(Double(bitPattern: word($0, UInt64.self))) }
    case (.float, _, true): each { FloatSample.fixed(Double(bitPattern: word($0, UInt64.self).byteSwapped)) }
    }
  }
}
