import Glibc
import Hardware
import Offline
import Runtime
import Testing

@testable import layby

@Suite("What transfers are told of the board's surroundings")
struct TransferConditionsTests {
  private static func link(
    _ name: String, _ kind: LinkKind, isUp: Bool = true, isMetered: Bool = false
  ) -> NetworkLink {
    NetworkLink(name: name, kind: kind, isUp: isUp, addresses: isUp ? ["192.0.2.7"] : [], isMetered: isMetered)
  }

  private func situation(_ state: NetworkState, needsInternet: Bool = true) -> TransferConditions {
    var situation = TransferConditions()
    situation.hear(state, needsInternet: needsInternet)
    return situation
  }

  @Test(
    "the link that is used counts, with its kind and what it costs",
    arguments: [
      (LinkKind.wired, TransferConditions.Network.wired), (.wifi, .wifi), (.mobile, .mobile), (.other, .wired),
    ])
  func kinds(kind: LinkKind, network: TransferConditions.Network) {
    let links = [Self.link("a", .wifi), Self.link("b", kind, isMetered: true)]
    let found = situation(NetworkState(links: links, activeName: "b", reach: .internet, isProven: true))
    #expect(found.network == network && found.isMetered && found.internet == .reached)
  }

  @Test(
    "how far it reaches is told as it is; what is near is enough where the owner says so",
    arguments: [
      (Reachability.Reach.internet, true, TransferConditions.Internet.reached), (.portal, true, .portal),
      (.local, true, .none),
      (.none, true, .none), (.internet, false, .reached), (.portal, false, .portal), (.local, false, .unknown),
    ])
  func reach(reach: Reachability.Reach, needsInternet: Bool, internet: TransferConditions.Internet) {
    let state = NetworkState(
      links: [Self.link("a", .wired)], activeName: "a", reach: reach, isProven: reach == .internet)
    #expect(situation(state, needsInternet: needsInternet).internet == internet)
  }

  @Test("what a link only says of itself is believed, and shows nothing")
  func believed() {
    let state = NetworkState(links: [Self.link("a", .wifi)], activeName: "a", reach: .internet)
    #expect(situation(state).internet == .unknown)
  }

  @Test(
    "a watch ends when nothing goes on by itself any more, and not while something is tried again or waits for the hour",
    arguments: [
      ([("whole", false)], true), ([("paused", false), ("failed", false)], true), ([("waiting", true)], true),
      ([("running", false)], false), ([("waiting", false)], false), ([("whole", false), ("waiting", false)], false),
      ([], true),
    ] as [([(String, Bool)], Bool)])
  func watches(lines: [(state: String, needsOwner: Bool)], isOver: Bool) {
    var all: [JSON] = []
    for line in lines { all.append(["state": JSON(line.state), "needs_owner": JSON(line.needsOwner)]) }
    #expect(isWatchOver(all) == isOver)
  }

  @Test("without a way to everywhere any link with an address will do, but only where the owner says so")
  func near() {
    let state = NetworkState(links: [Self.link("a", .wifi, isUp: false), Self.link("b", .wired)])
    #expect(situation(state).network == .none)
    #expect(situation(state, needsInternet: false).network == .wired)
    let down = NetworkState(links: [Self.link("a", .wifi, isUp: false)])
    #expect(situation(down, needsInternet: false).network == .none)
  }

  @Test("what was known of a network is not said of none")
  func gone() {
    var situation = TransferConditions()
    let links = [Self.link("a", .mobile, isMetered: true)]
    situation.hear(NetworkState(links: links, activeName: "a", reach: .internet), needsInternet: true)
    situation.hear(NetworkState(), needsInternet: true)
    #expect(situation.network == .none && !situation.isMetered && situation.internet == .none)
  }

