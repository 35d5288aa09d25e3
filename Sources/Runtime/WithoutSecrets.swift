/// Text in which an address may stand, for panels and journals: of the address only how it is reached and whose it is
/// are left. Behind the host there may be a token, and before an `@` a name and its password.
package func withoutSecrets(_ text: String) -> String {
  let bytes = Array(text.utf8)
  let marks = bytes.indices.lazy.filter { bytes[$0...].starts(with: "://".utf8) }
  guard let mark = marks.first else { return shownPlain(text) }
  let rest = bytes[(mark + 3)...]
  // Where the host begins nobody can say with an `@`: it may belong to what stands behind it as well.
  let host = rest.contains(UInt8(ascii: "@")) ? 0 : hostLength(rest)
  let behind = rest.dropFirst(host)
  if behind.isEmpty || behind.elementsEqual("/".utf8) { return shownPlain(text) }
  return shownPlain(String(decoding: bytes[..<behind.startIndex], as: UTF8.self)) + "..."
}

/// A name, or a number in its brackets; and a port, if it is one.
private func hostLength(_ bytes: ArraySlice<UInt8>) -> Int {
  let isNumber = bytes.first == UInt8(ascii: "[")
  let name = bytes.prefix { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: isNumber && "[:]".utf8.contains(byte)
    }
  }
  let rest = bytes.dropFirst(name.count)
  guard !isNumber, rest.first == UInt8(ascii: ":") else { return name.count }
  let port = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
  let isPort = (1...5).contains(port.count) && [nil, UInt8(ascii: "/")].contains(rest.dropFirst(1 + port.count).first)
  return name.count + (isPort ? 1 + port.count : 0)
}
