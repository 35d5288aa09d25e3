import Glibc
import Hardware
import Runtime

/// `layby look-around`: for the unit layby-look.service, which has the radios look for networks.
func lookAround(_ arguments: [String]) throws(Fault) -> Int32 {
  guard arguments.isEmpty else {
    throw Fault(.malformed, "X-224", "expected: \(ProgramVerb.lookAround.wholeUsage)")
  }
  try RadioCommand.lookAround()
  return EX_OK
}
