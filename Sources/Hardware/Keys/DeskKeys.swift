/// Which key of the terminal stands for which button or turn of the knob. The help is made from the same table.
package struct DeskKeys: Sendable {
  package struct Row: Sendable {
    package let keys: [Key]
    /// The keys as a person calls them.
    package let label: String
    package let input: Input
    package let meaning: String
  }

  package static let rows: [Row] = [
    Row(keys: [.right], label: "Right", input: .turn(1), meaning: "turn the knob one detent clockwise"),
    Row(keys: [.left], label: "Left", input: .turn(-1), meaning: "turn it back"),
    Row(keys: [.up], label: "Up", input: .press(.up), meaning: "louder; in a list the row above"),
    Row(keys: [.down], label: "Down", input: .press(.down), meaning: "quieter; in a list the row below"),
    Row(keys: [.pageUp], label: "Page up", input: .press(.pageUp), meaning: "five at once"),
    Row(keys: [.pageDown], label: "Page down", input: .press(.pageDown), meaning: "five at once"),
    Row(keys: [.enter], label: "Enter", input: .press(.knob), meaning: "press the knob"),
    Row(keys: [.tab], label: "Tab", input: .longPress(.knob), meaning: "hold the knob down: the menu, and back in it"),
    Row(keys: [.character(" ")], label: "Space", input: .press(.play), meaning: "play or pause"),
    Row(keys: [.character("n")], label: "n", input: .press(.next), meaning: "next"),
    Row(keys: [.character("p")], label: "p", input: .press(.previous), meaning: "previous"),
    Row(keys: [.character(".")], label: ".", input: .press(.forward), meaning: "forward ten seconds"),
    Row(keys: [.character(",")], label: ",", input: .press(.rewind), meaning: "back ten seconds"),
    Row(keys: [.character("g")], label: "g", input: .longPress(.forward), meaning: "go to a place in what plays"),
    Row(keys: [.character("+"), .character("=")], label: "+", input: .press(.louder), meaning: "louder"),
    Row(keys: [.character("-")], label: "-", input: .press(.quieter), meaning: "quieter"),
    Row(keys: [.character("m")], label: "m", input: .press(.mute), meaning: "mute"),
    Row(keys: [.escape, .backspace], label: "Escape", input: .press(.back), meaning: "back"),
    Row(keys: [.home], label: "Home", input: .press(.home), meaning: "the menu, or the music again"),
    Row(keys: [.character("?")], label: "?", input: .press(.help), meaning: "show these keys"),
    Row(keys: [.character("q"), .control("c")], label: "q, Ctrl-C", input: .quit, meaning: "quit"),
  ]

  private static let inputs: [Key: Input] = Dictionary(
    rows.flatMap { row in row.keys.map { ($0, row.input) } }, uniquingKeysWith: { first, _ in first })

  /// The most needed of them in one line of a terminal.
  package static let brief =
    "Tab: menu · arrows: volume · Enter, Space: play or pause · n p: next, previous · , .: 10 s · m: mute · q: quit"

  /// Nil for a key that stands for nothing.
  package static func input(for key: Key) -> Input? { inputs[key] }
}