  @Test("a board without a battery has no level, whatever is plugged in")
  func power() {
    var situation = TransferConditions()
    situation.hear(PowerState(hasBattery: true, level: 9, isPlugged: false))
    #expect(situation.battery == 9 && !situation.hasCharger)
    situation.hear(PowerState(hasBattery: false, level: 9, isPlugged: true))
    #expect(situation.battery == nil && situation.hasCharger)
  }

  @Test("a clock that was never set says no time of day")
  func clock() {
    var situation = TransferConditions()
    situation.hear(date: 1_800_000_000)
    var (seconds, parts) = (time_t(1_800_000_000), tm())
    localtime_r(&seconds, &parts)
    #expect(situation.minute == Int(parts.tm_hour) * 60 + Int(parts.tm_min))
    situation.hear(date: 86_400)
    #expect(situation.minute == nil)
  }

  @Test("the owner's words become rules")
  func rules() throws {
    let text = """
      [offline]
      limit = 2
      at_once = 5
      reserve = 100
      on_metered = yes
      stream_on_metered = no
      bandwidth = 300
      hours = 22:00-6:00
      settling = 5s
      """
    let reading = try SettingsTable.all.read(board: [], owner: .success(Array(text.utf8)), lastGood: { _ in nil })
    #expect(reading.notices.isEmpty)
    let rules = TransferRules(reading.settings)
    #expect(rules.limit == 2_000_000_000 && rules.atOnce == 5 && rules.downloadsOnMetered && rules.cap == 300_000)
    #expect(rules.reserve == 100_000_000 && !rules.streamsOnMetered)
    #expect(rules.hours == .init(from: 1_320, to: 360) && rules.settling == .seconds(5))
    #expect(TransferRules(Settings()) == TransferRules())
  }

  @Test("what is switched off by the owner's file is as it was before there was any of it")
  func flags() throws {
    func rules(_ text: String) throws -> TransferRules {
      let reading = try SettingsTable.all.read(board: [], owner: .success(Array(text.utf8)), lastGood: { _ in nil })
      #expect(reading.notices.isEmpty)
      return TransferRules(reading.settings, Flags(reading.settings))
    }
    let wanted = try rules("[offline]\nsmart = yes\nat_once = 5\nquality = high\n")
    #expect(wanted.isPredicting && wanted.atOnce == 5 && wanted.looksAfter && wanted.quality.downloads == .fixed(.high))
    #expect(wanted.quality.streams == .auto && !wanted.predictsOnWired)
    #expect(try rules("[offline]\nsmart_on_wired = yes\n").predictsOnWired)
    let chosen = try rules("[offline]\nquality = auto\nstream_quality = very-high\n").quality
    #expect(chosen.downloads == .auto && chosen.streams == .fixed(.veryHigh))
    let all = Flag.allCases.map { "\($0.rawValue) = off\n" }.joined()
    let off = try rules("[offline]\nsmart = yes\nat_once = 5\n[flags]\n\(all)")
    #expect(!off.isPredicting && off.atOnce == 1 && !off.looksAfter)
  }

  @Test("the clock where the board is is ahead by what the C library says")
  func zone() {
    var (seconds, here, world) = (time_t(1_800_000_000), tm(), tm())
    localtime_r(&seconds, &here)
    gmtime_r(&seconds, &world)
    let ahead = TransferConditions.zone(at: 1_800_000_000)
    var shifted = time_t(1_800_000_000 + ahead)
    gmtime_r(&shifted, &world)
    #expect(world.tm_hour == here.tm_hour && world.tm_min == here.tm_min && world.tm_mday == here.tm_mday)
  }

  @Test("what the probe is to answer is a status or the beginning of a text")
  func probe() {
    #expect(ProbeExpectation(text: "204") == ProbeExpectation(status: 204))
    #expect(ProbeExpectation(text: "Success") == ProbeExpectation(status: 200, body: Array("Success".utf8)))
    #expect(ProbeExpectation(text: "999").body == Array("999".utf8))
  }
}
