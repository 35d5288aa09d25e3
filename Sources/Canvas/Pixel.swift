import Pictures

/// One colour, as a screen's memory has it: 0x00RRGGBB.
package struct Pixel: Hashable, Sendable {
  package let value: UInt32

  package init(_ value: UInt32) { self.value = value & 0xFF_FFFF }

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  package var red: UInt8 { UInt8(truncatingIfNeeded: value >> 16) }
  package var green: UInt8 { UInt8(truncatingIfNeeded: value >> 8) }
  package var blue: UInt8 { UInt8(truncatingIfNeeded: value) }

  package static let black = Pixel(0x000000)
  package static let white = Pixel(0xFFFFFF)
}

extension Pixel {
  /// `coverage` of 255 parts of `other` over this one, mixed as light.
  package func mixed(with other: Pixel, coverage: UInt8) -> Pixel {
    var mixed = value
    Light.blend(other.value, coverage: coverage, over: &mixed)
    return Pixel(mixed)
  }
}
