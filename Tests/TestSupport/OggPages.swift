/// An Ogg file as its pages, for tests that tear it apart and lie about it.
package struct OggPages: Sendable {
  package struct Page: Equatable, Sendable {
    package var flags: UInt8
    package var granule: Int64
    package var serial: UInt32
    package var sequence: UInt32
    package var lacing: [UInt8]
    package var body: [UInt8]

    package static let continued: UInt8 = 1
    package static let first: UInt8 = 2
    package static let last: UInt8 = 4

    /// With the sum that makes it valid.
    package var bytes: [UInt8] {
      var bytes = Array("OggS".utf8) + [0, flags]
      func put(_ number: UInt64, _ width: Int) {
        for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
      }
      put(UInt64(bitPattern: granule), 8)
      put(UInt64(serial), 4)
      put(UInt64(sequence), 4)
      put(0, 4)
      bytes.append(UInt8(truncatingIfNeeded: lacing.count))
      bytes += lacing + body
      let sum = OggPages.sum(bytes)
      for byte in 0..<4 { bytes[22 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
      return bytes
    }

    /// One whole packet.
    package init(packet: [UInt8], flags: UInt8 = 0, granule: Int64 = 0, serial: UInt32 = 1, sequence: UInt32 = 0) {
      self.flags = flags
      self.granule = granule
      self.serial = serial
      self.sequence = sequence
      lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
      body = packet
    }

    package init(_ bytes: ArraySlice<UInt8>) {
      func number(_ at: Int, _ width: Int) -> UInt64 {
        (0..<width).reduce(0) { $0 | UInt64(bytes[bytes.startIndex + at + $1]) << UInt64(8 * $1) }
      }
      flags = UInt8(number(5, 1))
      granule = Int64(bitPattern: number(6, 8))
      serial = UInt32(number(14, 4))
      sequence = UInt32(number(18, 4))
      let segments = Int(number(26, 1))
      lacing = Array(bytes.dropFirst(27).prefix(segments))
      body = Array(bytes.dropFirst(27 + segments).prefix(lacing.reduce(0) { $0 + Int($1) }))
    }

    /// The packets of a page that holds only whole ones.
    package var packets: [[UInt8]] {
      var packets: [[UInt8]] = [[]]
      var at = 0
      for length in lacing {
        packets[packets.count - 1] += body[at..<at + Int(length)]
        at += Int(length)
        if length < 255 { packets.append([]) }
      }
      return packets.filter { !$0.isEmpty }
    }
  }

  package var pages: [Page] = []

  package init(_ bytes: [UInt8]) {
    var at = 0
    while at + 27 <= bytes.count, bytes[at...].starts(with: "OggS".utf8) {
      let page = Page(bytes[at...])
      pages.append(page)
      at += 27 + page.lacing.count + page.body.count
    }
  }

  package var bytes: [UInt8] { pages.flatMap(\.bytes) }

  /// Ogg's CRC: no reflection, no initial value, the polynomial of Ethernet's.
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
  }

  package static func sum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        var sum: UInt32 = 0
        var index = 0
        while index < bytes.count {
          sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(bytes[index]))]
          index += 1
        }
        return sum
      }
    }
  }
}
