import Hardware
import Runtime
import Testing

@Suite("Lines that a thread reads")
struct EagerLinesTests {
  @Test("edges of two descriptors come in the order of their time, with a ring, and once")
  func order() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    let now = Moment.now
    wires.edge(1, at: now - .milliseconds(3))
    wires.edge(0, at: now - .milliseconds(2))
    wires.edge(1, at: now - .milliseconds(1))
    #expect(isReadable(lines.descriptors[0]))
    var got: [LineEdge] = []
    while got.count < 3, isReadable(lines.descriptors[0]) { got += try lines.edges().edges }
    #expect(got.map(\.at.nanoseconds) == got.map(\.at.nanoseconds).sorted())
    #expect(got.map(\.offset).sorted() == [0, 1, 1])
    #expect(try lines.edges().edges == [])
    #expect(try lines.levels() == [false, true])
  }

  @Test(
    "an edge is not handed over before an older one of a line that was read earlier in the round; none stays behind")
  func between() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    wires.change { state in
      // After the first line was read and before the second is: the knob's first contact, then the other.
      state.betweenLines = {
        wires.edge(0)
        wires.edge(1)
      }
    }
    let first = try lines.edges()
    #expect(first.edges == [])
    #expect(isReadable(lines.descriptors[0]), "it rings for what was held back")
    let second = try lines.edges()
    #expect(second.edges.map(\.offset) == [0, 1])
    #expect(second.edges.allSatisfy { $0.at > first.until && $0.at <= second.until })
  }

  @Test("a stamp that lies in the future does not keep an edge back for ever")
  func future() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    wires.edge(0, at: .now + .seconds(86_400))
    var got: [LineEdge] = []
    while got.isEmpty, isReadable(lines.descriptors[0]) { got = try lines.edges().edges }
    #expect(got.map(\.offset) == [0])
  }

  @Test("its end ends the thread and gives the lines back, in a pause too", arguments: [0, 1_000])
  func end(flood: Int) throws {
    let wires = PipedLines()
    try withExtendedLifetime(wires.opened()) { _ in
      wires.change { $0.flood = flood }
      wires.ring(0)
      #expect(wires.wasRead(times: 1))
    }
    #expect(wires.wasLetGo())
  }

  @Test("a fault is passed on, rings, and stays")
  func fault() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    let fault = Fault(.missing, "T-1", "No such device")
    wires.change { $0.fault = fault }
    wires.ring(0)
    #expect(isReadable(lines.descriptors[0]))
    for _ in 0..<2 { #expect(throws: fault) { try lines.edges() } }
  }

  @Test("a descriptor whose other end is gone is a fault, not a thread that runs in circles")
  func hangUp() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    wires.hangUp(0)
    #expect(isReadable(lines.descriptors[0]))
    #expect { try lines.edges() } throws: { ($0 as? Fault)?.code == "H-215" }
  }

  @Test("a queue that ran over is told once")
  func ranOver() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    wires.change { $0.isWhole = false }
    wires.edge(0)
    #expect(wires.wasRead(times: 1))
    #expect(try lines.edges().isWhole == false)
    wires.change { $0.isWhole = true }
    _ = try lines.edges()
    #expect(try lines.edges().isWhole)
  }

  @Test("a line that swings without end is read once a pause, fills no memory, and is over when it is over")
  func noisy() throws {
    let wires = PipedLines()
    let lines = try wires.opened()
    let readings = EdgeBasket.most / 1_000 + 3
    let begin = Moment.now
    wires.change { $0.flood = 1_000 }
    wires.ring(0)
    #expect(wires.wasRead(times: readings))
    // Only slower on a busy machine.
    #expect(Moment.now - begin >= EagerLines.pause * (readings - 1))
    let found = try lines.edges()
    #expect(found.edges.count <= EdgeBasket.most)
    #expect(!found.isWhole)
    wires.change { $0.flood = 0 }
    while try !lines.edges().edges.isEmpty {}
    wires.edge(1)
    var got: [LineEdge] = []
    while got.isEmpty, isReadable(lines.descriptors[0]) { got = try lines.edges().edges }
    #expect(got.map(\.offset) == [1])
  }
}
