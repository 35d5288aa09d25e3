import Glibc
import Runtime

// The service's side of sealed music: see README.md.
exit(DepotCommand(Array(CommandLine.arguments.dropFirst())).run())
