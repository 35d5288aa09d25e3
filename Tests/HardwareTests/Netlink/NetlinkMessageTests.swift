import TestSupport
import Testing

@testable import Hardware

@Suite("The kernel's messages")
struct NetlinkMessageTests {
  @Test("questions are asked byte for byte as the kernel's headers have them")
  func requests() {
    let links = "20000000 1200 0103 01000000 00000000 00000000000000000000000000000000"
    #expect(NetlinkRequest.links.bytes(sequence: 1) == Canned.bytes(links))
    #expect(
      NetlinkRequest.addresses.bytes(sequence: 2)
        == Canned.bytes("18000000 1600 0103 02000000 00000000 0000000000000000"))
    #expect(
      NetlinkRequest.routes.bytes(sequence: 0x0102_0304)
        == Canned.bytes("1c000000 1a00 0103 04030201 00000000 000000000000000000000000"))
    // One question, one answer and a receipt: by the name, with its NUL.
    #expect(
      Wireless.family.bytes(sequence: 1)
        == Canned.bytes("20000000 1000 0500 01000000 00000000 03010000 0c000200 6e6c383032313100"))
    #expect(
      Wireless.interfaces(0x1C).bytes(sequence: 1) == Canned.bytes("14000000 1c00 0103 01000000 00000000 05010000"))
    #expect(
      Wireless.stations(0x1C, of: 3).bytes(sequence: 1)
        == Canned.bytes("1c000000 1c00 0103 01000000 00000000 11010000 0800030003000000"))
    #expect(
      Wireless.seen(0x1C, by: 3).bytes(sequence: 1)
        == Canned.bytes("1c000000 1c00 0103 01000000 00000000 20010000 0800030003000000"))
  }

  /// Written down from a machine: two addresses, and the end.
  private static let addresses = Canned.bytes(
    """
    4c000000140002000100000050250000 020880fe01000000 080001007f000001 080002007f000001 070003006c6f0000
    0800080080000000 14000600ffffffffffffffff1a0000001a000000
    58000000140002000100000050250000 0218800004000000 08000100c0000202 08000200c0000202 08000400c00002ff
    090003006574683000000000 0800080080000000 14000600ffffffffffffffff1a0000001a000000
    14000000030002000100000050250000 00000000
    """)

  @Test("what a machine said is read: an address others can reach, and not the one that is its own")
  func real() {
    let (messages, isWhole) = NetlinkMessage.all(in: Self.addresses[...])
    #expect(isWhole && messages.map(\.type) == [20, 20, 3])
    #expect(messages.allSatisfy { $0.sequence == 1 })
    let facts = messages.compactMap { AddressFacts($0) }
    #expect(facts.map(\.text) == ["192.0.2.2"] && facts.map(\.index) == [4])
    let route = Canned.bytes(
      "34000000180002000100000050250000 02000000fe030001 00000000 08000f00fe000000 08000500c0000201 0800040004000000")
    let found = Canned.messages(route).compactMap { DefaultRoute($0) }
    #expect(found.map(\.index) == [4] && found.map(\.cost) == [0] && found.map(\.isVersion6) == [false])
  }

  @Test("cut off anywhere, it gives what was whole before, and says that it is not whole")
  func cut() {
    let all = NetlinkMessage.all(in: Self.addresses[...]).messages
    for count in 0..<Self.addresses.count {
      let (messages, isWhole) = NetlinkMessage.all(in: Self.addresses[..<count])
      #expect(messages == Array(all.prefix(messages.count)), "\(count)")
      let isAtAnEnd = [0, 76, 76 + 88].contains(count)
      #expect(isWhole == isAtAnEnd, "\(count)")
    }
  }

  @Test("lengths that lie end the list, and nothing is read beyond what is there")
  func lies() {
    for length in [0, 1, 15, 17, 0xFFFF_FFFF] as [UInt32] {
      let bytes = Canned.number(length) + [UInt8](repeating: 0, count: 12)
      let (messages, isWhole) = NetlinkMessage.all(in: bytes[...])
      #expect(messages.isEmpty && !isWhole, "\(length)")
    }
    for length in [0, 3, 9, 0xFFFF] as [UInt16] {
      #expect(NetlinkAttributes((Canned.number(length) + [1, 0, 9, 9, 9, 9])[...]).pieces.isEmpty, "\(length)")
    }
    // The upper bits of a type are no part of it.
    #expect(NetlinkAttributes(Canned.bytes("08000380 07000000")[...]).number(3) == 7)
  }

  @Test("whatever bytes come, they are refused or read, and what is read keeps its bounds")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    let good = Canned.row(
      Self.addresses, Canned.link(2, "eth0"), Canned.route(2), Canned.seen(ssid: [65], isJoined: true))
    for _ in 0..<2_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      let messages = NetlinkMessage.all(in: bytes[...]).messages
      let links = messages.compactMap { LinkFacts($0) }
      #expect(links.allSatisfy { (1...15).contains($0.name.utf8.count) && !$0.name.contains("/") }, "seed \(seed)")
      #expect(messages.reduce(0) { $0 + $1.body.count + 16 } <= bytes.count, "seed \(seed)")
      _ = (Wireless.joined(in: messages), Wireless.connection(in: messages), Wireless.clients(in: messages))
      _ = messages.compactMap { DefaultRoute($0) }
    }
  }

  @Test("an answer is whole at its end, asked again when it changed meanwhile, and refused with the kernel's reason")
  func answers() {
    let part = Canned.link(2, "eth0")
    func outcome(_ datagrams: [UInt8]...) -> (NetlinkAnswer.Progress, Int) {
      var answer = NetlinkAnswer(to: 1)
      var progress = NetlinkAnswer.Progress.more
      for datagram in datagrams { progress = answer.take(datagram[...]) }
      return (progress, answer.messages.count)
    }
    #expect(outcome(part, part) == (.more, 2))
    #expect(outcome(part, part + Canned.end) == (.whole, 2))
    #expect(outcome(part, Canned.message(3, [])) == (.whole, 1))
    #expect(outcome(Canned.refusal(0)) == (.whole, 0))
    #expect(outcome(Canned.refusal(13)) == (.refused(errno: 13), 0))
    #expect(outcome(part, Canned.message(3, Canned.number(Int32(-4)))) == (.refused(errno: 4), 1))
    #expect(outcome(part, Canned.message(3, [0, 0, 0, 0], flags: 0x12)) == (.interrupted, 1))
    #expect(outcome(Canned.message(16, [1], flags: 0x12), Canned.end) == (.interrupted, 1))
    #expect(outcome(Canned.message(2, [])) == (.malformed, 0))
    #expect(outcome(Array(part.dropLast(8))) == (.malformed, 0))
    // Somebody else's answer is neither a part nor an end.
    #expect(outcome(Canned.message(3, [0, 0, 0, 0], sequence: 2)) == (.more, 0))
  }

  @Test("an overrun is a loss, a program's message nothing, and one too long for its place a loss")
  func received() {
    typealias Received = NetlinkSocket.Received
    #expect(Received(count: -1, room: 10, errno: 105, sender: 0) == .lost)
    #expect(Received(count: -1, room: 10, errno: 11, sender: 0) == .nothing)
    #expect(Received(count: -1, room: 10, errno: 4, sender: 0) == .nothing)
    #expect(Received(count: -1, room: 10, errno: 9, sender: 0) == .failed(9))
    #expect(Received(count: 10, room: 10, errno: 0, sender: 0) == .datagram(10))
    #expect(Received(count: 11, room: 10, errno: 0, sender: 0) == .lost)
    #expect(Received(count: 10, room: 10, errno: 0, sender: 4_711) == .nothing)
  }

  @Test("what the kernel says of a device is read by its words, and what the device manager says is not")
  func events() throws {
    let text = "change@/devices/x/power_supply/BAT0\0ACTION=change\0SUBSYSTEM=power_supply\0SEQNUM=1\0"
    let event = try #require(KernelEvent(Array(text.utf8)[...]))
    #expect(event.action == "change" && event.device == "/devices/x/power_supply/BAT0")
    #expect(event.subsystem == "power_supply")
    #expect(KernelEvent(Array("add@/devices/y\0ACTION=add\0".utf8)[...])?.subsystem == "")
    for wrong in ["", "libudev\0\u{1}", "@/devices", "change@devices", "change", "\0\0"] {
      #expect(KernelEvent(Array(wrong.utf8)[...]) == nil, "\(wrong)")
    }
  }
}

