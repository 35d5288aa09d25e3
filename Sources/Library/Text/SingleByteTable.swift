/// The upper halves of encodings of one byte a character, from 80 to FF; a full stop where there is none.
struct SingleByteTable: Sendable {
  private let units: [UInt16]

  private init(_ rows: StaticString) {
    var units: [UInt16] = []
    for scalar in rows.scalars where scalar != "\n" {
      units.append(scalar == "." ? 0 : UInt16(truncatingIfNeeded: scalar.value))
    }
    self.units = units
  }

  /// 0 where there is none.
  subscript(byte: UInt8) -> UInt16 { units[Int(byte & 0x7F)] }

  /// Windows 1252.
  static let windowsWestern = SingleByteTable(
    """
    €.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ ¡¢£¤¥¦§¨©ª«¬­®¯°±²³´µ¶·¸¹º»¼½¾¿
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
    """)

  /// Windows 1251.
  static let windowsCyrillic = SingleByteTable(
    """
    ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—.™љ›њќћџ ЎўЈ¤Ґ¦§Ё©Є«¬­®Ї°±Ііґµ¶·ё№є»јЅѕї
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя
    """)

  /// KOI8-R, with the eight Ukrainian letters of KOI8-U, where it has lines to draw boxes with: nobody's name has those.
  static let koi = SingleByteTable(
    """
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥ ⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґ╝╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪Ґ╬©
    юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
    """)
}
