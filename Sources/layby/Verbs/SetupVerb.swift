import Glibc
import Hardware
import Runtime

/// `layby card-settings --card FILE --owner FILE --last FILE`: for the unit layby-card-settings.service of a card. Makes
/// the layby.conf on its first partition the owner's file. What is wrong in it is told by the player, as always.
func takeCardSettings(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.cardSettings)
  guard let card = options.path("--card"), let owner = options.path("--owner"), let last = options.path("--last"),
    options.others.isEmpty
  else {
    throw Fault(.malformed, "X-267", "expected: \(ProgramVerb.cardSettings.wholeUsage)")
  }
  try CardFile.take(card, limit: SettingsFile.limit, last: last) { bytes throws(Fault) in
    // It may hold a PIN.
    try AtomicFile.replace(owner, with: bytes, mode: 0o640)
  }
  return EX_OK
}

/// `layby setup --state DIR --network DIR --told DIR`: for the unit layby-setup.service, which takes what the owner has
/// confirmed.
func takeSetup(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.setup)
  guard let state = options.path("--state"), let network = options.path("--network"),
    let told = options.path("--told"), options.others.isEmpty
  else {
    throw Fault(.malformed, "X-147", "expected: \(ProgramVerb.setup.wholeUsage)")
  }
  let taker = SetupTaker(state: state, network: network, told: told)
  if let card = options.path("--card") { try taker.take(card: card) } else { try taker.run() }
  return EX_OK
}
