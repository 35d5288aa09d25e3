import Glibc
import Hardware
import Panel
import Runtime

/// `layby stick-policy --board FILE [--owner FILE] [--state DIR] [--told FILE]`: tells the script that mounts sticks
/// whether it does so at once, after a yes or never. The board's file says so; where it leaves it open, the owner's file
/// and what was chosen on the panel say whether this is a kiosk.
func tellStickPolicy(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.stickPolicy)
  guard let board = options.path("--board"), options.others.isEmpty else {
    throw Fault(.malformed, "X-221", "expected: \(ProgramVerb.stickPolicy.wholeUsage)")
  }
  let told = options.path("--told")
  // What was told before a file became wrong is not true any more; nobody may go by it.
  if let told { _ = told.withCString { unlink($0) } }
  let hardware = try SettingsTable.all.load(board: board, owner: nil) { _ in nil }.settings
  let state = options.path("--state") ?? hardware[.statePath]
  let lastGood = OwnersFile.lastGood(in: state)
  let read = try SettingsTable.all.load(board: board, owner: options.path("--owner")) { _ in lastGood }
  // What cannot be understood, and never was, opens nothing.
  let isUnclear = !read.notices.isEmpty && lastGood == nil
  let settings = OwnersChoices.load(from: state).applied(to: read.settings)
  let word = (settings[.stickMounting] == nil && isUnclear ? .afterYes : settings.stickMounting).rawValue
  print(word)
  if let told { try AtomicFile.replace(told, with: Array("\(word)\n".utf8), mode: 0o644) }
  return EX_OK
}

extension Settings {
  /// What `automatic` means depends on who stands at the panel.
  fileprivate var stickMounting: StickMounting { self[.stickMounting] ?? (isKiosk ? .afterYes : .atOnce) }
}
