import DecoderProtocol

/// Why the file is not played, or not played any further; told to the player.
struct Refusal: Error {
  let trouble: Reply.Trouble
  let text: String

  init(_ trouble: Reply.Trouble, _ text: String) {
    self.trouble = trouble
    self.text = text
  }
}
