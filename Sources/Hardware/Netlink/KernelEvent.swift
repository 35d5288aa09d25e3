/// What the kernel says of a device that came, went or changed: `change@/devices/...`, then `KEY=value`, each ended by
/// a NUL. The device manager repeats it to others in a form of its own, which is not read here.
package struct KernelEvent: Equatable, Sendable {
  /// No kernel says more.
  package static let longest = 16_384

  package let action: String
  package let device: String
  package let subsystem: String

  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.longest else { return nil }
    let lines = bytes.split(separator: 0)
    guard let first = lines.first, let sign = first.firstIndex(of: UInt8(ascii: "@")), sign > first.startIndex,
      first.dropFirst(first.distance(from: first.startIndex, to: sign) + 1).first == UInt8(ascii: "/")
    else { return nil }
    action = String(decoding: first[..<sign], as: UTF8.self)
    device = String(decoding: first[(sign + 1)...], as: UTF8.self)
    let key = Array("SUBSYSTEM=".utf8)
    let line = lines.dropFirst().first { $0.starts(with: key) }
    subsystem = line.map { String(decoding: $0.dropFirst(key.count), as: UTF8.self) } ?? ""
  }
}
