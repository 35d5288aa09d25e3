import FleetWeek
import Glibc
import Runtime

/// `week [WEEKS [FIRST SEED]]`: so many weeks of downloads and a tenth as many seasons of licences, as many at once as there are
/// processors. Ends with 1 when a law was broken.
func number(_ index: Int, else usual: UInt64) -> UInt64 {
  CommandLine.arguments.count > index ? UInt64(CommandLine.arguments[index]) ?? usual : usual
}

struct Outcome: Sendable {
  var counts = Counts()
  var seasons = SeasonCounts()
  var complaints: [String] = []

  mutating func add(_ other: Outcome) {
    counts.add(other.counts)
    seasons.add(other.seasons)
    complaints += other.complaints
  }
}

/// Each thread takes every other seed.
nonisolated func weeks(_ seeds: StrideTo<UInt64>) -> Outcome {
  var outcome = Outcome()
  for seed in seeds {
    let week = Week(seed: seed)
    week.run()
    outcome.add(Outcome(counts: week.counts, complaints: week.complaints))
    // A season signs and verifies some thousand times, so there is one for each ten weeks.
    guard seed.isMultiple(of: 10) else { continue }
    do throws(Fault) {
      let season = try LicenceSeason(seed: seed)
      season.run()
      outcome.add(Outcome(seasons: season.counts, complaints: season.complaints))
    } catch { outcome.complaints.append("season \(seed): \(error)") }
  }
  return outcome
}

let (count, first) = (number(1, else: 1_000), number(2, else: 0))
let threads = UInt64(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
let outcome = await withTaskGroup(of: Outcome.self) { group in
  for thread in 0..<threads {
    group.addTask { weeks(stride(from: first + thread, to: first + count, by: Int(threads))) }
  }
  var outcome = Outcome()
  for await some in group { outcome.add(some) }
  return outcome
}
print("\(count) weeks, \(count * 168) hours: \(outcome.counts)")
print("\(count / 10) seasons of licences: \(outcome.seasons)")
for complaint in outcome.complaints.prefix(20) { print(complaint) }
print("\(outcome.complaints.count) weeks in which a law was broken")
exit(outcome.complaints.isEmpty ? 0 : 1)
