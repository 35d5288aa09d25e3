import FleetWeek
import Testing

/// A sample of what `week` runs by the hundred; see Tests/lib/week.sh.
@Suite("Seasons of licences")
struct LicenceSeasonTests {
  @Test("every law holds at every step, and the seasons go through what devices go through")
  func seasons() throws {
    var counts = SeasonCounts()
    var complaints: [String] = []
    for seed in 0..<24 as Range<UInt64> {
      let season = try LicenceSeason(seed: seed)
      season.run()
      counts.add(season.counts)
      complaints += season.complaints
    }
    #expect(complaints == [])
    #expect(counts.plays > 60 && counts.cuts > 30 && counts.rounds > 60 && counts.taken > 120)
    #expect(counts.removed > 12 && counts.wrongServers > 12 && counts.cheats > 12 && counts.lostTimes > 12)
    let reasons = [
      "ended", "played out", "unpaid too long", "no subscription", "taken back", "other region", "time lost",
    ]
    for reason in reasons { #expect(counts.refusals[reason, default: 0] > 0, "nothing is ever refused as \(reason)") }
  }
}
