import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

@MainLoop
private final class Heard {
  private(set) var states: [NetworkState] = []
  nonisolated init() {}
  func take(_ state: NetworkState) { states.append(state) }
}

@Suite("The part that knows the network", .serialized)
struct NetworkPartTests {
  private static let minute = NetworkPart.pollsAfter + .seconds(1)

  /// A radio that has joined `ssid`, or is alone.
  private static func play(_ kernel: PlayedKernel, ssid: String?, dBm: Int8 = -50, rate: UInt16 = 540) {
    kernel.device("wlan0", wireless: true)
    let isUp = ssid != nil
    kernel.answer(.links, Canned.link(1, "lo", flags: 0x4_9), Canned.link(3, "wlan0", state: isUp ? 6 : 2))
    kernel.answer(.addresses, isUp ? Canned.address(3, [10, 0, 0, 2]) : [])
    kernel.answer(.routes, isUp ? Canned.route(3, cost: 600) : [])
    kernel.answer(Wireless.family, Canned.family)
    kernel.answer(Wireless.interfaces(0x1C), Canned.interface(3))
    kernel.answer(Wireless.stations(0x1C, of: 3), isUp ? Canned.station(3, dBm: dBm, rate: rate) : [])
    kernel.answer(Wireless.seen(0x1C, by: 3), Canned.seen(ssid: Array((ssid ?? "").utf8), isJoined: isUp))
  }

  private static func state(_ ssid: String?, _ reach: Reachability.Reach, isMetered: Bool = false) -> NetworkState {
    let link = NetworkLink(
      name: "wlan0", kind: .wifi, isUp: ssid != nil, addresses: ssid == nil ? [] : ["10.0.0.2"],
      ssid: ssid.map { Array($0.utf8) }, bars: ssid == nil ? nil : 4, isMetered: isMetered)
    return NetworkState(links: [link], activeName: ssid == nil ? nil : "wlan0", reach: reach)
  }

