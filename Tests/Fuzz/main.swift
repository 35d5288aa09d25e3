// fuzz NAME [libFuzzer's options] [CORPUS...]: throws made-up bytes at one parser until it breaks or time is up.
import Glibc

let names = Entries.all.keys.sorted().joined(separator: " ")
guard CommandLine.argc > 1, let entry = Entries.all[CommandLine.arguments[1]] else {
  print("usage: fuzz NAME [-max_total_time=20] [FOLDER...]    names: \(names)")
  exit(64)
}
Fuzzer.run(entry, arguments: [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2))