@Suite("The real kernel")
struct RealKernelTests {
  @Test("lists this machine's links: itself among them, up")
  func links() throws {
    let links = try NetlinkSocket.ask(.routes, .links).compactMap { LinkFacts($0) }
    let own = try #require(links.first { $0.isLoopback })
    #expect(own.name == "lo" && own.index == 1)
    #expect(Set(links.map(\.index)).count == links.count)
  }

  @Test("is looked at as a whole, and says what it has no family for")
  func network() throws {
    let reading = try NetworkSurroundings().read()
    #expect(!reading.links.contains { $0.facts.name == "lo" })
    if let active = reading.active { #expect(active.facts.isUp && !active.addresses.isEmpty) }
    let unknown = NetlinkRequest(
      type: 16, listsAll: false, body: [3, 1, 0, 0] + NetlinkRequest.attribute(2, Array("nobody".utf8) + [0]))
    #expect(try faultOf { try NetlinkSocket.ask(.generic, unknown) }.kind == .missing)
  }

  @Test("can be listened to without rights, and tells nothing while nothing changes")
  func news() throws {
    for news in [try NetlinkNews.network(), try NetlinkNews.powerSupplies()] {
      #expect(news.number >= 0)
    }
    #expect(try !NetlinkNews.powerSupplies().take())
  }
}
