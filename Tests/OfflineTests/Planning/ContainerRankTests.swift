import Testing

@testable import Offline

@Suite("How much a container is wanted")
struct ContainerRankTests {
  private static let day: Int64 = 86_400
  private static let now: Int64 = 1_800_000_000

  private static func standing(_ days: Int64, playedDays: Int64? = nil, isPlayed: Bool = false) -> ContainerRank {
    var standing = ContainerRank(wantedAt: now - days * day)
    (standing.playedAt, standing.isPlayed) = (playedDays.map { now - $0 * day }, isPlayed)
    return standing
  }

  @Test(
    "what was asked for now goes first, then what was played lately, what is being played, and what is older",
    arguments: [
      (standing(0), Rank.askedFor), (standing(0, playedDays: 1, isPlayed: true), .askedFor),
      (standing(1), .older), (standing(1, playedDays: 13), .recentlyPlayed),
      (standing(90, playedDays: 0, isPlayed: true), .recentlyPlayed), (standing(1, playedDays: 14), .older),
      (standing(1, isPlayed: true), .currentPlaylist), (standing(30, playedDays: 20, isPlayed: true), .currentPlaylist),
      // A clock that was set back.
      (standing(-400), .askedFor), (standing(3, playedDays: -400), .recentlyPlayed),
    ])
  func ranks(it: ContainerRank, rank: Rank) {
    #expect(it.rank(at: Self.now) == rank)
    var smart = it
    smart.isPredicted = true
    #expect(smart.rank(at: Self.now) == .predicted)
  }

  @Test("of what comes next the start goes before what was played lately, and the rest with what is played")
  func next() {
    var it = Self.standing(1)
    it.isNext = true
    #expect(it.ranks(at: Self.now) == .init(start: .start, rest: .currentPlaylist))
    #expect(it.ranks(at: Self.now).rank(at: ContainerRank.start - 1) == .start)
    #expect(it.ranks(at: Self.now).rank(at: ContainerRank.start) == .currentPlaylist)
    it.playedAt = Self.now - Self.day
    #expect(it.ranks(at: Self.now) == .init(start: .start, rest: .recentlyPlayed))
    // What was asked for now goes first all the same.
    it.wantedAt = Self.now
    #expect(it.ranks(at: Self.now) == .init(start: .askedFor, rest: .askedFor))
  }
}
