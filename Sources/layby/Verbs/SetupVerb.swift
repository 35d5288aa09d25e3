import Glibc
import Hardware
import Runtime

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
