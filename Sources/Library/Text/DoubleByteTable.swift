/// One of East Asia's encodings: a first byte from 81 on and a second one name a character. The system's converters are
/// no help, an image that is small has none of them.
///
/// Tables are text, a row a first byte: its two hexadecimal digits, then the characters in the order of second bytes, a
/// full stop where there is none; a line that begins with "++" goes on with the row. What a row does not say has no
/// characters.
struct DoubleByteTable: Sendable {
  private static let first = 0x81
  /// A second byte's place in its row, or `nowhere`.
  private let places: [UInt8]
  private let width: Int
  private var units: [UInt16]
  private static let nowhere: UInt8 = 0xFF

  /// 0 where there is none.
  func unit(_ lead: UInt8, _ second: UInt8) -> UInt16 {
    let place = places[Int(second)]
    guard place != Self.nowhere, Int(lead) >= Self.first else { return 0 }
    return units[(Int(lead) - Self.first) * width + Int(place)]
  }

  /// Every pair that has a character, in the order of their bytes.
  func forEach(_ body: (_ lead: UInt8, _ second: UInt8, _ unit: UInt16) -> Void) {
    for lead in Self.first...0xFF {
      for second in 0x40...0xFF {
        let unit = unit(UInt8(lead), UInt8(second))
        if unit != 0 { body(UInt8(lead), UInt8(second), unit) }
      }
    }
  }

  private init(_ rows: StaticString, seconds: [ClosedRange<Int>], placesOf all: [ClosedRange<Int>]? = nil) {
    var places = [UInt8](repeating: Self.nowhere, count: 256)
    var width = 0
    for second in (all ?? seconds).joined() {
      places[second] = UInt8(truncatingIfNeeded: width)
      width += 1
    }
    self.places = places
    self.width = width
    units = [UInt16](repeating: 0, count: (0x100 - Self.first) * width)
    let order = Array(seconds.joined())
    var lead = 0
    var place = 0
    for line in rows.scalars.split(separator: "\n") {
      let digits = line.prefix(2).map { Int($0.properties.numericValue ?? Double($0.value) - 55) }
      if line.first != "+" { (lead, place) = (digits[0] * 16 + digits[1], 0) }
      for scalar in line.dropFirst(2) {
        if scalar != ".", lead >= Self.first, place < order.count {
          units[(lead - Self.first) * width + Int(places[order[place]])] = UInt16(truncatingIfNeeded: scalar.value)
        }
        place += 1
      }
    }
  }

  static let shiftJIS = DoubleByteTable(shiftJISRows, seconds: [0x40...0x7E, 0x80...0xFC])
  static let gbk = DoubleByteTable(gbkRows, seconds: [0x40...0x7E, 0x80...0xFE])
  static let big5 = DoubleByteTable(big5Rows, seconds: [0x40...0x7E, 0xA1...0xFE])

  /// The standard has 2,350 syllables. Windows puts the other 8,822 in their order where the standard has nothing.
  static let korean: DoubleByteTable = {
    let free = [0x41...0x5A, 0x61...0x7A, 0x81...0xA0]
    let standard = [0xA1...0xFE]
    var table = DoubleByteTable(koreanStandardRows, seconds: standard, placesOf: free + standard)
    let known = Set(table.units)
    var rest = (UInt16(0xAC00)...0xD7A3).lazy.filter { !known.contains($0) }.makeIterator()
    for lead in first...0xC6 {
      for second in (lead < 0xA1 ? free + standard : free).joined() {
        guard let unit = rest.next() else { return table }
        table.units[(lead - first) * table.width + Int(table.places[second])] = unit
      }
    }
    return table
  }()
}
