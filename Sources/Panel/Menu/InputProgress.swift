/// What is shown while hands are listened to and do not mean anything.
package struct Heard: Equatable, Sendable {
  /// What they are asked to do, or what is wrong.
  package var text: String
  /// How far it is; nil where that is not known.
  package var progress: (part: Int, of: Int)?
  /// What was wanted is known.
  package var isOver: Bool

  package init(_ text: String = "", progress: (part: Int, of: Int)? = nil, isOver: Bool = false) {
    (self.text, self.progress, self.isOver) = (text, progress, isOver)
  }

  package static func == (one: Heard, other: Heard) -> Bool {
    one.text == other.text && one.isOver == other.isOver && one.progress?.part == other.progress?.part
      && one.progress?.of == other.progress?.of
  }
}
