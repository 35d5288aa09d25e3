import Runtime

/// What came out of the board's sound card, as the other end of the loop has it: bytes as they were written.
package struct Recording: Sendable {
  package let rate: Int
  package let channels: Int
  /// As ALSA names it.
  package let format: String
  package let bytes: [UInt8]

  package init(rate: Int, channels: Int, format: String, bytes: [UInt8]) {
    self.rate = rate
    self.channels = channels
    self.format = format
    self.bytes = bytes
  }

  /// The samples in the lowest bits of 32, channel by channel; nil in a format that is not known here.
  package var samples: [Int32]? {
    switch format {
    case "S16_LE": words(2).map { Int32(Int16(truncatingIfNeeded: $0)) }
    case "S24_3LE": words(3).map { Int32(bitPattern: $0 << 8) >> 8 }
    case "S24_LE": words(4).map { Int32(bitPattern: $0 << 8) >> 8 }
    case "S32_LE": words(4).map { Int32(bitPattern: $0) }
    default: nil
    }
  }

  /// 16-bit samples, when each is one: in a wider format the rest must be zero.
  package var samples16: [Int16]? {
    let below = ["S16_LE": 0, "S24_3LE": 8, "S24_LE": 8, "S32_LE": 16][format] ?? 0
    guard let samples, samples.allSatisfy({ $0 & (1 << below - 1) == 0 }) else { return nil }
    return samples.map { Int16(truncatingIfNeeded: $0 >> below) }
  }

  private func words(_ size: Int) -> [UInt32] {
    stride(from: 0, to: bytes.count / size * size, by: size).map { start in
      (0..<size).reversed().reduce(0) { $0 << 8 | UInt32(bytes[start + $1]) }
    }
  }

  package var isSilent: Bool { bytes.allSatisfy { $0 == 0 } }
}

extension VirtualBoard {
  /// Records what is being played. Both ends of the loop have one format, which the player has chosen.
  package func hears(seconds: Int) throws(Fault) -> Recording {
    let (words, empty) = try loopFormat()
    let ran = try shell(
      "arecord \(words) -d \(seconds) /tmp/heard && cat /tmp/heard && rm /tmp/heard",
      within: .seconds(seconds * 4 + 60))
    guard ran.code == 0 else { throw Fault(.passing, "V-195", "arecord ended with \(ran.code): \(ran.line)") }
    return Recording(rate: empty.rate, channels: empty.channels, format: empty.format, bytes: ran.bytes)
  }

  /// Records what is played while `body` does something.
  package func hears(while body: () throws -> Void) throws -> Recording {
    let (words, empty) = try loopFormat()
    try start("exec arecord \(words) /tmp/heard", into: "/tmp/arecord")
    try waitUntil("arecord runs") { () throws(Fault) in
      try shell("grep -q RUNNING /proc/asound/Loop/pcm1c/sub0/status").code == 0
    }
    try body()
    try says("pkill -INT -x arecord; while pidof arecord > /dev/null; do sleep 0.1; done")
    let bytes = try shell("cat /tmp/heard && rm /tmp/heard", within: .seconds(300)).bytes
    return Recording(rate: empty.rate, channels: empty.channels, format: empty.format, bytes: bytes)
  }

  /// As arecord wants it said.
  private func loopFormat() throws(Fault) -> (words: String, empty: Recording) {
    let said = try says("cat /proc/asound/Loop/pcm0p/sub0/hw_params")
    var values: [String: String] = [:]
    for line in said.split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count > 1 { values[String(parts[0].dropLast())] = String(parts[1]) }
    }
    guard let format = values["format"], let rate = values["rate"].flatMap(Int.init),
      let channels = values["channels"].flatMap(Int.init)
    else { throw Fault(.missing, "V-194", "nothing is being played: \(said)") }
    let words = "-q -D hw:Loop,1,0 -B 4000000 -t raw -f \(format) -r \(rate) -c \(channels)"
    return (words, Recording(rate: rate, channels: channels, format: format, bytes: []))
  }
}
