// board.conf: how long a press is a long one, and what fingers do beside a press.

extension Setting<Duration> {
  package static var longPress: Self {
    Setting(
      .board, "gestures", "long", .duration(.milliseconds(200)...(.seconds(3))), .milliseconds(600),
      "How long a button is held for a long press.")
  }

  package static var doublePress: Self {
    Setting(
      .board, "gestures", "double", .duration(.milliseconds(100)...(.seconds(1))), .milliseconds(300),
      "How soon a second press makes a double one; so long a press waits for it, of a button that has a double press.")
  }

  package static var repeatsAfter: Self {
    Setting(
      .board, "gestures", "repeat_after", .duration(.milliseconds(150)...(.seconds(3))), .milliseconds(450),
      "How long louder and quieter are held before they go on by themselves.")
  }

  package static var repeatsEvery: Self {
    Setting(
      .board, "gestures", "repeat_every", .duration(.milliseconds(50)...(.seconds(2))), .milliseconds(120),
      "How quickly they go on then.")
  }
}

extension Setting<[HandGesture]> {
  package static func gestures(_ button: String) -> Self {
    Setting(
      .board, "gestures", button, .handGestures, button == "home" ? [.long("back")] : [],
      "What is the button \"\(button)\" too, such as long back, double play or next with previous.")
  }
}
