import Runtime

/// The file with the knob's form as calibration found it. It counts before board.conf as long as board.conf names the same
/// two lines; other lines mean another knob.
package enum LearnedKnob {
  private static let file = LearnedFile(
    name: "knob", section: "encoder", comment: "How the knob was found to be built, by turning it.")

  package static func path(in state: FilePath) -> FilePath { file.path(in: state) }
  package static func brokenPath(in state: FilePath) -> FilePath { file.brokenPath(in: state) }

  /// Nil when nothing was found out about the knob on these lines.
  package static func read(in state: FilePath, for lines: KnobLines?) -> (form: KnobForm?, notice: Notice?) {
    let (learned, trouble) = file.read(in: state)
    let notice = trouble.map {
      Notice("H-243", "\($0.fault.message); the knob is what board.conf says, and \($0.instead)")
    }
    guard let learned, let lines, learned[.knobLines] == lines else { return (nil, notice) }
    return (learned.knobForm, notice)
  }

  /// Nil: as board.conf has it, from now on.
  package static func keep(_ form: KnobForm?, for lines: KnobLines?, in state: FilePath) throws(Fault) {
    var settings = Settings()
    if let form {
      settings[.knobLines] = lines
      settings.knobForm = form
    }
    try file.keep(settings, in: state)
  }
}
