import Runtime

/// The kernel's number of a disk or partition (major:minor).
package struct DeviceNumber: Hashable, Sendable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// `8:1`; nil when it is none, or more than the kernel gives.
  package init?(_ text: some Collection<UInt8>) {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { Self.number($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
    guard major < 1 << 12, minor < 1 << 20 else { return nil }
    self.init(major: major, minor: minor)
  }

  package var description: String { "\(major):\(minor)" }

  /// Digits alone; nil for anything else, and for more than a long disk has.
  static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...18).contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard 0x30...0x39 ~= digit else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }
}