  @Test("it is told as it is, again when it is another, and not when only the signal wavers")
  func changes() async throws {
    let (kernel, heard) = (try PlayedKernel(), Heard())
    Self.play(kernel, ssid: nil)
    var rule = MeteredRule()
    rule.names = ["Phone"]
    let metered = rule
    try await TestMainLoop.alone {
      let part = try await onMainLoop {
        Result { try NetworkPart(kernel.surroundings, by: .onLoop(MainLoop.loop), metered: metered) { heard.take($0) } }
      }.get()
      let running = await onMainLoop { await RunningPart(part) }
      #expect(await onMainLoop { heard.states } == [Self.state(nil, .none)])

      Self.play(kernel, ssid: "Home")
      kernel.bell.ring()
      await MainLoop.loop.advance(by: .seconds(1))
      #expect(await onMainLoop { heard.states.last } == Self.state("Home", .internet))
      let count = await onMainLoop { heard.states.count }
      for dBm in [-52, -47, -54] as [Int8] {
        Self.play(kernel, ssid: "Home", dBm: dBm, rate: 1_300)
        await MainLoop.loop.advance(by: Self.minute)
      }
      #expect(await onMainLoop { heard.states.count } == count)
      #expect(await onMainLoop { part.radios["wlan0"]?.dBm } == -54)
      #expect(await onMainLoop { part.state.json(part.radios)["links"]?.items?.first?["bit_rate"] } == 130_000_000)

      // Missed by every bell, seen a minute later.
      Self.play(kernel, ssid: "Phone")
      await MainLoop.loop.advance(by: Self.minute)
      #expect(await onMainLoop { heard.states.last } == Self.state("Phone", .internet, isMetered: true))
      let box = Mailbox<NetworkState>()
      await onMainLoop { part.follow(box) }
      #expect(box.tryReceive()?.active?.ssid == Array("Phone".utf8))
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("many bells are one look")
  func storm() async throws {
    let kernel = try PlayedKernel()
    Self.play(kernel, ssid: "Home")
    try await TestMainLoop.alone {
      let part = try await onMainLoop {
        Result { try NetworkPart(kernel.surroundings, by: .onLoop(MainLoop.loop), metered: MeteredRule()) }
      }.get()
      let running = await onMainLoop { await RunningPart(part) }
      let before = kernel.questions
      for _ in 0..<50 { kernel.bell.ring() }
      await onMainLoop { await settled() }
      for _ in 0..<50 { kernel.bell.ring() }
      await MainLoop.loop.advance(by: .seconds(1))
      #expect(kernel.questions == 2 * before)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("a kernel that refuses costs nothing that was known, and is asked again")
  func refused() async throws {
    let (kernel, heard) = (try PlayedKernel(), Heard())
    Self.play(kernel, ssid: "Home")
    try await TestMainLoop.alone {
      let part = try await onMainLoop {
        Result {
          try NetworkPart(kernel.surroundings, by: .onLoop(MainLoop.loop), metered: MeteredRule()) { heard.take($0) }
        }
      }.get()
      let running = await onMainLoop { await RunningPart(part) }
      kernel.refuse(Fault(.passing, "T-2", "not now"))
      await MainLoop.loop.advance(by: Self.minute)
      #expect(await onMainLoop { part.state } == Self.state("Home", .internet))
      kernel.refuse(nil)
      Self.play(kernel, ssid: nil)
      await MainLoop.loop.advance(by: Self.minute)
      #expect(await onMainLoop { heard.states.last } == Self.state(nil, .none))
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("what is asked tells portal from internet, at once when a transfer finds a page, and again until it is gone")
  func portal() async throws {
    let (kernel, heard, mouth) = (try PlayedKernel(), Heard(), WatchdogFeed())
    Self.play(kernel, ssid: "Hotel")
    try await TestMainLoop.alone {
      let part = try await onMainLoop {
        Result {
          try NetworkPart(
            kernel.surroundings, by: .onLoop(MainLoop.loop), metered: MeteredRule(), tell: { heard.take($0) },
            probe: { mouth.answer() })
        }
      }.get()
      let running = await onMainLoop { await RunningPart(part) }
      await MainLoop.loop.advance(by: .seconds(1))
      #expect(await onMainLoop { heard.states.map(\.reach) } == [.local, .internet])
      await onMainLoop {
        mouth.next = .other
        part.suspectPortal()
      }
      await MainLoop.loop.advance(by: .seconds(1))
      // Doubted, asked, answered.
      #expect(await onMainLoop { heard.states.map(\.reach) } == [.local, .internet, .internet, .portal])
      #expect(await onMainLoop { heard.states.map(\.isProven) } == [false, true, false, false])
      await onMainLoop { mouth.next = .expected }
      await MainLoop.loop.advance(by: Reachability.whenPortal)
      #expect(await onMainLoop { heard.states.map(\.reach) } == [.local, .internet, .internet, .portal, .internet])
      #expect(await onMainLoop { mouth.asked } == 3)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("the real kernel is looked at on a thread of its own, and the part ends when it is asked to")
  func real() async throws {
    let heard = Heard()
    try await TestMainLoop.alone {
      let part = try await onMainLoop { Result { try NetworkPart(metered: MeteredRule()) { heard.take($0) } } }.get()
      let running = await onMainLoop { await RunningPart(part) }
      let box = Mailbox<NetworkState>()
      await onMainLoop { part.follow(box) }
      // A machine without any network has nothing to tell.
      if try NetworkSurroundings().read().active != nil {
        await onMainLoop { while heard.states.isEmpty { await MainLoop.loop.nextRound() } }
        #expect(await onMainLoop { part.state.active?.isUp } == true)
      }
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}

@MainLoop
private final class WatchdogFeed {
  var next = Reachability.ProbeResult.expected
  private(set) var asked = 0
  nonisolated init() {}

  func answer() -> Reachability.ProbeResult {
    asked += 1
    return next
  }
}
