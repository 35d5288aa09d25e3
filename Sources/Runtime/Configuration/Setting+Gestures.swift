// board.conf: how long a press is a long one, and what fingers do beside a press.

extension Setting<Duration> {
  package static var longPress: Self {
    Setting(
      .board, "gestures", "long", .duration(.milliseconds(200)...(.seconds(3))), .milliseconds(600),
      "How long a button is held for a long press.", example: "800ms")
  }

  package static var doublePress: Self {
    Setting(
      .board, "gestures", "double", .duration(.milliseconds(100)...(.seconds(1))), .milliseconds(300),
      "How soon a second press makes a double press. A button that has one waits so long before a single press counts.",
      example: "400ms")
  }

  package static var repeatsAfter: Self {
    Setting(
      .board, "gestures", "repeat_after", .duration(.milliseconds(150)...(.seconds(3))), .milliseconds(450),
      "How long louder or quieter is held before it repeats.", example: "600ms")
  }

  package static var repeatsEvery: Self {
    Setting(
      .board, "gestures", "repeat_every", .duration(.milliseconds(50)...(.seconds(2))), .milliseconds(120),
      "How often louder or quieter repeats while it is held.", example: "200ms")
  }
}

extension Setting<[HandGesture]> {
  package static func gestures(_ button: String) -> Self {
    Setting(
      .board, "gestures", button, .handGestures, button == "home" ? [.long("back")] : [],
      "What else counts as the button \"\(button)\": a long or double press of a button, or two buttons at once.",
      example: button == "mute" ? "next with previous" : button == "play" ? "double home" : "double play")
  }
}
