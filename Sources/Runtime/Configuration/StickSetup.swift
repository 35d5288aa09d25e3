/// What the file layby-setup.conf on a stick asks for: the network to join and the board's name. It is read only where
/// board.conf allows it, and nothing of it happens before a person has confirmed it on the panel.
///
///     [network]
///     ssid = Home
///     password = "not shown anywhere"
///     country = DE
///     [board]
///     name = Kitchen
///
/// Unlike in our own files the first mistake refuses all of it: half a network is none.
package struct StickSetup: Equatable, Sendable {
  package struct Network: Equatable, Sendable {
    package let ssid: String
    /// Nil for a network that is open to everybody.
    package let password: String?
    /// Two letters: whose rules the radio obeys. Nil leaves that as it is.
    package let country: String?

    package init(ssid: String, password: String?, country: String? = nil) {
      self.ssid = ssid
      self.password = password
      self.country = country
    }
  }

  package static let fileName = "layby-setup.conf"
  /// Longer files are no settings.
  package static let limit = 4_096
  private static let longestName = 63
  private static let known = ["network": ["ssid", "password", "country"], "board": ["name"]]

  package let network: Network?
  package let boardName: String?

  /// What was chosen on the panel, or stands on the card: a network, a name, or both.
  package init(joining network: Network?, named boardName: String? = nil) {
    (self.network, self.boardName) = (network, boardName)
  }

  package init(parsing bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.limit else {
      throw Self.wrong(1, "the file is longer than \(Self.limit) bytes")
    }
    var values: [SettingName: (text: String, line: Int)] = [:]
    var section: String?
    for (place, line) in SettingsText.lines(of: bytes).enumerated() {
      let number = place + 1
      switch try Self.read(line, number) {
      case .blank: break
      case .section(let name):
        guard Self.known[name] != nil else { throw Self.wrong(number, "expected [network] or [board]") }
        section = name
      case .value(let key, let text):
        guard let section, let keys = Self.known[section] else {
          throw Self.wrong(number, "expected a [section] before the first key")
        }
        guard keys.contains(key) else {
          throw Self.wrong(number, "expected one of \(keys.joined(separator: ", ")) in [\(section)]")
        }
        let name = SettingName(section: section, key: key)
        guard values.updateValue((text, number), forKey: name) == nil else {
          throw Self.wrong(number, "\(key) stands there twice")
        }
      }
    }
    func value(_ section: String, _ key: String) -> (text: String, line: Int)? {
      values[SettingName(section: section, key: key)]
    }
    network = try Self.network(
      value("network", "ssid"), value("network", "password"), country: value("network", "country"))
    boardName = try value("board", "name").map { name throws(Fault) in try Self.name(name.text, name.line) }
    guard network != nil || boardName != nil else {
      throw Self.wrong(1, "expected a network's ssid or the board's name")
    }
  }

  private static func read(_ line: [UInt8], _ number: Int) throws(Fault) -> SettingsText.Line {
    do throws(SettingsText.Wrong) { return try SettingsText.read(line) } catch { throw wrong(number, error.reason) }
  }

  private static func network(
    _ ssid: (text: String, line: Int)?, _ password: (text: String, line: Int)?,
    country: (text: String, line: Int)?
  ) throws(Fault) -> Network? {
    guard let ssid else {
      if let country { throw wrong(country.line, "expected an ssid that the country is for") }
      if let password { throw wrong(password.line, "expected an ssid that the password is for") }
      return nil
    }
    if let (field, reason) = Network.mistake(ssid.text, password: password?.text, country: country?.text) {
      let lines = [Network.Field.ssid: ssid.line, .password: password?.line, .country: country?.line]
      throw wrong((lines[field] ?? ssid.line) ?? ssid.line, reason)
    }
    return Network(
      ssid: ssid.text, password: password.flatMap { $0.text.isEmpty ? nil : $0.text }, country: country?.text)
  }

  private static func name(_ text: String, _ line: Int) throws(Fault) -> String {
    guard (1...longestName).contains(text.utf8.count), text.unicodeScalars.allSatisfy(isPlain) else {
      throw wrong(line, "expected a name of 1 to \(longestName) bytes")
    }
    return text
  }

  /// Never with what stands in the line: it may be the password.
  private static func wrong(_ line: Int, _ reason: String) -> Fault {
    Fault(.malformed, "C-120", "\(fileName):\(line): \(reason)")
  }
}

