import Glibc
import Runtime
import TestSupport
import VirtualBoard

// Disks as a power cut could have left them, of a log of all writes (Tests/lib/update.sh).
//     CrashDisk LOG                          prints how many writes and flushes the log has
//     CrashDisk LOG touching PLACE LENGTH    prints the numbers of the writes into these bytes of the disk
//     CrashDisk LOG cut NUMBER SEED DISK     the power goes before write NUMBER; DISK is a copy of the disk as it was when
//                                            the log began, and gets what a drive with a cache could have kept
func usage() -> Never {
  fail("CrashDisk LOG [touching PLACE LENGTH | cut NUMBER SEED DISK]", 64)
}

/// Its output is taken for figures.
func fail(_ words: String, _ code: Int32) -> Never {
  let bytes = Array("\(words)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  exit(code)
}

func number<Value: FixedWidthInteger>(_ index: Int) -> Value {
  guard CommandLine.arguments.count > index, let value = Value(CommandLine.arguments[index]) else { usage() }
  return value
}

func run(_ words: [String]) throws(Fault) {
  guard words.count > 1 else { usage() }
  let log = try WriteLog(parsing: try AtomicFile.read(FilePath(words[1]), limit: 1 << 31))
  switch (words.count, words.count > 2 ? words[2] : "") {
  case (2, _): print(log.entries.count)
  case (5, "touching"):
    let place: Int = number(3), end = place + number(4)
    for (index, entry) in log.entries.enumerated()
    where entry.count > 0 && entry.offset < end && entry.offset + entry.count > place { print(index) }
  case (6, "cut"):
    var dice = SeededGenerator(seed: number(4))
    let point: Int = number(3)
    guard (0...log.entries.count).contains(point) else { usage() }
    let crash = CrashImage(of: log, after: point, using: &dice)
    try crash.apply(toFile: FilePath(words[5]))
    print("\(crash.lost) lost or torn")
  default: usage()
  }
}

do throws(Fault) { try run(CommandLine.arguments) } catch { fail("\(error)", 1) }
