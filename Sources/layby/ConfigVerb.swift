import Runtime

/// `layby config`: every setting with what it may be, beside what is set when files are given.
func showSettings(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(
    arguments, knowing: ["--explain": .flag, "--json": .flag, "--board": .one, "--owner": .one], of: "config")
  var settings = Settings()
  if let board = options.path("--board") {
    settings = try Settings.load(board: board, owner: options.path("--owner")) { _ in nil }.settings
  }
  print(options.has("--json") ? settings.explanationJSON().description : settings.explanation())
  return 0
}
