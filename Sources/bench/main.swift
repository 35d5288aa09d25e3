import Glibc

// All closures are formed in functions elsewhere: one formed here would belong to the main actor.
exit(runBench(Array(CommandLine.arguments.dropFirst())))
