@testable import Audio

private func number(_ value: UInt64, _ width: Int, bigEndian: Bool = false) -> [UInt8] {
  (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (bigEndian ? width - 1 - $0 : $0))) }
}

/// A WAV file byte by byte, right in everything that was not asked to be wrong.
struct WaveBytes {
  var data: [UInt8]
  var codec: UInt64
  var width: Int
  var rate: UInt64
  var channels: UInt64
  var bits: UInt64
  var extensible = false
  var mask: UInt32 = 0
  var padded = true
  var form = "RIFF"
  var outerLength: UInt32?
  var dataLength: UInt32?
  /// In place of the usual two.
  var chunks: [(String, [UInt8])]?

  init(_ signal: Signal, width: Int? = nil, floats: Int? = nil) {
    self.width = floats ?? width ?? (signal.bits + 7) / 8
    data =
      floats.map { signal.floats(width: $0) } ?? signal.packed(unsigned: signal.bits <= 8, width: self.width)
    codec = floats == nil ? 1 : 3
    rate = UInt64(signal.rate)
    channels = UInt64(signal.channels)
    bits = UInt64(floats.map { 8 * $0 } ?? signal.bits)
  }

  /// What is inside "fmt ".
  var format: [UInt8] {
    let said = extensible ? UInt64(8 * width) : bits
    var format = number(extensible ? 0xFFFE : codec, 2) + number(channels, 2) + number(rate, 4)
    format += number(rate &* channels &* UInt64(width), 4) + number(channels &* UInt64(width), 2) + number(said, 2)
    if extensible {
      format += number(22, 2) + number(bits, 2) + number(UInt64(mask), 4) + number(codec, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    return format
  }

  var bytes: [UInt8] {
    var inside = Array("WAVE".utf8)
    for (name, content) in chunks ?? [("fmt ", format), ("data", data)] {
      let length = name == "data" ? dataLength ?? UInt32(content.count) : UInt32(content.count)
      inside += Array(name.utf8) + number(UInt64(length), 4) + content
      if padded && content.count % 2 == 1 { inside.append(0) }
    }
    return Array(form.utf8) + number(UInt64(outerLength ?? UInt32(inside.count)), 4) + inside
  }

  static func info(_ texts: KeyValuePairs<String, String>) -> [UInt8] {
    texts.reduce(Array("INFO".utf8)) { list, text in
      let value = Array(text.value.utf8) + [0]
      return list + Array(text.key.utf8) + number(UInt64(value.count), 4) + value + (value.count % 2 == 1 ? [0] : [])
    }
  }
}

/// The same for AIFF; `codec` "AIFF" makes the older kind, which has none.
struct AIFFBytes {
  var codec: String
  var data: [UInt8]
  var channels: UInt64
  var frames: UInt64
  var bits: UInt64
  var rate: [UInt8]
  var offset: UInt64 = 0
  var soundLength: UInt32?
  var extra: [(String, [UInt8])] = []

  init(_ signal: Signal, codec: String) {
    self.codec = codec
    data =
      switch codec {
      case "fl32", "FL32": signal.floats(bigEndian: true)
      case "fl64", "FL64": signal.floats(bigEndian: true, width: 8)
      default: signal.packed(bigEndian: !["sowt", "42ni", "23ni"].contains(codec), unsigned: codec == "raw ")
      }
    channels = UInt64(signal.channels)
    frames = UInt64(signal.frames)
    bits = UInt64(signal.bits)
    let zeros = UInt64(signal.rate).leadingZeroBitCount
    rate = number(UInt64(16_383 + 63 - zeros), 2, bigEndian: true)
    rate += number(UInt64(signal.rate) << UInt64(zeros), 8, bigEndian: true)
  }

  var common: [UInt8] {
    number(channels, 2, bigEndian: true) + number(frames, 4, bigEndian: true) + number(bits, 2, bigEndian: true) + rate
      + (codec == "AIFF" ? [] : Array(codec.utf8) + [0, 0])
  }

  var bytes: [UInt8] {
    var inside = Array((codec == "AIFF" ? "AIFF" : "AIFC").utf8)
    let gap = [UInt8](repeating: 0x77, count: Int(min(offset, 1_000)))
    let sound = number(offset, 4, bigEndian: true) + number(0, 4) + gap + data
    for (name, content) in [("COMM", common)] + extra + [("SSND", sound)] {
      let length = name == "SSND" ? soundLength ?? UInt32(content.count) : UInt32(content.count)
      inside += Array(name.utf8) + number(UInt64(length), 4, bigEndian: true) + content
      if content.count % 2 == 1 { inside.append(0) }
    }
    return Array("FORM".utf8) + number(UInt64(inside.count), 4, bigEndian: true) + inside
  }
}

/// An ID3 tag of version 2.4, its texts in UTF-8. Descriptions are divided from their texts by a zero.
struct ID3Bytes {
  var bytes: [UInt8]

  init(_ frames: KeyValuePairs<String, String>) {
    var inside: [UInt8] = []
    for (name, text) in frames {
      // Comments say their language.
      let content = [3] + (name == "COMM" ? Array("eng".utf8) : []) + Array(text.utf8)
      inside += Array(name.utf8) + Self.sevenBits(content.count) + [0, 0] + content
    }
    bytes = Array("ID3".utf8) + [4, 0, 0] + Self.sevenBits(inside.count) + inside
  }

  private static func sevenBits(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
  }
}
