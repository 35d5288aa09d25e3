// board.conf: how the knob is built.

extension Setting<KnobEdges> {
  package static var knobEdges: Self {
    Setting(
      .board, "encoder", "edges", .choice(["1": .one, "2": .two, "4": .four]), .four,
      "How many edges the knob's two lines make together from one detent to the next; most knobs make 4.")
  }
}

extension Setting<KnobRest> {
  package static var knobRests: Self {
    Setting(
      .board, "encoder", "rests", .choice(["open": .open, "first": .first, "both": .both, "second": .second]), .open,
      "Which of the knob's contacts are closed at a detent; most have both open.")
  }
}

extension Setting<Bool> {
  package static var knobReversed: Self {
    Setting(.board, "encoder", "reverse", .yesOrNo, false, "Whether the knob turns the other way round.")
  }
}

extension Setting<KnobHaste> {
  package static var knobHaste: Self {
    Setting(
      .board, "encoder", "acceleration", .choice(["off": .off, "gentle": .gentle, "strong": .strong]), .gentle,
      "How much further a detent goes in long lists when the knob is turned quickly; the volume never jumps.")
  }
}