extension StickSetup.Network {
  package enum Field: String, CaseIterable, Sendable { case ssid, password, country }

  /// Which of them cannot be, and what is expected; nil when the network can be joined. An empty password is none.
  package static func mistake(
    _ ssid: String, password: String?, country: String?
  ) -> (field: Field, expected: String)? {
    guard (1...32).contains(ssid.utf8.count), ssid.unicodeScalars.allSatisfy(isPlain) else {
      return (.ssid, "expected an ssid of 1 to 32 bytes")
    }
    if let country, country.utf8.count != 2 || !country.utf8.allSatisfy({ 0x41...0x5A ~= $0 }) {
      return (.country, "expected the two letters of a country, such as DE")
    }
    guard let password, !password.isEmpty else { return nil }
    // What WPA takes: a passphrase, or the key itself.
    let bytes = password.utf8
    let isPhrase = (8...63).contains(bytes.count) && bytes.allSatisfy { 0x20...0x7E ~= $0 }
    let isKey = bytes.count == 64 && password.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isPhrase || isKey else {
      return (.password, "expected a password of 8 to 63 plain characters, or 64 hexadecimal digits")
    }
    return nil
  }
}

extension StickSetup {
  /// The file in the root of a stick; nil when there is none. Reads from the stick, so it may block: not on the main
  /// loop. Whatever lies there under that name, a link or a pipe too, is neither followed nor waited for.
  package static func read(from root: FilePath) throws(Fault) -> StickSetup? {
    guard let bytes = try PlainFile.read(root / fileName, limit: limit, code: "C-121") else { return nil }
    return try StickSetup(parsing: bytes)
  }
}

extension StickSetup {
  /// The same as a file of nothing else: what was asked about and answered with yes, and not one line more.
  package var bytes: [UInt8] {
    var text = ""
    if let network {
      text += "[network]\nssid = \(SettingsText.written(network.ssid))\n"
      if let password = network.password { text += "password = \(SettingsText.written(password))\n" }
      if let country = network.country { text += "country = \(country)\n" }
    }
    if let boardName { text += "[board]\nname = \(SettingsText.written(boardName))\n" }
    return Array(text.utf8)
  }

  /// What the board is called among computers: letters, digits and dashes, of other letters those that most people
  /// would write instead.
  package var hostName: String? {
    guard let boardName else { return nil }
    var name = ""
    for scalar in boardName.unicodeScalars {
      let plain = Self.plainLetters[scalar] ?? String(scalar).lowercased()
      for letter in plain.utf8 {
        switch letter {
        case 0x30...0x39, 0x61...0x7A: name.unicodeScalars.append(Unicode.Scalar(letter))
        // One dash for whatever has no place in a name.
        default: if name.utf8.last != 0x2D, !name.isEmpty { name += "-" }
        }
      }
    }
    name = String(name.prefix(Self.longestName))
    while name.last == "-" { name.removeLast() }
    return name.isEmpty ? "layby" : name
  }

  private static let plainLetters: [Unicode.Scalar: String] = {
    var table: [Unicode.Scalar: String] = [:]
    let rows = [
      ("ae", "ÄäÆæ"), ("oe", "ÖöŒœ"), ("ue", "Üü"), ("ss", "ß"), ("a", "ÀÁÂÃÅàáâãåĄą"), ("c", "ÇçĆćČč"), ("d", "ĎďĐđ"),
      ("e", "ÈÉÊËèéêëĘęĚě"), ("i", "ÌÍÎÏìíîï"), ("l", "Łł"), ("n", "ÑñŃńŇň"), ("o", "ÒÓÔÕØòóôõø"), ("r", "Řř"),
      ("s", "ŚśŠš"), ("t", "Ťť"), ("u", "ÙÚÛùúûŮů"), ("y", "Ýýÿ"), ("z", "ŹźŻżŽž"),
    ]
    for (plain, letters) in rows { for letter in letters.unicodeScalars { table[letter] = plain } }
    return table
  }()
}

extension StickSetup: CustomStringConvertible, CustomDebugStringConvertible {
  /// For the log: without the password.
  package var description: String {
    let network = network.map { "network \(shownPlain($0.ssid))\($0.password == nil ? ", open" : "")" }
    return [network, boardName.map { "name \(shownPlain($0))" }].compactMap(\.self).joined(separator: ", ")
  }

  package var debugDescription: String { description }
}
