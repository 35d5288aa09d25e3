import Glibc
import Runtime
import Testing

@testable import bench

@Suite("What the kernel says of a process")
struct ReadingTests {
  @Test("a thread's status gives its name and all its switches")
  func status() {
    let text = "Name:\toutput:null 2\nState:\tS\nvoluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t2\n"
    #expect(ProcText.thread(text) == ThreadReading(name: "output:null 2", switches: 42))
    #expect(ProcText.thread("Name:\tlayby\n") == nil)
    #expect(ProcText.number(after: "Pss:", in: "Rss: 1 kB\nPss_Anon: 2 kB\nPss:   12345 kB\n") == 12_345)
  }

  @Test("switches are counted from the first look on; a new thread counts with all it did")
  func switches() {
    var count = SwitchCount(first: [1: ThreadReading(name: "layby", switches: 100)])
    #expect(count.all == 0)
    count.add([
      1: ThreadReading(name: "layby", switches: 103), 2: ThreadReading(name: "store", switches: 5),
    ])
    count.add([1: ThreadReading(name: "layby", switches: 104)])
    #expect(count.all == 9)
    #expect(count.threads == 2)
    #expect(count.foreign(to: ["layby", "store"]) == 0)
    #expect(count.foreign(to: ["layby"]) == 5)
  }

  @Test("a thread that only took over the name of ours is foreign")
  func inheritedNames() {
    var count = SwitchCount(first: [1: ThreadReading(name: "layby", switches: 0)])
    count.add([1: ThreadReading(name: "layby", switches: 9), 7: ThreadReading(name: "layby", switches: 3)])
    #expect(count.foreign(to: ["layby"]) == 3)
  }

  @Test("this very process can be read")
  func real() throws {
    let reading = ProcessReading(pid: getpid())
    let memory = try reading.memory()
    #expect(memory.anonymous > 0 && memory.proportional >= memory.anonymous)
    #expect(try reading.threads()[Int(getpid())] != nil)
    #expect(try reading.processorSeconds() > 0)
  }
}

@Suite("Processes that a bench starts")
struct ChildTests {
  @Test("its exit code and its end are seen")
  func ends() throws {
    let child = try Child(["/bin/sh", "-c", "exit 7"], output: FilePath("/dev/null"))
    #expect(try child.wait(within: .seconds(30)).code == 7)
    #expect(throws: Fault.self) {
      try Child.processorSeconds(of: ["/bin/false"], within: .seconds(30), output: FilePath("/dev/null"))
    }
  }

  @Test("what does not end in time is a fault, and is gone when nobody holds it any more")
  func deadline() throws {
    var pid: pid_t = 0
    do {
      let child = try Child(["/bin/sleep", "1000"], output: FilePath("/dev/null"))
      pid = child.pid
      #expect(throws: Fault.self) { try child.wait(within: .milliseconds(1)) }
    }
    #expect(kill(pid, 0) == -1)
    #expect(Glibc.errno == ESRCH)
  }

  @Test(
    "what it was asked to do is checked before anything starts",
    arguments: [
      [], ["tea"], ["play", "--seconds"], ["play", "--seconds", "0"], ["start", "--rounds", "many"], ["--layby"],
      ["--from"], ["--from", "a"], ["play", "--chart", "b", "--from", "a"],
    ])
  func options(words: [String]) {
    #expect(throws: Fault.self) { try BenchOptions(words) }
  }

  @Test("names and numbers arrive")
  func understood() throws {
    let options = try BenchOptions(["play", "start", "--json", "--seconds", "5", "--rounds", "3", "--layby", "x"])
    #expect(options.names == ["play", "start"])
    #expect((options.json, options.seconds, options.rounds, options.layby) == (true, 5, 3, "x"))
    let drawing = try BenchOptions(["--chart", "b", "--from", "a"])
    #expect(drawing.names == [] && drawing.chart == "b" && drawing.tables == "a")
  }
}
