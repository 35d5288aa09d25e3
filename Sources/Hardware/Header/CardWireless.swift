import Runtime

/// The file layby-wifi.conf on the first partition of a card: the network that the board is to join. Lines are
/// NAME=VALUE, as in layby-board.conf beside it, with or without blanks around "=". Half a network is none, so a mistake
/// refuses all of it.
package struct CardWireless: Equatable, Sendable {
  package static let limit = 4_096
  package static let fileName = "layby-wifi.conf"

  package private(set) var network: StickSetup.Network?
  /// Never with what stands in a line: it may be the password.
  package private(set) var mistakes: [CardSettings.Mistake] = []

  package init(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.limit else {
      mistakes = [CardSettings.Mistake(line: 0, words: "the file is longer than 4 KB")]
      return
    }
    var given: [StickSetup.Network.Field: (line: Int, value: String)] = [:]
    // Some editors put a mark in front that is no text.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    for (place, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      take(line, place + 1, &given)
    }
    guard mistakes.isEmpty, let ssid = given[.ssid] else {
      if mistakes.isEmpty, let (line, _) = given.values.min(by: { $0.line < $1.line }) {
        refuse(line, "expected an ssid that this is for")
      }
      return
    }
    let (password, country) = (given[.password]?.value, given[.country]?.value)
    if let (field, expected) = StickSetup.Network.mistake(ssid.value, password: password, country: country) {
      refuse(given[field]?.line ?? 0, expected)
    } else {
      network = StickSetup.Network(
        ssid: ssid.value, password: password.flatMap { $0.isEmpty ? nil : $0 }, country: country)
    }
  }

  private mutating func take(
    _ bytes: ArraySlice<UInt8>, _ number: Int,
    _ given: inout [StickSetup.Network.Field: (line: Int, value: String)]
  ) {
    guard let line = String(validating: bytes, as: UTF8.self) else {
      return refuse(number, "expected UTF-8; save the file as UTF-8")
    }
    let plain = String(trimmed(line.filter { $0 != "\r" && $0 != "\r\n" }))
    guard !plain.isEmpty, !plain.hasPrefix("#") else { return }
    guard let sign = plain.firstIndex(of: "="),
      let field = StickSetup.Network.Field(rawValue: String(trimmed(plain[..<sign])))
    else { return refuse(number, "expected ssid=, password= or country=, or a comment that begins with #") }
    guard given[field] == nil else { return refuse(number, "\(field.rawValue) stands there twice") }
    given[field] = (number, String(trimmed(plain[plain.index(after: sign)...])))
  }

  private mutating func refuse(_ line: Int, _ words: String) {
    if mistakes.count < 10 { mistakes.append(CardSettings.Mistake(line: line, words: words)) }
  }
}
