import FleetWeek
import Testing

/// A sample of what `week` runs by the thousand; see Tests/lib/week.sh.
@Suite("Seasons of licences")
struct LicenceSeasonTests {
  @Test("every law holds at every step of the season", arguments: 0..<40 as Range<UInt64>)
  func seasons(seed: UInt64) throws {
    let season = try LicenceSeason(seed: seed)
    season.run()
    #expect(season.complaints == [])
  }

  @Test("the seasons go through what devices go through")
  func coverage() throws {
    var counts = SeasonCounts()
    for seed in 0..<40 as Range<UInt64> {
      let season = try LicenceSeason(seed: seed)
      season.run()
      counts.add(season.counts)
    }
    #expect(counts.plays > 100 && counts.cuts > 50 && counts.rounds > 100 && counts.taken > 200)
    #expect(counts.removed > 20 && counts.wrongServers > 20 && counts.cheats > 20 && counts.lostTimes > 20)
    let reasons = [
      "ended", "played out", "unpaid too long", "no subscription", "taken back", "other region", "time lost",
    ]
    for reason in reasons { #expect(counts.refusals[reason, default: 0] > 0, "nothing is ever refused as \(reason)") }
  }
}
