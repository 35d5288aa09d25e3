import Glibc
import Runtime

/// `layby config`: every setting, or those that are named, with what it may be, beside what is set when files are given.
/// A file with a mistake ends it with 65, and says of each mistake where it is and what was expected.
func showSettings(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, checkedFor: ProgramVerb.config)
  let table = SettingsTable.all
  for word in options.others where table.entries(named: word).isEmpty {
    throw ProgramVerb.config.refusal(of: word, as: .setting, among: table.words)
  }
  let (board, owner) = (options.path("--board"), options.path("--owner"))
  let settings: Settings
  do throws(Fault) {
    if let owner {
      let bytes = try AtomicFile.read(owner, limit: SettingsFile.limit)
      if let mistakes = table.mistakes(inOwner: bytes, shownAs: owner.description) { throw mistakes }
    }
    settings = try settingsOfFiles(board, owner)
  } catch {
    complain(error)
    return error.code.hasPrefix("C-") && error.kind == .malformed ? EX_DATAERR : exitCode(for: error)
  }
  let named = options.others.flatMap { table.entries(named: $0) }
  let entries = options.others.isEmpty ? table.entries : named
  let checked = [board, owner].compactMap { $0 }
  if !checked.isEmpty, options.others.isEmpty, !options.has("--explain"), !options.has("--json") {
    for file in checked { print("\(file): no mistakes") }
  } else {
    print(
      options.has("--json")
        ? table.explanationJSON(of: settings, only: entries).description
        : table.explanation(of: settings, only: entries))
  }
  return EX_OK
}

private func settingsOfFiles(_ board: FilePath?, _ owner: FilePath?) throws(Fault) -> Settings {
  if let board { return try SettingsTable.all.load(board: board, owner: owner) { _ in nil }.settings }
  guard let owner else { return Settings() }
  let bytes = try AtomicFile.read(owner, limit: SettingsFile.limit)
  return try SettingsTable.all.read(board: [], owner: .success(bytes), lastGood: { _ in nil }).settings
}
