import Offline
import Runtime

/// Whose turn it is, with 10,000 wanted: what one decision takes, as the carrier makes it, until nobody is left. In the
/// end all but those that may not run now are through.
struct PlannerBench {
  static let name = "planner"
  static let about = "who is fetched next, of 10,000 that are wanted: what a decision takes"

  let rounds: Int

  static let items = 10_000

  func run() throws(Fault) -> [Row] {
    var (medians, late, worst, entering) = ([Double](), [Double](), [Double](), [Double]())
    for round in 0...rounds {
      let began = Moment.now
      var day = WantedDay()
      let entered = Moment.now - began
      var took: [Double] = []
      while let one = day.decide() { took.append(Double(one.nanoseconds) / 1_000) }
      guard took.count == Self.items else {
        throw Fault(.malformed, "B-269", "\(took.count) of \(Self.items) had their turn")
      }
      took.sort()
      let (middle, longest) = (took[took.count / 2], took[took.count - 1])
      Patience.tell(
        "\(round == 0 ? "warming up" : "round \(round) of \(rounds)"), µs: median \(decimal(middle, places: 1)), "
          + "the longest \(decimal(longest, places: 1))")
      // The first time memory is new.
      guard round > 0 else { continue }
      medians.append(middle)
      late.append(took[took.count * 99 / 100])
      worst.append(longest)
      entering.append(Double(entered.nanoseconds) / 1_000 / Double(Self.items))
    }
    func row(_ words: String, _ values: [Double], _ goal: Goal = .below(1_000)) -> Row {
      Row(
        bench: Self.name, name: "10,000 wanted, \(words)", value: Spread(values), unit: .microseconds, goal: goal)
    }
    return [
      row("a decision", medians), row("a decision, p99", late), row("a decision, the longest of all", worst),
      row("wanting one", entering, .none),
    ]
  }
}

/// Albums, long lists and single tracks, wanted for all reasons there are; many are in two lists, some have waited too
/// long, and some may be paid for.
struct WantedDay {
  private var planner = Planner()
  private var policy = TransferPolicy(TransferRules())
  private var now = Moment(nanoseconds: 1_000_000_000_000_000)

  init() {
    var rules = TransferRules()
    (rules.settling, rules.isPredicting) = (.zero, true)
    policy = TransferPolicy(rules)
    var situation = TransferConditions()
    (situation.network, situation.internet, situation.minute) = (.wifi, .reached, 600)
    var generator = SystemRandomNumberGenerator()
    policy.hear(situation, at: now, using: &generator)
    for number in 0..<PlannerBench.items { want(number) }
  }

  private mutating func want(_ number: Int) {
    let key = MediaKey(source: "shop", item: "album \(number / 12)/\(number)", quality: .lossless)
    let ranks: [Rank] = [.askedFor, .older, .askedFor, .recentlyPlayed, .currentPlaylist, .predicted, .older, .start]
    let rank = ranks[number / 12 % ranks.count]
    let since = now - .seconds(number % 97 * 3_600)
    let album = ContainerKey(source: "shop", kind: .album, id: "album \(number / 12)")
    planner.want(key, for: album, .init(rank, order: Int64(number % 12), since: since))
    if number % 5 == 0 {
      let list = ContainerKey(source: "shop", kind: .playlist, id: "list \(number % 3)")
      planner.want(key, for: list, .init(.older, order: Int64(number), since: since))
    }
    planner.set(key, excepted: number % 50 == 0)
    planner.set(key, ready: true)
  }

  /// What the next decision took; nil when there is nobody left. Who has had his turn ends at once, so that the next
  /// can have it.
  mutating func decide() -> Duration? {
    now = now + .seconds(1)
    let began = Moment.now
    let decision = planner.decide(at: now, through: policy.gate(at: now))
    let took = Moment.now - began
    guard let decision else { return nil }
    planner.ended(decision.start)
    planner.forget(decision.start)
    return took
  }
}
