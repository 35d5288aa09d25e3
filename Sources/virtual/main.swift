// virtual --image DIR --machine FILE [--for 60s] [--window]: the virtual board before a person.
import Glibc
import Runtime

do throws(Fault) {
  exit(try Sitting(SittingOptions(Array(CommandLine.arguments.dropFirst()))).run())
} catch {
  print("virtual: \(error)", to: &standardError)
  exit(error.kind == .malformed ? EX_USAGE : EX_UNAVAILABLE)
}
