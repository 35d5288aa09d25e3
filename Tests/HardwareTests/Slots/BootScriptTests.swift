import Runtime
import TestSupport
import Testing

@testable import Hardware

/// What image/boot.cmd does with the counters, in the script's order, with its names. The step `card-parts` runs the
/// script itself.
private struct BootScript {
  private(set) var sectors: [[UInt8]]
  /// What each write of the last start left behind, cut after any byte or whole.
  private(set) var writes: [(place: Int, sector: [UInt8])] = []
  private var number: UInt64 = 0
  private var first = "a"
  private var states = ["a": "good", "b": "empty"]
  private var why = "none"
  private var place = 0

  init(_ sectors: [[UInt8]]) { self.sectors = sectors }

  /// The slot whose kernel runs in the end, with the state that it is told.
  mutating func start(loads: (String) -> Bool = { _ in true }) -> (slot: String, state: String)? {
    read()
    for _ in 1...2 {
      let slot = first
      let other = slot == "a" ? "b" : "a"
      let (state, next) = (states[slot] ?? "", states[other] ?? "")
      let left = ["3": "2", "2": "1", "1": "0"][state]
      if let left {
        states[slot] = left
        write()
      }
      var reason = "tries"
      if state == "good" || left != nil {
        if loads(slot) { return (slot, state) }
        reason = "load"
      }
      guard ["good", "3", "2", "1"].contains(next) else { continue }
      (why, first) = ("\(slot):\(reason)", other)
      if state != "good" { states[slot] = "0" }
      write()
    }
    return ["a", "b"].first(where: loads).map { ($0, "last") }
  }

  private mutating func read() {
    let (slots, second) = BootSlots.read(sectors[0], sectors[1])
    (number, first) = (slots.number, slots.first.rawValue)
    states = ["a": slots[.a].text, "b": slots[.b].text]
    why = slots.abandoned?.text ?? "none"
    place = second.map { $0 ? 2 : 1 } ?? 0
    writes = []
  }

  private mutating func write() {
    number += 1
    let names = ["lb_a=\(states["a"] ?? "")", "lb_b=\(states["b"] ?? "")", "lb_first=\(first)"]
    let sector = BootSlotsTests.sector(names + ["lb_n=\(String(number, radix: 16))", "lb_why=\(why)"])
    let index = place == 1 ? 1 : 0
    place = place == 1 ? 2 : 1
    sectors[index] = sector
    writes.append((index, sector))
  }
}

@Suite("What U-Boot does with the counters, and a power cut while it writes them")
struct BootScriptTests {
  private static let states = ["good", "3", "2", "1", "0", "empty"]

  private static func sectors(_ a: String, _ b: String, _ first: String, inSecond: Bool) -> [[UInt8]] {
    let counts = BootSlotsTests.sector(["lb_a=\(a)", "lb_b=\(b)", "lb_first=\(first)", "lb_n=9", "lb_why=none"])
    let older = BootSlotsTests.sector(["lb_a=good", "lb_b=good", "lb_first=a", "lb_n=8", "lb_why=none"])
    return inSecond ? [older, counts] : [counts, older]
  }

  private static func all() -> [[[UInt8]]] {
    var all: [[[UInt8]]] = []
    for a in states {
      for b in states {
        for first in ["a", "b"] {
          for inSecond in [false, true] { all.append(sectors(a, b, first, inSecond: inSecond)) }
        }
      }
    }
    return all
  }

  /// The counters as a cut leaves them after so many bytes of one write.
  private func torn(_ before: [[UInt8]], _ write: (place: Int, sector: [UInt8]), _ bytes: Int) -> [[UInt8]] {
    var torn = before
    torn[write.place] = Array(write.sector[..<bytes] + before[write.place][bytes...])
    return torn
  }

  private func read(_ sectors: [[UInt8]]) -> BootSlots { BootSlots.read(sectors[0], sectors[1]).slots }

  @Test("cut at any byte of any write, the counters are those before or those after it, and the next start runs a slot")
  func cuts() {
    var count = 0
    for begun in Self.all() {
      for broken in ["none", "a", "b"] {
        var whole = BootScript(begun)
        let slot = whole.start { $0 != broken }
        #expect(slot != nil && slot?.slot != broken)
        var before = begun
        for write in whole.writes {
          let after = torn(before, write, 512)
          for bytes in [0, 1, 3, 4, 5, 30, 60, 255, 511] {
            let left = torn(before, write, bytes)
            let found = read(left)
            #expect(found == read(before) || found == read(after))
            var again = BootScript(left)
            let next = again.start { $0 != broken }
            #expect(next != nil && next?.slot != broken)
            count += 1
          }
          before = after
        }
        #expect(before == whole.sectors)
      }
    }
    #expect(count > 1_000)
  }

  @Test("a slot that is good stays so through every start, and starting it writes nothing")
  func good() {
    for begun in Self.all() {
      let before = read(begun)
      var script = BootScript(begun)
      let slot = script.start()
      let after = read(script.sectors)
      for one in BootSlots.Slot.allCases where before[one] == .good { #expect(after[one] == .good) }
      if before[before.first] == .good {
        #expect(script.writes.isEmpty && slot?.slot == before.first.rawValue && slot?.state == "good")
      }
    }
  }

  @Test("however the power is cut, a version that is never good is started three times at most, then the one before")
  func tries() {
    var chance = SeededGenerator(seed: 41)
    for _ in 0..<400 {
      var sectors = Self.sectors("good", "3", "b", inSecond: Bool.random(using: &chance))
      var starts = 0
      for _ in 0..<20 {
        var script = BootScript(sectors)
        let started = script.start()
        // Three times out of four the power goes while it writes, if it does: then no kernel was started.
        if let write = script.writes.first, Int.random(in: 0..<4, using: &chance) > 0 {
          sectors = torn(sectors, write, Int.random(in: 0...512, using: &chance))
          continue
        }
        sectors = script.sectors
        if started?.slot == "b" { starts += 1 } else { break }
      }
      #expect(starts <= 3)
      // Whatever is left of its tries is used up without a cut.
      for _ in 0..<4 {
        var script = BootScript(sectors)
        if script.start()?.slot == "b" { starts += 1 }
        sectors = script.sectors
      }
      #expect(starts <= 3 && read(sectors).first == .a && read(sectors)[.b] == .tries(0))
      #expect(read(sectors).abandoned?.text == "b:tries")
    }
  }
}
