import Runtime

/// What was chosen on the panel, beside the state.
enum OwnersChoices {
  static func path(in state: FilePath) -> FilePath { state / "choices.json" }

  /// A broken file is as good as none; the next choice writes it anew.
  static func load(from state: FilePath) -> Choices {
    do throws(Fault) { return try Choices(try AtomicFile.read(path(in: state), limit: Choices.limit), in: .all) } catch
    {
      if error.kind != .missing { Log("layby").warning("choices were lost", ["reason": error.message]) }
      return Choices(in: .all)
    }
  }

  static func keep(_ choices: Choices, in state: FilePath) throws(Fault) {
    try AtomicFile.replace(path(in: state), with: choices.bytes)
  }
}
