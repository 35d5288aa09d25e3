/// A line of text as it is about to be drawn.
package struct DrawnText {
  package let text: String
  /// Its room.
  package let rect: Rect
  /// Outside of it nothing is drawn.
  package let clip: Rect
  /// What all of its letters cover, in the room or not.
  package let ink: Rect
  /// Of its type, in pixels.
  package let size: Int
  package let colour: Pixel
  /// Nothing of it was left out.
  package let isWhole: Bool
  /// No font had one of them.
  package let lacksLetters: Bool
}
