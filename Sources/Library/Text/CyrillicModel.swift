/// Names in Russian, Ukrainian and Bulgarian: which letter follows which, and how great and small ones change. Windows'
/// table and KOI8 hold nearly the same bytes, but read by the wrong one a name has letters that never meet, and is great
/// where it ought to be small.
struct CyrillicModel: Sendable {
  static let windows = CyrillicModel(
    .windowsCyrillic, signs: "\u{AB}\u{BB}\u{2116}\u{201C}\u{201D}\u{2013}\u{2014}\u{2026}")
  static let koi = CyrillicModel(.koi, signs: "")

  /// A letter's place in `alphabet` for bytes from 80 on; what is no letter is 0.
  private let places: [UInt8]
  private let isGreat: [Bool]
  private let signs: [Float]
  private let follows: [Float]

  private init(_ table: SingleByteTable, signs usual: String) {
    let alphabet = Self.alphabet.scalars
    var (places, isGreat, signs) = ([UInt8](), [Bool](), [Float]())
    for byte in UInt8(0x80)...0xFF {
      let scalar = Unicode.Scalar(table[byte]) ?? " "
      let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
      let place = alphabet.firstIndex(of: small == "ё" ? "е" : small) ?? 0
      places.append(UInt8(truncatingIfNeeded: place))
      isGreat.append(place > 0 && small != scalar)
      let isUsual = usual.unicodeScalars.contains(scalar)
      signs.append(table[byte] == 0 ? PlainByte.nonsense : isUsual ? 10 : scalar.properties.isAlphabetic ? 13 : 18)
    }
    (self.places, self.isGreat, self.signs) = (places, isGreat, signs)
    follows = Self.rows.scalars.compactMap { digit in
      digit == "\n" ? nil : Float(digit.value < 0x41 ? digit.value - 0x30 : digit.value - 0x37) / 1.5
    }
  }

  func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
    let width = Self.alphabet.utf8CodeUnitCount / 2 + 1
    var sum = PlainByte.foreignBits(bytes)
    var last = 0
    var lastByte: UInt8 = 0x20
    var wasGreat = false
    var greats = 0
    for byte in bytes {
      let place = byte < 0x80 ? 0 : Int(places[Int(byte & 0x7F)])
      if place > 0 {
        let great = isGreat[Int(byte & 0x7F)]
        sum += follows[last * width + place]
        if PlainByte.isLetter(lastByte) { sum += 8 }
        if last == 0 {
          sum += great ? 0.5 : 1.5
          greats = 0
        } else if great {
          sum += wasGreat ? (greats > 1 ? 0.3 : 3) : 8
        } else if wasGreat, greats > 1 {
          sum += 6
        }
        if great { greats += 1 }
        wasGreat = great
      } else {
        if last > 0 { sum += follows[last * width] + (PlainByte.isLetter(byte) ? 8 : 0) }
        sum += byte < 0x80 ? PlainByte.bits(byte) : signs[Int(byte & 0x7F)]
      }
      last = place
      lastByte = byte
    }
    return last > 0 ? sum + follows[last * width] : sum
  }

  /// No letter first, then letters; ё counts as е.
  private static let alphabet: StaticString = " абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"
  /// A row a letter: two thirds of a bit a step for each letter that follows it, in hexadecimal. Counted in songs,
  /// sentences and names.
  private static let rows: StaticString = """
    E876768876F7865758568D9B8BAFFF9C9BCFF
    2EB796A8BB87576EA688FFAF99CFFFFB9FBFF
    66E9ED4FF6ED5DB4D6CC7FFFFFF65EFF76FFF
    44FEF94BA6FA9E94F8687FFF9FFA78FF87FFF
    55E9E57FF6ED8D92D7CC6FFFFFFAFEFFE8FFF
    55FAFE3FF5FED954F6ED6FFBFFFAA8FFB9FFF
    3E7878E98B97676AB565FBCA9B9FFFFCFFFFF
    548CD44EE3D6BC7ACBBB7FFFEFFFEDFFDFFFF
    4374876FE6E98D669CCBDFFFEFFF8EFFD9FFF
    3DF7A79B7E76685DB775FF8989BFFFFC8FFFF
    1BECE7BFEBE7978ADC7CDFFFFFFFEEFFEFFFF
    43FEFE9FF4FE9E83E598FFFAFFFAFFFFF9FFF
    54FEAB4FF5F89F75FEEA7FFFFFFC84F78BFFF
    449DFD5FF4FE8E64ED9D6AFFFFFF7FFF8FFFF
    53FFF95FF5F9FF75FEAB9FF8CFFF66FC79FFF
    3E7676999F79575E9578FCAF99AFFFF99FDFF
    76FDFD4FF7FD6EC384D8AFFFFFF899FF87FFF
    64F8A94FF4F8EA74FEAA5FFCAFF979F98AFFF
    86A7FE4FF6F667666E94AFFFAFF9A7FB6BFFF
    34F9FF5FF6FB9FA4F57B8FFFFFFC86FFBAFFF
    397966777C97889BA865EFFF669FFFFBEFFBF
    55A9A95BB3A98984A898AFCDBCDDBAEDACFFF
    44CBCB9DD6DB6BA3C6BA7FEFDEFFDCFFCEFFF
    55C6CB3DC4CBAB99BAAA6FEEDEFF57FECDFFF
    74DCDC3EE4E7BCB6DBC56FFFE8FFE7FFDFFFF
    53DBDB5ED4D54CA7CBBA6FFFDEFFDDFFCEFFF
    56CACA3DC4CAAB95BAA95FDECDFECCFEB7FFF
    787A5657C9CA4B98B5A5BFEECDFECCFE7DFFF
    3AE88C6EEB385DBA8BC8DFFFE7FFEEFFDFFFF
    1B99ED7FFBE7C799DC8CDFFF97FFFEF95FFFF
    68BAB58CC8B59A88A992AF6DCDEECBFDBCFFF
    295B7597D7CB7B69BAA5BFEFDEFFDCFECDFFF
    1B79E98FFCFAAA6BECD5EFFF9FFFFEFFEFFFF
    3A96D6AE9A4C7869C765CFFF7EFFDDFF8EFFF
    47A9A976B8698937A895AFCDBCDDBAEDAC6FF
    3694986AA7A8787697879EBCABCCA9DC9BEFF
    4697976A9698786687778EBBABCCA9DB9AEFF
    """
}
