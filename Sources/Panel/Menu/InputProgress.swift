/// What the menu shows while the knob or a key is only listened to and does nothing (`Attention`).
package struct InputProgress: Equatable, Sendable {
  /// What they are asked to do, or what is wrong.
  package var text: String
  /// How far it is; nil where that is not known.
  package var progress: (part: Int, of: Int)?
  /// What was wanted is known.
  package var isOver: Bool

  package init(_ text: String = "", progress: (part: Int, of: Int)? = nil, isOver: Bool = false) {
    (self.text, self.progress, self.isOver) = (text, progress, isOver)
  }

  package static func == (one: InputProgress, other: InputProgress) -> Bool {
    one.text == other.text && one.isOver == other.isOver && one.progress?.part == other.progress?.part
      && one.progress?.of == other.progress?.of
  }
}
