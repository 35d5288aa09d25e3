import FleetWeek
import Glibc

/// `week [WEEKS [FIRST SEED]]`: so many weeks, as many at once as there are processors. Ends with 1 when a law was broken.
func number(_ index: Int, else usual: UInt64) -> UInt64 {
  CommandLine.arguments.count > index ? UInt64(CommandLine.arguments[index]) ?? usual : usual
}

/// Each thread takes every other seed.
nonisolated func weeks(_ seeds: StrideTo<UInt64>) -> (counts: Counts, complaints: [String]) {
  var (counts, complaints) = (Counts(), [String]())
  for seed in seeds {
    let week = Week(seed: seed)
    week.run()
    counts.add(week.counts)
    complaints += week.complaints
  }
  return (counts, complaints)
}

let (count, first) = (number(1, else: 1_000), number(2, else: 0))
let threads = UInt64(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
let (counts, complaints) = await withTaskGroup(of: (counts: Counts, complaints: [String]).self) { group in
  for thread in 0..<threads {
    group.addTask { weeks(stride(from: first + thread, to: first + count, by: Int(threads))) }
  }
  var (counts, complaints) = (Counts(), [String]())
  for await some in group {
    counts.add(some.counts)
    complaints += some.complaints
  }
  return (counts, complaints)
}
print("\(count) weeks, \(count * 168) hours: \(counts)")
for complaint in complaints.prefix(20) { print(complaint) }
print("\(complaints.count) weeks in which a law was broken")
exit(complaints.isEmpty ? 0 : 1)
