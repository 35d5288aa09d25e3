/// What Package.swift says of the rooms, read as text: `room("Canvas", uses: ["Runtime", "DecoderProtocol"], c: ["CZ"])`.
struct Plan: Equatable {
  struct Room: Equatable {
    var name: String
    var uses: [String] = []
    var c: [String] = []
  }

  /// Programs are rooms too, on the top floor.
  var rooms: [Room] = []

  /// Which room stands on which other: imports go to a lower floor only. A room that is not here has no place yet.
  static let floors = [
    ["Runtime", "DecoderProtocol"],
    ["Ciphers", "Compression", "Pictures"],
    ["Files", "Formats"],
    ["Seals"],
    ["Supervisor", "Store", "HTTP", "WebServer", "Hardware", "Canvas", "Audio", "VirtualBoard", "ForeignDecoder"],
    ["Library", "Services"],
    ["Playback", "Offline", "Rights"],
    ["Application"],
    ["Panel", "Remote"],
    ["layby", "keys", "depot", "bench", "compose", "virtual", "decode"],
  ]

  static func floor(of room: String) -> Int? { floors.firstIndex { $0.contains(room) } }

  init(package text: String) {
    var declared = text[...]
    while let next = Self.nextRoom(in: &declared) { rooms.append(next) }
  }

  /// Cuts the text behind the next `room(...)` or `program(...)` and returns it.
  private static func nextRoom(in text: inout Substring) -> Room? {
    while let open = text.firstIndex(of: "(") {
      let word = text[..<open].reversed().prefix { $0.isLetter }
      let before = text[..<open].dropLast(word.count)
      let inside = text[open...].dropFirst()
      text = inside
      let isDefinition = before.hasSuffix("func ")
      guard !isDefinition, ["room", "program"].contains(String(word.reversed())) else { continue }
      guard let end = inside.firstIndex(of: ")") else { return nil }
      let arguments = inside[..<end]
      text = inside[end...]
      guard let name = strings(arguments).first else { continue }
      return Room(name: name, uses: list("uses", in: arguments), c: list("c", in: arguments))
    }
    return nil
  }

  /// The strings of `label: ["A", "B"]`.
  private static func list(_ label: String, in arguments: Substring) -> [String] {
    var rest = arguments
    while let colon = rest.firstIndex(of: ":") {
      let word = String(rest[..<colon].reversed().prefix { $0.isLetter }.reversed())
      rest = rest[colon...].dropFirst()
      guard word == label, let open = rest.firstIndex(of: "["), let close = rest.firstIndex(of: "]") else { continue }
      return strings(rest[open..<close])
    }
    return []
  }

  private static func strings(_ text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
