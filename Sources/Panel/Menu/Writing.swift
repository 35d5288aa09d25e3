import Runtime

/// What is written with the wheel, letter by letter from a whole alphabet.
package enum Writing: Equatable, Sendable {
  case playlistName(OwnPlaylist)
  /// With something in it, or empty; without a name it is given one.
  case newPlaylist(Thing?)
  case setting(SettingEntry)
  /// The password of the Wi-Fi network with this name. The panel shows what is typed, since joining takes a minute to fail.
  case wirelessPassword(String)
  /// Of a kiosk. What was typed is shown to nobody.
  case pin

  /// Whoever sets one must see what they set: a slip would lock them out.
  var isSecret: Bool { self == .pin }

  var isOfDigits: Bool {
    guard case .setting(let entry) = self else { return self == .pin }
    return entry.isSecret
  }

  /// What there is to write with, in the order in which it is looked for.
  func letters(_ words: PanelWords) -> [String] {
    let digits = (0...9).map(String.init)
    if case .wirelessPassword = self {
      // Any plain character may be in it; a space is on the wheel anyway.
      let plain = (UInt8(0x21)...0x7E).map { Unicode.Scalar($0) }
      let small = plain.filter { ("a"..."z").contains($0) }, large = plain.filter { ("A"..."Z").contains($0) }
      let signs = plain.filter { !small.contains($0) && !large.contains($0) && !("0"..."9").contains($0) }
      return small.map(String.init) + digits + large.map(String.init) + signs.map(String.init)
    }
    return isOfDigits ? digits : words.alphabet.map(String.init) + digits + ["-", "'", "&", ".", ","]
  }

  /// It can be left as it is.
  func accepts(_ typed: String) -> Bool {
    switch self {
    case .playlistName: !typed.allSatisfy(\.isWhitespace)
    case .newPlaylist: typed.isEmpty || !typed.allSatisfy(\.isWhitespace)
    case .setting(let entry): entry.canonical(typed) != nil
    case .pin: typed.count >= 4
    case .wirelessPassword(let name):
      !typed.isEmpty && StickSetup.Network.mistake(name, password: typed, country: nil) == nil
    }
  }

  /// Names begin as names do.
  func adding(_ letter: String, to typed: String) -> String {
    switch self {
    case .playlistName, .newPlaylist: typed.isEmpty ? letter.uppercased() : typed + letter
    case .setting, .pin, .wirelessPassword: typed + letter
    }
  }
}
