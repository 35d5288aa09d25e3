import Testing

/// Which rooms SwiftPM may have to compile again when a room's settings change: that room, and all that use it directly
/// or through others. This is read from `uses` in Package.swift, so it shows what can be reached and what cannot. It
/// compiles nothing: how many files of a reached room are compiled again is the compiler's decision.
@Suite("A changed setting reaches its room and those above it only")
struct SettingReachTests {
  /// A row that gets longer makes every change of that room's settings cost more time.
  static let reach: [String: Set<String>] = [
    "Audio": ["Application", "Panel", "Playback", "Remote", "bench", "layby"],
    "Canvas": ["Panel", "bench", "compose", "layby", "virtual"],
    "Hardware": ["Application", "Panel", "Remote", "bench", "layby", "virtual"],
    "Library": ["Application", "Panel", "Playback", "Remote", "bench", "layby"],
    "Offline": ["Application", "Panel", "Remote", "bench", "layby"],
    "Panel": ["bench", "layby"],
    "Playback": ["Application", "Panel", "Remote", "bench", "layby"],
    "Rights": ["Application", "Panel", "Remote", "bench", "depot", "keys", "layby"],
    "Supervisor": ["layby"],
  ]

  /// Rooms that use `room`, directly or through others.
  private static func above(_ room: String, in plan: Plan) -> Set<String> {
    var found: Set<String> = []
    var ahead = [room]
    while let next = ahead.popLast() {
      for user in plan.rooms where user.uses.contains(next) && found.insert(user.name).inserted {
        ahead.append(user.name)
      }
    }
    return found
  }

  @Test("each room with settings reaches the rooms of the table and no other; Runtime, which knows no kiosk, all")
  func reaches() {
    let declare = House.sources.filter { $0.code.contains("static let settings: [SettingEntry]") }.map(\.target)
    #expect(Set(declare) == Set(Self.reach.keys).union(["Runtime"]))
    for (room, expected) in Self.reach { #expect(Self.above(room, in: House.plan) == expected, "\(room)") }
    #expect(Self.above("Runtime", in: House.plan).isSuperset(of: Self.reach.keys))
  }

  @Test("a room is reached through others, and one beside it is not")
  func transitive() {
    let plan = Plan(
      package: """
        room("Runtime"), room("Audio", uses: ["Runtime"]), room("Canvas", uses: ["Runtime"]),
        room("Playback", uses: ["Audio"]), program("layby", uses: ["Playback", "Canvas"])
        """)
    #expect(Self.above("Audio", in: plan) == ["Playback", "layby"])
    #expect(Self.above("layby", in: plan) == [])
  }
}
