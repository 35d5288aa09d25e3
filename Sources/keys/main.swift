import Glibc

// Keeps the keys of sealed music in a process of its own: see README.md.
exit(KeysCommand(Array(CommandLine.arguments.dropFirst())).run())
