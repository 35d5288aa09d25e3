import Testing

@testable import Playback

@Suite("Power policy")
struct PowerPolicyTests {
  @Test("without a battery all is allowed")
  func noBattery() {
    let policy = PowerPolicy()
    #expect(policy.plan.effects && policy.plan.chores && policy.plan.stage == .high)
  }

  @Test(
    "each level has its stage",
    arguments: [(100, "high"), (50, "high"), (49, "normal"), (20, "normal"), (19, "low"), (0, "low"), (-5, "low")])
  func levels(level: Int, stage: String) {
    var policy = PowerPolicy()
    _ = policy.hear(.battery(level))
    #expect(policy.stage.rawValue == stage)
    #expect(policy.plan.effects == (stage != "low") && !policy.plan.chores)
    #expect(policy.plan.deepBuffer == (stage == "low"))
  }

  @Test("a level that wavers at a border changes the plan once")
  func wavers() {
    var policy = PowerPolicy()
    _ = policy.hear(.battery(21))
    let changes = [19, 20, 19, 21, 20, 22, 19].compactMap { policy.hear(.battery($0)) }
    #expect(changes.map(\.stage) == [.low])
    #expect(policy.hear(.battery(23))?.stage == .normal)
  }

  @Test("a charger allows all at once, and its end takes what the level forbids")
  func charger() {
    var policy = PowerPolicy()
    _ = policy.hear(.battery(10))
    #expect(policy.hear(.charger(true))?.effects == true)
    #expect(policy.plan.chores)
    #expect(policy.hear(.charger(false))?.stage == .low)
  }
}
