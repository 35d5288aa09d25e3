import Glibc
import Hardware
import Runtime

/// `layby network-settings --board FILE [--owner FILE] [--state DIR] --clock FILE`: for the unit
/// layby-network-settings.service, which takes up what the owner has set for the system's clock and radios. What was
/// chosen on the panel counts as it does for the player.
func takeNetworkSettings(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.networkSettings)
  guard let board = options.path("--board"), let clock = options.path("--clock"), options.others.isEmpty else {
    throw Fault(.malformed, "X-223", "expected: \(ProgramVerb.networkSettings.wholeUsage)")
  }
  let hardware = try SettingsTable.all.load(board: board, owner: nil) { _ in nil }.settings
  let state = options.path("--state") ?? hardware[.statePath]
  let lastGood = OwnersFile.lastGood(in: state)
  let read = try SettingsTable.all.load(board: board, owner: options.path("--owner")) { _ in lastGood }
  let settings = OwnersChoices.load(from: state).applied(to: read.settings)
  try AtomicFile.replace(clock, with: timesyncdFile(servers: settings[.timeServers]), mode: 0o644)
  let country = settings[.radioCountry]
  if country != RadioCountry.anywhere { try RadioCommand.setCountry(country) }
  return EX_OK
}

/// The owner's servers come first; without any, systemd-timesyncd asks those that the network names, and its own.
private func timesyncdFile(servers: [String]) -> [UInt8] {
  let line = servers.isEmpty ? "" : "NTP=\(servers.joined(separator: " "))\n"
  return Array("# Written by layby network-settings from what the owner has set.\n[Time]\n\(line)".utf8)
}
